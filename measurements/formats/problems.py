"""Why a line, or a whole file, cannot be taken, as data. The words are made elsewhere. Pure."""

from enum import StrEnum


class ProblemCode(StrEnum):
    # Of a line.
    NOT_A_NUMBER = "not_a_number"
    NOT_A_DATE = "not_a_date"
    NOT_A_TIME = "not_a_time"
    NOT_CSV = "not_csv"
    TOO_MANY_CELLS = "too_many_cells"
    NOT_AN_ENTRY = "not_an_entry"
    UNKNOWN_METRIC = "unknown_metric"
    UNKNOWN_UNIT = "unknown_unit"
    OTHER_VALUE_IN_FILE = "other_value_in_file"
    NOTE_UNKEEPABLE = "note_unkeepable"
    # Of a file.
    NO_FORMAT = "no_format"
    OTHER_FORMAT = "other_format"
    NOT_TEXT = "not_text"
    HOLDS_NUL = "holds_nul"
    LINE_TOO_LONG = "line_too_long"
    NOT_JSON = "not_json"
    JSON_TOO_LARGE = "json_too_large"
    NOT_XML = "not_xml"
    XML_ENTITIES = "xml_entities"
    BAD_ZIP = "bad_zip"
    SEVERAL_TABLES = "several_tables"
    ZIP_LOCKED = "zip_locked"
    ZIP_BOMB = "zip_bomb"
    TOO_LARGE = "too_large"
    BAD_WORKBOOK = "bad_workbook"
    BAD_DATABASE = "bad_database"
    NOT_A_BACKUP = "not_a_backup"
    NEWER_BACKUP = "newer_backup"


class Problem(Exception):
    """`detail` is what of the file to quote, cut to what fits a sentence."""

    def __init__(self, code: ProblemCode, detail: str = "") -> None:
        super().__init__(code)
        self.code = code
        self.detail = detail[:60]
