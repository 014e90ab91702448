"""Addresses of the Coach."""

from django.urls import path

from coach import provider_views, views

urlpatterns = [
    path("", views.coach, name="coach"),
    path("say/", views.say, name="say_new"),
    path("<int:pk>/", views.conversation, name="conversation"),
    path("<int:pk>/say/", views.say, name="say"),
    path("<int:pk>/rename/", views.rename, name="rename_conversation"),
    path("<int:pk>/delete/", views.delete, name="delete_conversation"),
    path("<int:pk>/provider/", provider_views.choose, name="choose_provider"),
    path("turn/<int:pk>/stop/", views.stop, name="stop_turn"),
    path("call/<int:pk>/consent/", views.consent, name="answer_consent"),
    path("call/<int:pk>/verify/", views.verify, name="verify_call"),
    path("call/<int:pk>/repeat/", views.repeat, name="repeat_call"),
    path("undo/<int:pk>/", views.undo, name="undo_coach_change"),
]
