"""One settings file. Everything that differs between installations comes from the environment."""

from pathlib import Path

from django.core.exceptions import ImproperlyConfigured
from django.utils.csp import CSP
from django.utils.translation import gettext_lazy as _
from redis.exceptions import ConnectionError as RedisConnectionError

from gymnasia import env
from gymnasia.keyfile import read_or_make_key

BASE_DIR = Path(__file__).resolve().parent.parent
VAR_DIR = Path(env.text("GYMNASIA_VAR", str(BASE_DIR / "var")))
VAR_DIR.mkdir(parents=True, exist_ok=True)

DEBUG = env.flag("DEBUG")
DEMO = env.flag("DEMO")
ALLOWED_HOSTS = env.words("ALLOWED_HOSTS", "localhost,127.0.0.1,[::1]")
LOOPBACK_ONLY = all(host in env.LOOPBACK_HOSTS for host in ALLOWED_HOSTS)

if DEMO and not LOOPBACK_ONLY:
    raise ImproperlyConfigured(
        "DEMO=1 makes an account with a public password: ALLOWED_HOSTS may then hold only "
        "localhost, 127.0.0.1 and [::1]."
    )

SECRET_KEY = env.text("SECRET_KEY")
SECRET_KEY_FALLBACKS = env.words("SECRET_KEY_FALLBACKS", "")
if not SECRET_KEY:
    if not LOOPBACK_ONLY:
        raise ImproperlyConfigured(
            "SECRET_KEY is missing. Set it to 50 or more random characters; only an installation "
            "on loopback hosts makes its own."
        )
    SECRET_KEY = read_or_make_key(VAR_DIR / "secret-key")

FAULTS_FILE = env.text("GYMNASIA_FAULTS_FILE")
if FAULTS_FILE and not LOOPBACK_ONLY:
    raise ImproperlyConfigured(
        "GYMNASIA_FAULTS_FILE makes the program fail on purpose: ALLOWED_HOSTS may then hold only "
        "localhost, 127.0.0.1 and [::1]."
    )

INSTALLED_APPS = [
    "django.contrib.admin",
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.sessions",
    "django.contrib.messages",
    "servestatic",
    "django.contrib.staticfiles",
    "django.contrib.humanize",
    "channels",
    "django_htmx",
    "allauth",
    "allauth.account",
    "gymnasia",
    "measurements",
    "coach",
]

MIDDLEWARE = [
    "django.middleware.security.SecurityMiddleware",
    "servestatic.middleware.ServeStaticMiddleware",
    "django.middleware.csp.ContentSecurityPolicyMiddleware",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "django.contrib.messages.middleware.MessageMiddleware",
    "django.middleware.locale.LocaleMiddleware",
    "measurements.middleware.ProfileMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
    "allauth.account.middleware.AccountMiddleware",
    "django_htmx.middleware.HtmxMiddleware",
]

ROOT_URLCONF = "gymnasia.urls"
ASGI_APPLICATION = "gymnasia.asgi.application"

TEMPLATES = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "DIRS": [BASE_DIR / "templates"],
        "APP_DIRS": True,
        "OPTIONS": {
            "context_processors": [
                "django.template.context_processors.request",
                "django.template.context_processors.csp",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
                "django.template.context_processors.i18n",
            ],
        },
    },
]

DATABASES = {"default": env.database("DATABASE_URL", str(VAR_DIR / "gymnasia.sqlite3"))}
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"

REDIS_URL = env.redis("REDIS_URL")
# A connection that Redis closed while nobody used it is opened again; nothing else is tried twice.
REDIS_PATIENCE = {"socket_connect_timeout": 1, "retry_on_error": [RedisConnectionError]}
if REDIS_URL:
    CHANNEL_LAYERS = {
        "default": {
            "BACKEND": "channels_redis.core.RedisChannelLayer",
            "CONFIG": {
                # A listener waits for up to 5 seconds at a time: longer than that is no answer.
                "hosts": [{"address": REDIS_URL, "socket_timeout": 8, **REDIS_PATIENCE}],
                # All pages of a process share one queue of this many messages. Beyond it they are
                # dropped, and the pages read the snapshot.
                "capacity": 500,
            },
        }
    }
    CACHES = {
        "default": {
            "BACKEND": "gymnasia.cache.RedisOrLocalCache",
            "LOCATION": REDIS_URL,
            "OPTIONS": {"socket_timeout": 1, **REDIS_PATIENCE},
        }
    }
else:
    CHANNEL_LAYERS = {"default": {"BACKEND": "channels.layers.InMemoryChannelLayer"}}
    CACHES = {"default": {"BACKEND": "django.core.cache.backends.locmem.LocMemCache"}}

