# One image for every part: what it does is the command. Data is kept in /data.
FROM python:3.13-slim AS packages
COPY requirements/base.txt .
RUN python -m venv /gymnasia/.venv \
    && /gymnasia/.venv/bin/pip install --no-cache-dir --require-hashes -r base.txt

FROM python:3.13-slim
RUN useradd --system --uid 10001 --no-create-home gymnasia && install -d -o gymnasia -g gymnasia /data
COPY --from=packages /gymnasia/.venv /gymnasia/.venv
COPY . /gymnasia
WORKDIR /gymnasia
ENV PATH=/gymnasia/.venv/bin:$PATH GYMNASIA_VAR=/data PYTHONUNBUFFERED=1 PYTHONDONTWRITEBYTECODE=1
USER gymnasia
VOLUME /data
EXPOSE 8000
HEALTHCHECK --start-period=30s CMD ["python", "-m", "gymnasia.healthcheck"]
# Only the proxy reaches this port, so its word on who asks, and by which protocol, is taken.
CMD ["uvicorn", "gymnasia.asgi:application", "--host", "0.0.0.0", "--port", "8000", "--lifespan", "on", \
     "--forwarded-allow-ips", "*", "--log-level", "warning", "--no-server-header", \
     "--timeout-graceful-shutdown", "5", "--ws-max-size", "262144"]
