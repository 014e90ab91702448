"""The same events come out, wherever the bytes were split."""

from hypothesis import given
from hypothesis import strategies as st

from coach.providers.sse import Decoder

LINE_ENDS = st.sampled_from(["\n", "\r\n", "\r"])
TEXTS = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\r\n"), max_size=12)


def decoded(*chunks: bytes) -> list[str]:
    decoder = Decoder()
    return [data for chunk in chunks for data in decoder.feed(chunk)]


@st.composite
def split(draw: st.DrawFn, wire: bytes) -> list[bytes]:
    places = draw(st.lists(st.integers(0, len(wire)), max_size=12).map(sorted))
    return [wire[start:end] for start, end in zip([0, *places], [*places, len(wire)], strict=True)]


@given(st.data(), st.lists(TEXTS, max_size=5), LINE_ENDS)
def test_splitting_the_bytes_changes_nothing(data: st.DataObject, texts: list[str], end: str) -> None:
    wire = "".join(f"event: x{end}data: {text}{end}{end}" for text in texts).encode()
    assert decoded(*data.draw(split(wire))) == texts


@given(st.data(), st.binary(max_size=60))
def test_any_bytes_at_all_are_decoded_alike_however_they_are_split(data: st.DataObject, wire: bytes) -> None:
    assert decoded(*data.draw(split(wire))) == decoded(wire)


def test_comments_names_and_retry_lines_carry_no_data() -> None:
    assert decoded(b": keep-alive\n\nevent: ping\nretry: 5\nid: 3\n\ndata: 1\n\n") == ["1"]


def test_several_data_lines_are_one_event() -> None:
    assert decoded(b"data: a\ndata:b\ndata\n\n") == ["a\nb\n"]


def test_event_without_its_closing_blank_line_is_not_given() -> None:
    assert decoded(b'data: {"type": "message_stop"}\n') == []


def test_byte_order_mark_is_dropped() -> None:
    assert decoded(b"\xef\xbb\xbfdata: 1\n\n") == ["1"]
