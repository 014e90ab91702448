"""Whether a provider can be asked: which of key, model, network is at fault when it cannot."""

from dataclasses import dataclass
from enum import StrEnum
from typing import Protocol, runtime_checkable

from coach.providers.base import Connection, ProviderError, Rejected, RejectionReason, Unavailable


@runtime_checkable
class Catalogue(Protocol):
    """A provider that can list its models."""

    async def models(self, connection: Connection) -> tuple[str, ...]:
        """Asks once, without trying again. Raises ProviderError."""
        ...


class Fault(StrEnum):
    KEY = "key"
    QUOTA = "quota"
    MODEL = "model"
    ADDRESS = "address"
    NETWORK = "network"
    PROVIDER = "provider"


@dataclass(frozen=True, slots=True)
class Checked:
    """What a check found; `models` are those that the provider listed."""

    fault: Fault | None
    models: tuple[str, ...] = ()


async def check(catalogue: Catalogue, connection: Connection, model: str) -> Checked:
    """Asks the provider for its models, which costs nothing, and looks for `model` among them."""
    try:
        models = await catalogue.models(connection)
    except ProviderError as error:
        return Checked(_fault_of(error))
    return Checked(None if _is_among(model, models) else Fault.MODEL, models)


def _fault_of(error: ProviderError) -> Fault:
    match error:
        case Rejected(reason=RejectionReason.AUTH):
            return Fault.KEY
        case Rejected(reason=RejectionReason.QUOTA):
            return Fault.QUOTA
        case Rejected(reason=RejectionReason.NOT_FOUND):
            return Fault.ADDRESS
        case Unavailable():
            return Fault.NETWORK
        case _:
            return Fault.PROVIDER


def _is_among(model: str, models: tuple[str, ...]) -> bool:
    # Lists may name a dated or tagged version of what is asked for by its short name.
    return any(listed == model or listed.startswith((f"{model}-", f"{model}:")) for listed in models)
