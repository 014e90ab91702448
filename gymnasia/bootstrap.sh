#!/bin/sh
# Makes the environment `.venv` and installs the pinned requirements (`base` or `dev`) into it, when
# that has not been done for exactly these pins. Says in one line what is missing.
#
#     sh gymnasia/bootstrap.sh base|dev [MODULE]    MODULE is run first, and has to agree
#
# $PYTHON names the interpreter; without it the environment that is there is kept, else one is found.
set -eu
cd "$(dirname "$0")/.."
pins="requirements/$1.txt"
stamp=".venv/installed-$1"

fail() {
    echo "$1" >&2
    exit 1
}

is_usable() {
    # Runs it: a version manager leaves stand-ins on PATH that only say what is not installed.
    "$1" -c 'import sys, venv, ensurepip; sys.exit(sys.version_info < (3, 12))' >/dev/null 2>&1
}

identity() {
    "$1" -c 'import sys; print(sys.base_prefix, sys.version)' 2>/dev/null
}

find_python() {
    if [ -n "${PYTHON:-}" ]; then
        is_usable "$PYTHON" || fail "PYTHON=$PYTHON is not a Python 3.12 or newer that runs and has venv."
        echo "$PYTHON"
        return
    fi
    for candidate in python3.13 python3.12 python3.14 python3 python \
        "${PYENV_ROOT:-${HOME:-}/.pyenv}"/versions/3.1[2-9]*/bin/python3; do
        if is_usable "$candidate"; then
            echo "$candidate"
            return
        fi
    done
    fail "Gymnasia needs Python 3.12 or newer with venv and found none: install it, or set PYTHON to its path."
}

is_kept() {
    is_usable .venv/bin/python || return 1
    [ -z "${PYTHON:-}" ] || [ "$(identity .venv/bin/python)" = "$(identity "$PYTHON")" ]
}

if is_kept; then
    python=.venv/bin/python
else
    python=$(find_python)
fi
[ $# -eq 1 ] || "$python" -m "$2"
if [ "$python" != .venv/bin/python ]; then
    echo "Making the environment .venv with $("$python" --version)" >&2
    "$python" -m venv --clear .venv
fi
if ! cmp -s "$pins" "$stamp"; then
    echo "Installing $pins (once; takes a minute or two and needs the network)" >&2
    .venv/bin/python -m pip install --quiet --disable-pip-version-check --no-input \
        --require-hashes -r "$pins" || fail "The requirements could not be installed; the lines above say why."
    cp "$pins" "$stamp"
fi
