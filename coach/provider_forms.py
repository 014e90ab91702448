"""What a person types to reach a provider. A key goes in and never comes out again."""

import re
from urllib.parse import urlsplit

from django import forms
from django.conf import settings
from django.contrib.auth.models import User
from django.http import QueryDict
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from coach import credentials
from coach.models import ProviderAccess

KEY = re.compile(r"[\x21-\x7e]{8,500}")
MODEL = re.compile(r"[\x21-\x7e]+")

EFFORTS = {
    "anthropic": ("low", "medium", "high", "xhigh", "max"),
    "openai": ("none", "minimal", "low", "medium", "high", "xhigh", "max"),
    "google": ("minimal", "low", "medium", "high", "xhigh"),
    "local": ("low", "medium", "high"),
}
EFFORT_NAMES = {
    "": gettext_lazy("As the model does by itself"),
    "none": gettext_lazy("None"),
    "minimal": gettext_lazy("Minimal"),
    "low": gettext_lazy("Low"),
    "medium": gettext_lazy("Medium"),
    "high": gettext_lazy("High"),
    "xhigh": gettext_lazy("Very high"),
    "max": gettext_lazy("Highest"),
}


class AccessForm(forms.Form):
    """Key, model and effort for one provider; and the address of a local server."""

    key = forms.CharField(
        label=gettext_lazy("Key"),
        required=False,
        widget=forms.PasswordInput(attrs={"autocomplete": "off", "spellcheck": "false"}),
    )
    base_url = forms.URLField(
        label=gettext_lazy("Address"),
        max_length=200,
        assume_scheme="http",
        help_text=gettext_lazy("Where llama.cpp, Ollama or vLLM listens, like http://127.0.0.1:11434/v1."),
    )
    model = forms.CharField(
        label=gettext_lazy("Model"),
        required=False,
        max_length=128,
        widget=forms.TextInput(
            attrs={"autocomplete": "off", "spellcheck": "false", "autocapitalize": "none"}
        ),
    )
    effort = forms.ChoiceField(label=gettext_lazy("Reasoning effort"), required=False)

    def __init__(
        self, data: QueryDict | None = None, *, user: User, provider: str, own: ProviderAccess | None
    ) -> None:
        initial = {"base_url": own.base_url, "model": own.model, "effort": own.effort} if own else {}
        super().__init__(data, auto_id=f"{provider}-%s", initial=initial)
        self.model_list_id = f"{provider}-models"
        self.fields["model"].widget.attrs |= {
            "list": self.model_list_id,
            "placeholder": credentials.default_model(provider),
        }
        effort = self.fields["effort"]
        assert isinstance(effort, forms.ChoiceField)
        effort.choices = [(level, EFFORT_NAMES[level]) for level in ("", *EFFORTS[provider])]
        if own and own.encrypted_key:
            self.fields["key"].help_text = _("A key is stored. Leave this empty to keep it.")
        if provider == "local":
            self.order_fields(["base_url", "model", "key", "effort"])
            self.fields["key"].label = _("Key, if the server asks for one")
            self.fields["model"].required = True
        else:
            del self.fields["base_url"]

    def clean_key(self) -> str:
        key: str = self.cleaned_data["key"].strip()
        if key and not KEY.fullmatch(key):
            raise forms.ValidationError(
                _("A key has at least 8 characters, without spaces or accents. Copy it again.")
            )
        return key

    def clean_base_url(self) -> str:
        """The address as the dialect wants it: without a path, the usual one is meant."""
        url: str = self.cleaned_data["base_url"].rstrip("/")
        parts = urlsplit(url)
        if parts.scheme not in ("http", "https") or parts.username or parts.query or parts.fragment:
            raise forms.ValidationError(_("Type an address like http://127.0.0.1:11434/v1."))
        return url if parts.path else f"{url}/v1"

    def clean_model(self) -> str:
        model: str = self.cleaned_data["model"].strip()
        if model and not MODEL.fullmatch(model):
            raise forms.ValidationError(_("A model's name has no spaces or accents. Copy it again."))
        return model


def may_choose_address(user: User) -> bool:
    """Whether the person may have the server ask an address of their choosing.

    Where strangers can sign up, that would let them reach what only the server can reach.
    """
    return settings.LOOPBACK_ONLY or user.is_staff
