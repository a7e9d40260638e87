"""Setplan for Python: ask a planner what a StatefulSet needs next, and why it waits.

`Planner` asks, `setplan.errors` has what a call can fail with, and `setplan.v1` has the messages of the contract.
"""

from setplan._remote import TLSFiles
from setplan.errors import PlannerError, Violation
from setplan.planner import Planner

__all__ = ["Planner", "PlannerError", "TLSFiles", "Violation"]
