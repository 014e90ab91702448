"""The WebSocket addresses."""

from django.urls import path

from coach.consumers import CoachConsumer

websocket_urlpatterns = [
    path("ws/coach/<int:pk>/", CoachConsumer.as_asgi()),
]
