"""The contract: messages and enums of `setplan.v1`. The comments of the `.proto` files define each message and field."""

from setplan.v1.error_pb2 import *  # noqa: F403
from setplan.v1.forecast_pb2 import *  # noqa: F403
from setplan.v1.plan_pb2 import *  # noqa: F403
from setplan.v1.service_pb2 import *  # noqa: F403
from setplan.v1.snapshot_pb2 import *  # noqa: F403
