# Two commands: `make run` and `make test`. Everything they need they set up by themselves.

# The environment is made by whichever Python 3.12 or newer is found; PYTHON names one.
BOOTSTRAP = sh gymnasia/bootstrap.sh
PY = .venv/bin/python
# A test file stays with one worker: what it sets up, it sets up once.
PARALLEL = -n auto --dist loadfile

.PHONY: run test check unit postgresql durability e2e messages fake-providers help soak

help:
	@sed -n 's/^## //p' Makefile

## make run    Gymnasia on http://127.0.0.1:8000/ with a demo account (PORT=8001 make run: another port)
run:
	@$(BOOTSTRAP) base gymnasia.port
	@exec $(PY) -m gymnasia.serve

## make test   everything: lint, types, import rules, unit and integration tests, browser tests
test: check unit postgresql durability e2e

## make check  lint, format, types, import rules, migrations; under a minute
check:
	@$(BOOTSTRAP) dev
	$(PY) -m ruff check
	$(PY) -m ruff format --check
	$(PY) -m mypy
	.venv/bin/lint-imports --no-logo
	GYMNASIA_VAR=var/check DEMO= $(PY) manage.py makemigrations --check --dry-run

## make unit   unit and integration tests
unit:
	@$(BOOTSTRAP) dev
	$(PY) -m pytest $(PARALLEL) --ignore tests/durability

## make postgresql   what touches rows once more, on a PostgreSQL of the tests' own
postgresql:
	@$(BOOTSTRAP) dev
	$(PY) -m tests.on_postgresql -q tests/coach/test_*.py tests/measurements

## make durability   kills the server at every point of a turn, on both databases
durability:
	@$(BOOTSTRAP) dev
	$(PY) -m pytest $(PARALLEL) tests/durability
	$(PY) -m tests.durability.soak --minutes 0.1

## make soak   random kills under load for MINUTES (10), on DATABASE (sqlite, postgresql); SEED repeats one
soak:
	@$(BOOTSTRAP) dev
	$(PY) -m tests.durability.soak --minutes $(or $(MINUTES),10) --database $(or $(DATABASE),sqlite) \
	    $(if $(SEED),--seed $(SEED))

## make e2e    browser tests
e2e:
	@$(BOOTSTRAP) dev
	@$(PY) -m e2e.chromium
	$(PY) -m pytest e2e

## make messages   brings the message catalogues up to date with the sources, and compiles them
messages:
	@$(BOOTSTRAP) dev
	$(PY) -m tests.catalogues

## make fake-providers   three vendors that answer without network, to try things by hand
fake-providers:
	@$(BOOTSTRAP) dev
	@exec $(PY) -m tests.fakes
