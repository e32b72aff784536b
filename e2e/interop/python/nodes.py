"""The instruments of the interop lab: `nodes.py KIND`, on `NODE_URL` and under `NODE_NAME`.

The return annotation of an action is the type of its result on success; a failed or cancelled action returns
that outcome instead.
"""

import sys
import tempfile
import time
from pathlib import Path
from typing import Annotated, Any, Optional

from madsci.common.types.action_types import ActionCancelled, ActionFailed, ActionFiles
from madsci.common.types.admin_command_types import AdminCommandResponse
from madsci.common.types.base_types import Error
from madsci.common.types.location_types import LocationArgument
from madsci.common.types.node_types import RestNodeConfig
from madsci.node_module.helpers import action
from madsci.node_module.rest_node_module import RestNode
from parent import end_with_parent


def own_locations() -> list[Any]:
    """Returns a location that the node defines itself; nodes of 0.7 define none."""
    try:
        from madsci.common.types.node_types import NodeIntrinsicLocationDefinition
    except ImportError:
        return []
    return [
        NodeIntrinsicLocationDefinition(
            location_name="nest", representation_template_name="careful_nest", representation_overrides={"slot": 1}
        )
    ]


class QuickConfig(RestNodeConfig):
    """The settings that can be changed at run time."""

    delay: float = 1.0


class QuickNode(RestNode):
    """Ends every action at once, and accepts all simple kinds of argument."""

    config: QuickConfig = QuickConfig()
    config_model = QuickConfig

    def startup_handler(self) -> None:
        """Reset the number of calls."""
        self.calls = 0

    def state_handler(self) -> None:
        """Report the number of calls."""
        self.node_state = {"calls": self.calls}

    @action
    def every_argument(
        self,
        whole: Annotated[int, "A whole number"],
        real: float = 1.5,
        text: str = "words",
        yes: bool = True,
        names: Optional[list[str]] = None,
        options: Optional[dict[str, int]] = None,
        maybe: Optional[int] = None,
    ) -> dict:
        """Return one argument of each type."""
        self.calls += 1
        return {
            "whole": whole,
            "real": real,
            "text": text,
            "yes": yes,
            "names": names,
            "options": options,
            "maybe": maybe,
        }


class SlowNode(RestNode):
    """Executes long actions; can be paused, cancelled and stopped."""

    config: RestNodeConfig = RestNodeConfig()
    config_model = RestNodeConfig

    def startup_handler(self) -> None:
        """Clear an earlier stop request."""
        self.stop = False

    @action
    def slow(self, seconds: Optional[float] = None) -> None:
        """Wait for some seconds; can be paused and cancelled."""
        self.stop = False
        left = 1.0 if seconds is None else seconds
        while left > 0:
            if self.stop:
                self.stop = False
                return ActionCancelled()
            time.sleep(0.05)
            if not self.node_status.paused:
                left -= 0.05
        return None

    def cancel(self) -> AdminCommandResponse:
        """Stop the running action."""
        self.stop = True
        return AdminCommandResponse()

    def pause(self) -> AdminCommandResponse:
        """Pause the running action."""
        self.node_status.paused = True
        return AdminCommandResponse()

    def resume(self) -> AdminCommandResponse:
        """Resume the paused action."""
        self.node_status.paused = False
        return AdminCommandResponse()

    def safety_stop(self) -> AdminCommandResponse:
        """Stop the running action, and start none until the node is reset."""
        self.stop = True
        self.node_status.stopped = True
        return AdminCommandResponse()

    def get_location(self) -> AdminCommandResponse:
        """Return the current position."""
        return AdminCommandResponse(data={"rail": 7})


class SteadyNode(RestNode):
    """A slow node without a safety stop, like MADSci's example nodes."""

    config: RestNodeConfig = RestNodeConfig()
    config_model = RestNodeConfig

    # Not inherited: MADSci finds a node's actions in its own class alone.
    startup_handler = SlowNode.startup_handler
    slow = SlowNode.slow
    cancel = SlowNode.cancel
    pause = SlowNode.pause
    resume = SlowNode.resume


class TwoFiles(ActionFiles):
    """Two result files with separate names."""

    first: Path
    second: Path


class CarefulNode(RestNode):
    """Works with files and locations, and defines a location."""

    config: RestNodeConfig = RestNodeConfig()
    config_model = RestNodeConfig
    intrinsic_locations = own_locations()

    @action
    def count_bytes(self, document: Annotated[Path, "Any file"], unit: str = "bytes") -> dict:
        """Count the bytes of a file."""
        return {"count": document.stat().st_size, "unit": unit}

    @action
    def use_location(self, target: Annotated[LocationArgument, "Any location"]) -> dict:
        """Return this node's representation of a location."""
        return {"representation": target.representation}

    @action
    def transfer(
        self,
        source: Annotated[LocationArgument, "Where to take it"],
        target: Annotated[LocationArgument, "Where to put it"],
    ) -> None:
        """Move a resource from one location to another."""

    @action
    def make_files(self, text: str = "hello") -> TwoFiles:
        """Return two files."""
        folder = Path(tempfile.mkdtemp())
        first, second = folder / "first.txt", folder / "second.txt"
        first.write_text(text)
        second.write_text(f"{text}\n{text}")
        return TwoFiles(first=first, second=second)


class FaultyNode(RestNode):
    """Fails by a reported failure and by an exception."""

    config: RestNodeConfig = RestNodeConfig()
    config_model = RestNodeConfig

    @action
    def fail(self) -> None:
        """Report a failure; the node stays ready."""
        return ActionFailed(errors=[Error(message="out of tips", error_type="TipError")])

    @action
    def crash(self) -> None:
        """Raise an exception: the node is in an error state until it is reset."""
        raise ValueError("motor stalled")


class RefusingNode(RestNode):
    """Refuses to be locked, like a node whose door is open."""

    config: RestNodeConfig = RestNodeConfig()
    config_model = RestNodeConfig

    def lock(self) -> AdminCommandResponse:
        """Refuse the command."""
        return AdminCommandResponse(success=False, errors=[Error(message="the door is open")])


class SluggishNode(RestNode):
    """Takes seconds to be locked."""

    config: RestNodeConfig = RestNodeConfig()
    config_model = RestNodeConfig

    def lock(self) -> AdminCommandResponse:
        """Lock after 3 seconds."""
        time.sleep(3)
        self.node_status.locked = True
        return AdminCommandResponse()


NODES: dict[str, type[RestNode]] = {
    "quick": QuickNode,
    "slow": SlowNode,
    "steady": SteadyNode,
    "careful": CarefulNode,
    "faulty": FaultyNode,
    "refusing": RefusingNode,
    "sluggish": SluggishNode,
}

if __name__ == "__main__":
    end_with_parent()
    NODES[sys.argv.pop(1)]().start_node()  # Before any settings class reads the arguments.
