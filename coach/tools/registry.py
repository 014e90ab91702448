"""Every tool that the Coach has, in the order in which models see them."""

from coach.providers.base import ToolSpec
from coach.tools import measurements
from coach.tools.base import AnyTool

_TOOLS: tuple[AnyTool, ...] = (
    measurements.READ,
    measurements.LIST,
    measurements.SUMMARIZE,
    measurements.WRITE,
    measurements.DELETE,
)

TOOLS: dict[str, AnyTool] = {tool.name: tool for tool in _TOOLS}


def specs() -> tuple[ToolSpec, ...]:
    return tuple(tool.spec() for tool in _TOOLS)
