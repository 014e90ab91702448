#!/usr/bin/env python
"""Django's command line for Gymnasia."""

import os
import sys

from django.core.exceptions import ImproperlyConfigured
from django.core.management import execute_from_command_line

if __name__ == "__main__":
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "gymnasia.settings")
    try:
        execute_from_command_line(sys.argv)
    except ImproperlyConfigured as error:
        # It names the variable and the fix; a traceback would only hide that.
        sys.exit(str(error))
