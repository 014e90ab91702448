"""`python -m gymnasia.healthcheck`: asks the server beside it how it is; the exit status is the answer."""

import os
import sys
import urllib.error
import urllib.request


def main() -> None:
    # Asked as one of the hosts that it answers to: any other name is refused.
    host = os.environ.get("ALLOWED_HOSTS", "localhost").split(",")[0].strip()
    address = f"http://127.0.0.1:{os.environ.get('PORT', '8000')}/healthz"
    try:
        urllib.request.urlopen(urllib.request.Request(address, headers={"Host": host}), timeout=5)
    except urllib.error.URLError as error:
        sys.exit(str(error))


if __name__ == "__main__":
    main()
