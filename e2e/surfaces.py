"""The pages that somebody can open, for the tests that look at all of them."""

OPEN_PAGES = ["/accounts/login/", "/accounts/signup/", "/accounts/password/reset/"]
"""What is seen before signing in."""

PAGES = [
    "/",
    "/measurements/",
    "/measurements/?metric=visceral_fat",
    "/measurements/derived/",
    "/measurements/import/",
    "/coach/",
    "/settings/",
    "/settings/providers/anthropic/",
    "/accounts/password/change/",
    "/accounts/email/",
    "/accounts/logout/",
    "/nowhere/",
]

ASKED = {
    "en-US": ("log 77.4 kg on 2020-01-04", "weight on 2020-01-02", "delete the weight of 2020-01-04"),
    "es-ES": ("anota 77,4 kg el 2020-01-04", "peso del 2020-01-02", "borra el peso de 2020-01-04"),
    "pt-BR": ("anote 77,4 kg em 2020-01-04", "peso de 2020-01-02", "apague o peso de 2020-01-04"),
}
"""A write, a read that finds nothing, and a removal, which waits for a yes."""
