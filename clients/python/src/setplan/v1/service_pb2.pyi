from google.protobuf import timestamp_pb2 as _timestamp_pb2
from setplan.v1 import forecast_pb2 as _forecast_pb2
from setplan.v1 import plan_pb2 as _plan_pb2
from setplan.v1 import snapshot_pb2 as _snapshot_pb2
from google.protobuf.internal import containers as _containers
from google.protobuf.internal import enum_type_wrapper as _enum_type_wrapper
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from typing import ClassVar as _ClassVar, Iterable as _Iterable, Mapping as _Mapping, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class Capability(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    CAPABILITY_UNSPECIFIED: _ClassVar[Capability]
    CAPABILITY_CREATE_POD: _ClassVar[Capability]
    CAPABILITY_DELETE_POD: _ClassVar[Capability]
    CAPABILITY_PATCH_POD: _ClassVar[Capability]
    CAPABILITY_ADOPT_POD: _ClassVar[Capability]
    CAPABILITY_RELEASE_POD: _ClassVar[Capability]
    CAPABILITY_CREATE_CLAIM: _ClassVar[Capability]
    CAPABILITY_SET_CLAIM_OWNERS: _ClassVar[Capability]
    CAPABILITY_CREATE_REVISION: _ClassVar[Capability]
    CAPABILITY_RENUMBER_REVISION: _ClassVar[Capability]
    CAPABILITY_ADOPT_REVISION: _ClassVar[Capability]
    CAPABILITY_DELETE_REVISION: _ClassVar[Capability]
    CAPABILITY_UPDATE_STATUS: _ClassVar[Capability]
    CAPABILITY_PATCH_ANNOTATIONS: _ClassVar[Capability]
    CAPABILITY_DELETE_CLAIM: _ClassVar[Capability]
    CAPABILITY_SET_FINALIZER: _ClassVar[Capability]
    CAPABILITY_SET_CONDITIONS: _ClassVar[Capability]
    CAPABILITY_PATCH_CLAIM: _ClassVar[Capability]
    CAPABILITY_EVICT_POD: _ClassVar[Capability]
    CAPABILITY_UPDATE_POD: _ClassVar[Capability]
    CAPABILITY_UPDATE_IMAGES: _ClassVar[Capability]
    CAPABILITY_RESIZE_POD: _ClassVar[Capability]
    CAPABILITY_ADD_CLAIM_TEMPLATES: _ClassVar[Capability]
CAPABILITY_UNSPECIFIED: Capability
CAPABILITY_CREATE_POD: Capability
CAPABILITY_DELETE_POD: Capability
CAPABILITY_PATCH_POD: Capability
CAPABILITY_ADOPT_POD: Capability
CAPABILITY_RELEASE_POD: Capability
CAPABILITY_CREATE_CLAIM: Capability
CAPABILITY_SET_CLAIM_OWNERS: Capability
CAPABILITY_CREATE_REVISION: Capability
CAPABILITY_RENUMBER_REVISION: Capability
CAPABILITY_ADOPT_REVISION: Capability
CAPABILITY_DELETE_REVISION: Capability
CAPABILITY_UPDATE_STATUS: Capability
CAPABILITY_PATCH_ANNOTATIONS: Capability
CAPABILITY_DELETE_CLAIM: Capability
CAPABILITY_SET_FINALIZER: Capability
CAPABILITY_SET_CONDITIONS: Capability
CAPABILITY_PATCH_CLAIM: Capability
CAPABILITY_EVICT_POD: Capability
CAPABILITY_UPDATE_POD: Capability
CAPABILITY_UPDATE_IMAGES: Capability
CAPABILITY_RESIZE_POD: Capability
CAPABILITY_ADD_CLAIM_TEMPLATES: Capability

class PlanRequest(_message.Message):
    __slots__ = ("snapshot", "capabilities", "objects")
    SNAPSHOT_FIELD_NUMBER: _ClassVar[int]
    CAPABILITIES_FIELD_NUMBER: _ClassVar[int]
    OBJECTS_FIELD_NUMBER: _ClassVar[int]
    snapshot: _snapshot_pb2.Snapshot
    capabilities: _containers.RepeatedScalarFieldContainer[Capability]
    objects: Objects
    def __init__(self, snapshot: _Optional[_Union[_snapshot_pb2.Snapshot, _Mapping[str, object]]] = ..., capabilities: _Optional[_Iterable[_Union[Capability, str]]] = ..., objects: _Optional[_Union[Objects, _Mapping[str, object]]] = ...) -> None: ...

class Objects(_message.Message):
    __slots__ = ("documents", "namespace", "name", "api_version", "kind", "observed_at", "coverage", "policy", "edited_set")
    DOCUMENTS_FIELD_NUMBER: _ClassVar[int]
    NAMESPACE_FIELD_NUMBER: _ClassVar[int]
    NAME_FIELD_NUMBER: _ClassVar[int]
    API_VERSION_FIELD_NUMBER: _ClassVar[int]
    KIND_FIELD_NUMBER: _ClassVar[int]
    OBSERVED_AT_FIELD_NUMBER: _ClassVar[int]
    COVERAGE_FIELD_NUMBER: _ClassVar[int]
    POLICY_FIELD_NUMBER: _ClassVar[int]
    EDITED_SET_FIELD_NUMBER: _ClassVar[int]
    documents: _containers.RepeatedScalarFieldContainer[bytes]
    namespace: str
    name: str
    api_version: str
    kind: str
    observed_at: _timestamp_pb2.Timestamp
    coverage: _snapshot_pb2.Coverage
    policy: _snapshot_pb2.Policy
    edited_set: bytes
    def __init__(self, documents: _Optional[_Iterable[bytes]] = ..., namespace: _Optional[str] = ..., name: _Optional[str] = ..., api_version: _Optional[str] = ..., kind: _Optional[str] = ..., observed_at: _Optional[_Union[_timestamp_pb2.Timestamp, _Mapping[str, object]]] = ..., coverage: _Optional[_Union[_snapshot_pb2.Coverage, _Mapping[str, object]]] = ..., policy: _Optional[_Union[_snapshot_pb2.Policy, _Mapping[str, object]]] = ..., edited_set: _Optional[bytes] = ...) -> None: ...

class PlanResponse(_message.Message):
    __slots__ = ("plan", "version")
    PLAN_FIELD_NUMBER: _ClassVar[int]
    VERSION_FIELD_NUMBER: _ClassVar[int]
    plan: _plan_pb2.Plan
    version: str
    def __init__(self, plan: _Optional[_Union[_plan_pb2.Plan, _Mapping[str, object]]] = ..., version: _Optional[str] = ...) -> None: ...

class ForecastRequest(_message.Message):
    __slots__ = ("start", "max_steps", "times", "pessimistic")
    START_FIELD_NUMBER: _ClassVar[int]
    MAX_STEPS_FIELD_NUMBER: _ClassVar[int]
    TIMES_FIELD_NUMBER: _ClassVar[int]
    PESSIMISTIC_FIELD_NUMBER: _ClassVar[int]
    start: PlanRequest
    max_steps: int
    times: _forecast_pb2.ForecastTimes
    pessimistic: bool
    def __init__(self, start: _Optional[_Union[PlanRequest, _Mapping[str, object]]] = ..., max_steps: _Optional[int] = ..., times: _Optional[_Union[_forecast_pb2.ForecastTimes, _Mapping[str, object]]] = ..., pessimistic: bool = ...) -> None: ...

class ForecastResponse(_message.Message):
    __slots__ = ("step", "result")
    STEP_FIELD_NUMBER: _ClassVar[int]
    RESULT_FIELD_NUMBER: _ClassVar[int]
    step: _forecast_pb2.ForecastStep
    result: _forecast_pb2.ForecastResult
    def __init__(self, step: _Optional[_Union[_forecast_pb2.ForecastStep, _Mapping[str, object]]] = ..., result: _Optional[_Union[_forecast_pb2.ForecastResult, _Mapping[str, object]]] = ...) -> None: ...

class GetServerInfoRequest(_message.Message):
    __slots__ = ()
    def __init__(self) -> None: ...

class GetServerInfoResponse(_message.Message):
    __slots__ = ("version", "behaviors", "capabilities", "max_message_bytes", "max_pods", "annotations")
    VERSION_FIELD_NUMBER: _ClassVar[int]
    BEHAVIORS_FIELD_NUMBER: _ClassVar[int]
    CAPABILITIES_FIELD_NUMBER: _ClassVar[int]
    MAX_MESSAGE_BYTES_FIELD_NUMBER: _ClassVar[int]
    MAX_PODS_FIELD_NUMBER: _ClassVar[int]
    ANNOTATIONS_FIELD_NUMBER: _ClassVar[int]
    version: str
    behaviors: _containers.RepeatedScalarFieldContainer[_snapshot_pb2.Behavior]
    capabilities: _containers.RepeatedScalarFieldContainer[Capability]
    max_message_bytes: int
    max_pods: int
    annotations: _containers.RepeatedScalarFieldContainer[str]
    def __init__(self, version: _Optional[str] = ..., behaviors: _Optional[_Iterable[_Union[_snapshot_pb2.Behavior, str]]] = ..., capabilities: _Optional[_Iterable[_Union[Capability, str]]] = ..., max_message_bytes: _Optional[int] = ..., max_pods: _Optional[int] = ..., annotations: _Optional[_Iterable[str]] = ...) -> None: ...
