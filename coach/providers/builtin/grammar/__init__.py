"""What the built-in coach listens for, by language code."""

from collections.abc import Mapping
from types import MappingProxyType

from coach.providers.builtin.grammar import en, es, pt_br
from coach.providers.builtin.grammar.base import Grammar

GRAMMARS: Mapping[str, Grammar] = MappingProxyType(
    {grammar.language: grammar for grammar in (en.GRAMMAR, es.GRAMMAR, pt_br.GRAMMAR)}
)
