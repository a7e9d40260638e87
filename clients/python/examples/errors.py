"""What to do with an error: python errors.py PLANNER."""

import sys

from setplan import Planner, PlannerError
from setplan.errors import InvalidSnapshot, Overloaded
from setplan.v1 import PlanRequest


def ask(address: str) -> str:
    with Planner.connect(address, insecure=True) as planner:
        try:
            planner.plan(PlanRequest())
        except InvalidSnapshot as error:
            return f"mend the request: {[violation.field for violation in error.violations]}"
        except Overloaded as error:
            return f"ask again in {error.retry_after}"
        except PlannerError as error:
            return f"no plan, so change nothing: {error}"
    return "a plan"


if __name__ == "__main__":
    print(ask(sys.argv[1]))
