"""`python -m tests.on_postgresql PATH…`: runs tests on a PostgreSQL of their own instead of SQLite."""

import os
import subprocess
import sys

from tests.services import Missing, postgres


def main(arguments: list[str]) -> int:
    try:
        with postgres() as url:
            environment = os.environ | {"DATABASE_URL": url}
            command = [sys.executable, "-m", "pytest", *arguments]
            return subprocess.run(command, env=environment, check=False).returncode
    except Missing as missing:
        sys.stderr.write(f"Not run on PostgreSQL: {missing}\n")
        # Under CI a missing service is a failure; at home it is said and left.
        return 1 if os.environ.get("CI") else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