AUTHENTICATION_BACKENDS = [
    "django.contrib.auth.backends.ModelBackend",
    "allauth.account.auth_backends.AuthenticationBackend",
]
PASSWORD_HASHERS = [
    "django.contrib.auth.hashers.Argon2PasswordHasher",
    "django.contrib.auth.hashers.PBKDF2PasswordHasher",
]
AUTH_PASSWORD_VALIDATORS = [
    {"NAME": f"django.contrib.auth.password_validation.{name}"}
    for name in (
        "UserAttributeSimilarityValidator",
        "MinimumLengthValidator",
        "CommonPasswordValidator",
        "NumericPasswordValidator",
    )
]
ACCOUNT_LOGIN_METHODS = {"username", "email"}
ACCOUNT_SIGNUP_FIELDS = ["username*", "email", "password1*", "password2*"]
ACCOUNT_SIGNUP_FORM_CLASS = "measurements.forms.SignupExtras"
ACCOUNT_EMAIL_VERIFICATION = "none"
ACCOUNT_LOGOUT_ON_GET = False
MAILERS = {"default": env.mailer("EMAIL_URL")}
DEFAULT_FROM_EMAIL = env.text("EMAIL_FROM", "gymnasia@localhost")
LOGIN_URL = "account_login"
LOGIN_REDIRECT_URL = "today"
ACCOUNT_LOGOUT_REDIRECT_URL = "account_login"

LANGUAGE_CODE = "en"
LANGUAGES = [("en", _("English")), ("es", _("Spanish")), ("pt-br", _("Brazilian Portuguese"))]
LOCALE_PATHS = [BASE_DIR / "gymnasia" / "locale"]
TIME_ZONE = "UTC"
USE_TZ = True

STATIC_URL = "static/"
STATIC_ROOT = VAR_DIR / "static"
STATICFILES_DIRS = [BASE_DIR / "static"]
STORAGES = {
    "default": {"BACKEND": "django.core.files.storage.FileSystemStorage"},
    "staticfiles": {"BACKEND": "servestatic.storage.CompressedManifestStaticFilesStorage"},
}

SECURE_CSP = {
    "default-src": [CSP.NONE],
    "script-src": [CSP.SELF, CSP.NONCE],
    "style-src": [CSP.SELF, CSP.NONCE],
    "img-src": [CSP.SELF],
    "font-src": [CSP.SELF],
    "connect-src": [CSP.SELF],
    "manifest-src": [CSP.SELF],
    "form-action": [CSP.SELF],
    "frame-ancestors": [CSP.NONE],
    "base-uri": [CSP.NONE],
}
SECURE_REFERRER_POLICY = "same-origin"
X_FRAME_OPTIONS = "DENY"
CSRF_COOKIE_SAMESITE = "Lax"
SESSION_COOKIE_SAMESITE = "Lax"
if not LOOPBACK_ONLY:
    SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https")
    SECURE_SSL_REDIRECT = True
    # Whoever watches the process asks it directly, without the proxy.
    SECURE_REDIRECT_EXEMPT = [r"^healthz$"]
    SECURE_HSTS_SECONDS = 365 * 24 * 3600
    # Whether every subdomain speaks TLS too is not ours to promise for whoever owns the name.
    SILENCED_SYSTEM_CHECKS = ["security.W005", "security.W021"]
    SESSION_COOKIE_SECURE = True
    CSRF_COOKIE_SECURE = True
    CSRF_TRUSTED_ORIGINS = [f"https://{host}" for host in ALLOWED_HOSTS]

# One line for each event on standard error, where a service manager or a terminal picks it up.
# Django's own setting would show no error at all unless DEBUG is on.
LOGGING = {
    "version": 1,
    "disable_existing_loggers": False,
    "formatters": {"line": {"format": "%(asctime)s %(levelname)s %(name)s: %(message)s"}},
    "handlers": {"console": {"class": "logging.StreamHandler", "formatter": "line"}},
    "root": {"handlers": ["console"], "level": "WARNING"},
    "loggers": {"django": {"handlers": [], "level": "WARNING", "propagate": True}},
}

COACH_MAX_ROUNDS = env.integer("COACH_MAX_ROUNDS", 10)
COACH_TURNS_PER_MINUTE = env.integer("COACH_TURNS_PER_MINUTE", 30)
COACH_PROVIDERS = {
    "builtin": "coach.providers.builtin.provider.BuiltinProvider",
    "anthropic": "coach.providers.anthropic.AnthropicProvider",
    "openai": "coach.providers.openai.OpenAIProvider",
    "local": "coach.providers.openai.LocalProvider",
    "google": "coach.providers.google.GoogleProvider",
}
# What the whole installation offers. A person's own key and address, set in the page, go first.
PROVIDER_CONNECTIONS = {
    name: {
        "api_key": env.text(f"{name.upper()}_API_KEY"),
        "base_url": env.text(f"{name.upper()}_BASE_URL"),
        "model": model,
    }
    for name, model in {
        "anthropic": "claude-sonnet-5-5",
        "openai": "gpt-6-luna",
        "google": "gemini-3.8-flash",
        "local": "",
    }.items()
}
