"""Is the process alive, and does its database answer?"""

from django.db import DatabaseError, connection
from django.http import HttpRequest, JsonResponse
from django.views.decorators.cache import never_cache


@never_cache
def healthz(request: HttpRequest) -> JsonResponse:
    """200 when the migrated database answers, 503 when it does not. Says nothing else of the installation."""
    try:
        with connection.cursor() as cursor:
            # A table, not a constant: SQLite answers `SELECT 1` from memory when its file is lost.
            cursor.execute("SELECT 1 FROM django_migrations LIMIT 1")
    except DatabaseError:
        return JsonResponse({"process": "ok", "database": "unreachable"}, status=503)
    return JsonResponse({"process": "ok", "database": "ok"})
