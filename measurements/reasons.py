"""Why a line or a file is not imported, in words. The formats name reasons by code and know no language."""

from collections.abc import Mapping
from types import MappingProxyType

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from measurements.formats.problems import Problem, ProblemCode

REASONS: Mapping[ProblemCode, Promise] = MappingProxyType(
    {
        # Of a line.
        ProblemCode.NOT_A_NUMBER: _("“%(detail)s” is not a number."),
        ProblemCode.NOT_A_DATE: _("“%(detail)s” is not a date."),
        ProblemCode.NOT_A_TIME: _("“%(detail)s” is not a time."),
        ProblemCode.NOT_CSV: _("The quotation marks do not match (lines %(detail)s)."),
        ProblemCode.TOO_MANY_CELLS: _("The line has more cells than the header has names."),
        ProblemCode.NOT_AN_ENTRY: _("The entry is not of the shape that this format has."),
        ProblemCode.UNKNOWN_METRIC: _("There is no metric called “%(detail)s”."),
        ProblemCode.UNKNOWN_UNIT: _("There is no unit called “%(detail)s”."),
        ProblemCode.OTHER_VALUE_IN_FILE: _("The file itself has another value for the same moment."),
        ProblemCode.NOTE_UNKEEPABLE: _("The note holds characters that are no text."),
        # Of a file.
        ProblemCode.NO_FORMAT: _(
            "The file is of no format that can be imported. A table (CSV, TSV or xlsx) with a column of "
            "dates always can."
        ),
        ProblemCode.OTHER_FORMAT: _("The file is not of the format %(detail)s. Nothing was imported."),
        ProblemCode.NOT_TEXT: _(
            "The file is damaged: it is not text in any known encoding. Nothing was imported."
        ),
        ProblemCode.HOLDS_NUL: _("The file is not text: it holds zero bytes. Nothing was imported."),
        ProblemCode.LINE_TOO_LONG: _(
            "Line %(detail)s is longer than any line of such a file. Nothing was imported."
        ),
        ProblemCode.NOT_JSON: _(
            "The file is not valid JSON: it may have been cut off. Nothing was imported."
        ),
        ProblemCode.JSON_TOO_LARGE: _("The JSON file is larger than 32 MB. Nothing was imported."),
        ProblemCode.NOT_XML: _(
            "The XML breaks off or is not valid at line %(detail)s. Nothing was imported."
        ),
        ProblemCode.XML_ENTITIES: _(
            "The XML defines entities, which an export never does and an attack may. Nothing was imported."
        ),
        ProblemCode.BAD_ZIP: _("The zip file is damaged. Nothing was imported."),
        ProblemCode.SEVERAL_TABLES: _("The zip holds several tables. Unpack it, and import one at a time."),
        ProblemCode.ZIP_LOCKED: _("The zip file has a password. Unpack it first, and import what was in it."),
        ProblemCode.ZIP_BOMB: _(
            "The zip file unpacks to far more than any export does. Nothing was imported."
        ),
        ProblemCode.TOO_LARGE: _("The file is larger than can be imported. Nothing was imported."),
        ProblemCode.BAD_WORKBOOK: _(
            "The workbook is damaged. Save it again as xlsx or CSV. Nothing was imported."
        ),
        ProblemCode.BAD_DATABASE: _(
            "The database is damaged or is not from Health Connect. Nothing was imported."
        ),
        ProblemCode.NOT_A_BACKUP: _("The backup is damaged: its measurements are not where they should be."),
        ProblemCode.NEWER_BACKUP: _(
            "The backup is of version %(detail)s, newer than this program knows. Update Gymnasia first. "
            "Nothing was imported."
        ),
    }
)


def say(problem: Problem) -> str:
    return str(REASONS[problem.code]) % {"detail": problem.detail or "—"}
