"""The environment of the tests, set before any settings are read: nothing of the developer's own leaks in."""

import os
import tempfile

for name in list(os.environ):
    if name.endswith(("_API_KEY", "_BASE_URL")) or name in {"DEMO", "DEBUG", "ALLOWED_HOSTS", "REDIS_URL"}:
        del os.environ[name]

os.environ["GYMNASIA_VAR"] = tempfile.mkdtemp(prefix="gymnasia-tests-")
os.environ["SECRET_KEY"] = "only-for-tests-" + "x" * 50
os.environ["GYMNASIA_FAULTS_FILE"] = os.path.join(os.environ["GYMNASIA_VAR"], "faults.json")
