"""The ASGI application: pages, WebSockets, and the process's own beginning and end."""

import os

from channels.auth import AuthMiddlewareStack
from channels.routing import ProtocolTypeRouter, URLRouter
from channels.security.websocket import OriginValidator
from django.core.asgi import get_asgi_application

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "gymnasia.settings")
pages = get_asgi_application()

# These need the applications to be loaded.
from django.conf import settings  # noqa: E402

from coach.routing import websocket_urlpatterns  # noqa: E402
from coach.runner import runner  # noqa: E402
from gymnasia.lifespan import Lifespan  # noqa: E402

application = ProtocolTypeRouter(
    {
        "http": pages,
        # A socket carries cookies and no CSRF token: its origin is all that tells our pages from others.
        "websocket": OriginValidator(
            AuthMiddlewareStack(URLRouter(websocket_urlpatterns)), settings.ALLOWED_HOSTS
        ),
        "lifespan": Lifespan(startup=[runner.open], shutdown=[runner.close]),
    }
)
