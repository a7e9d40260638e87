"""Setplan for Python: ask a planner what a StatefulSet needs next, and why it waits.

`Planner` asks, and `plan_request` makes a request from what the API server says. `setplan.errors` has what a call can fail with,
and `setplan.v1` the messages of the contract.
"""

from setplan._remote import TLSFiles
from setplan.errors import PlannerError, Violation
from setplan.planner import Planner
from setplan.request import plan_request

__all__ = ["Planner", "PlannerError", "TLSFiles", "Violation", "plan_request"]
