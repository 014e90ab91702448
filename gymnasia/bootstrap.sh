#!/bin/sh
# Makes the environment `.venv` and installs the pinned requirements (`base` or `dev`) into it, when
# that has not been done for exactly these pins. Says in one line what is missing.
set -eu
cd "$(dirname "$0")/.."
wanted="requirements/$1.txt"
stamp=".venv/installed-$1"

usable() {
    # Runs it: a version manager may leave a command on the path that only says it is not there.
    "$1" -c 'import sys, venv, ensurepip; sys.exit(sys.version_info < (3, 12))' >/dev/null 2>&1
}

find_python() {
    for candidate in ${PYTHON:-} python3.13 python3.14 python3.12 python3 python; do
        if usable "$candidate"; then
            echo "$candidate"
            return
        fi
    done
    if [ -x "$(command -v apt-get)" ]; then hint=" (on Debian: apt-get install python3 python3-venv)"; else hint=""; fi
    echo "Gymnasia needs Python 3.12 or newer with venv$hint, or PYTHON=/path/to/python." >&2
    exit 1
}

if [ -n "${PYTHON:-}" ] && ! usable "$PYTHON"; then
    echo "PYTHON=$PYTHON is not a Python 3.12 or newer with venv." >&2
    exit 1
fi
if [ ! -x .venv/bin/python ] || ! usable .venv/bin/python; then
    python=$(find_python)
    echo "Making the environment .venv with $python" >&2
    rm -rf .venv
    "$python" -m venv .venv
fi
if ! cmp -s "$wanted" "$stamp"; then
    echo "Installing $wanted (once; needs the network)" >&2
    .venv/bin/python -m pip install --quiet --disable-pip-version-check --require-hashes -r "$wanted" || {
        echo "The requirements could not be installed: check the network and try again." >&2
        exit 1
    }
    cp "$wanted" "$stamp"
    # The dev requirements hold the base ones.
    [ "$1" = base ] || cp requirements/base.txt .venv/installed-base
fi
