"""Is the process alive, and does its database answer?"""

from django.db import DatabaseError, connection
from django.http import HttpRequest, JsonResponse
from django.views.decorators.cache import never_cache


@never_cache
def healthz(request: HttpRequest) -> JsonResponse:
    """200 when the database answers, 503 when it does not. Says nothing else about the installation."""
    try:
        with connection.cursor() as cursor:
            cursor.execute("SELECT 1")
    except DatabaseError:
        return JsonResponse({"process": "ok", "database": "unreachable"}, status=503)
    return JsonResponse({"process": "ok", "database": "ok"})
