# Two commands: `make run` and `make test`. Everything they need they set up by themselves.

# The environment is made by whichever Python 3.12 or newer is found; PYTHON names one.
BOOTSTRAP = sh gymnasia/bootstrap.sh
PY = .venv/bin/python

.PHONY: run test check unit e2e fake-providers messages help

help:
	@sed -n 's/^## //p' Makefile

## make run    the application on http://127.0.0.1:8000 with a demo account (PORT=… for another port)
run:
	@$(BOOTSTRAP) base
	@exec $(PY) -m gymnasia.serve

## make test   everything: lint, types, import rules, unit, integration, browser
test: check
	@$(PY) -m gymnasia.browser
	@$(PY) -m pytest tests -m slow
	@$(PY) -m pytest e2e

## make check  lint, types, import rules and the fast tests; under a minute
check:
	@$(BOOTSTRAP) dev
	@$(PY) -m ruff check .
	@$(PY) -m ruff format --check .
	@$(PY) -m mypy
	@.venv/bin/lint-imports --no-logo
	@DEMO= $(PY) manage.py makemigrations --check --dry-run
	@$(PY) -m pytest tests -m "not slow"

## make e2e    the browser tests alone
e2e:
	@$(BOOTSTRAP) dev
	@$(PY) -m gymnasia.browser
	@$(PY) -m pytest e2e
