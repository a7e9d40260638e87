from google.protobuf import duration_pb2 as _duration_pb2
from google.protobuf import timestamp_pb2 as _timestamp_pb2
from setplan.v1 import plan_pb2 as _plan_pb2
from google.protobuf.internal import containers as _containers
from google.protobuf.internal import enum_type_wrapper as _enum_type_wrapper
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from typing import ClassVar as _ClassVar, Iterable as _Iterable, Mapping as _Mapping, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class ForecastEventKind(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    FORECAST_EVENT_KIND_UNSPECIFIED: _ClassVar[ForecastEventKind]
    FORECAST_EVENT_KIND_STARTED: _ClassVar[ForecastEventKind]
    FORECAST_EVENT_KIND_READY: _ClassVar[ForecastEventKind]
    FORECAST_EVENT_KIND_AVAILABLE: _ClassVar[ForecastEventKind]
    FORECAST_EVENT_KIND_GONE: _ClassVar[ForecastEventKind]
    FORECAST_EVENT_KIND_BOUND: _ClassVar[ForecastEventKind]
    FORECAST_EVENT_KIND_DRAINED: _ClassVar[ForecastEventKind]
    FORECAST_EVENT_KIND_ANSWERED: _ClassVar[ForecastEventKind]
    FORECAST_EVENT_KIND_COLLECTED: _ClassVar[ForecastEventKind]
    FORECAST_EVENT_KIND_DISOWNED: _ClassVar[ForecastEventKind]

class ForecastVerdict(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    FORECAST_VERDICT_UNSPECIFIED: _ClassVar[ForecastVerdict]
    FORECAST_VERDICT_CONVERGED: _ClassVar[ForecastVerdict]
    FORECAST_VERDICT_BLOCKED_FOR_EVER: _ClassVar[ForecastVerdict]
    FORECAST_VERDICT_UNDECIDED: _ClassVar[ForecastVerdict]
FORECAST_EVENT_KIND_UNSPECIFIED: ForecastEventKind
FORECAST_EVENT_KIND_STARTED: ForecastEventKind
FORECAST_EVENT_KIND_READY: ForecastEventKind
FORECAST_EVENT_KIND_AVAILABLE: ForecastEventKind
FORECAST_EVENT_KIND_GONE: ForecastEventKind
FORECAST_EVENT_KIND_BOUND: ForecastEventKind
FORECAST_EVENT_KIND_DRAINED: ForecastEventKind
FORECAST_EVENT_KIND_ANSWERED: ForecastEventKind
FORECAST_EVENT_KIND_COLLECTED: ForecastEventKind
FORECAST_EVENT_KIND_DISOWNED: ForecastEventKind
FORECAST_VERDICT_UNSPECIFIED: ForecastVerdict
FORECAST_VERDICT_CONVERGED: ForecastVerdict
FORECAST_VERDICT_BLOCKED_FOR_EVER: ForecastVerdict
FORECAST_VERDICT_UNDECIDED: ForecastVerdict

class ForecastTimes(_message.Message):
    __slots__ = ("ready_after", "gone_after", "drained_after", "answered_after")
    READY_AFTER_FIELD_NUMBER: _ClassVar[int]
    GONE_AFTER_FIELD_NUMBER: _ClassVar[int]
    DRAINED_AFTER_FIELD_NUMBER: _ClassVar[int]
    ANSWERED_AFTER_FIELD_NUMBER: _ClassVar[int]
    ready_after: _duration_pb2.Duration
    gone_after: _duration_pb2.Duration
    drained_after: _duration_pb2.Duration
    answered_after: _duration_pb2.Duration
    def __init__(self, ready_after: _Optional[_Union[_duration_pb2.Duration, _Mapping[str, object]]] = ..., gone_after: _Optional[_Union[_duration_pb2.Duration, _Mapping[str, object]]] = ..., drained_after: _Optional[_Union[_duration_pb2.Duration, _Mapping[str, object]]] = ..., answered_after: _Optional[_Union[_duration_pb2.Duration, _Mapping[str, object]]] = ...) -> None: ...

class ForecastStep(_message.Message):
    __slots__ = ("number", "at", "events", "actions", "unavailable")
    NUMBER_FIELD_NUMBER: _ClassVar[int]
    AT_FIELD_NUMBER: _ClassVar[int]
    EVENTS_FIELD_NUMBER: _ClassVar[int]
    ACTIONS_FIELD_NUMBER: _ClassVar[int]
    UNAVAILABLE_FIELD_NUMBER: _ClassVar[int]
    number: int
    at: _timestamp_pb2.Timestamp
    events: _containers.RepeatedCompositeFieldContainer[ForecastEvent]
    actions: _containers.RepeatedCompositeFieldContainer[ForecastAction]
    unavailable: int
    def __init__(self, number: _Optional[int] = ..., at: _Optional[_Union[_timestamp_pb2.Timestamp, _Mapping[str, object]]] = ..., events: _Optional[_Iterable[_Union[ForecastEvent, _Mapping[str, object]]]] = ..., actions: _Optional[_Iterable[_Union[ForecastAction, _Mapping[str, object]]]] = ..., unavailable: _Optional[int] = ...) -> None: ...

class ForecastAction(_message.Message):
    __slots__ = ("operation", "target", "cause")
    OPERATION_FIELD_NUMBER: _ClassVar[int]
    TARGET_FIELD_NUMBER: _ClassVar[int]
    CAUSE_FIELD_NUMBER: _ClassVar[int]
    operation: str
    target: _plan_pb2.Target
    cause: _plan_pb2.Cause
    def __init__(self, operation: _Optional[str] = ..., target: _Optional[_Union[_plan_pb2.Target, _Mapping[str, object]]] = ..., cause: _Optional[_Union[_plan_pb2.Cause, _Mapping[str, object]]] = ...) -> None: ...

class ForecastEvent(_message.Message):
    __slots__ = ("at", "kind", "subject")
    AT_FIELD_NUMBER: _ClassVar[int]
    KIND_FIELD_NUMBER: _ClassVar[int]
    SUBJECT_FIELD_NUMBER: _ClassVar[int]
    at: _timestamp_pb2.Timestamp
    kind: ForecastEventKind
    subject: _plan_pb2.Target
    def __init__(self, at: _Optional[_Union[_timestamp_pb2.Timestamp, _Mapping[str, object]]] = ..., kind: _Optional[_Union[ForecastEventKind, str]] = ..., subject: _Optional[_Union[_plan_pb2.Target, _Mapping[str, object]]] = ...) -> None: ...

class ForecastResult(_message.Message):
    __slots__ = ("verdict", "steps", "begins_at", "ends_at", "blocks", "events", "restarts", "added", "removed", "drain_pods", "peak_unavailable", "peak_at", "unavailable_at_first", "missing_at_first", "claims_made", "claims_deleted", "claims_changed", "updated", "container_restarts", "irreversible", "set_gone", "times", "assumptions", "worst_case", "limit")
    VERDICT_FIELD_NUMBER: _ClassVar[int]
    STEPS_FIELD_NUMBER: _ClassVar[int]
    BEGINS_AT_FIELD_NUMBER: _ClassVar[int]
    ENDS_AT_FIELD_NUMBER: _ClassVar[int]
    BLOCKS_FIELD_NUMBER: _ClassVar[int]
    EVENTS_FIELD_NUMBER: _ClassVar[int]
    RESTARTS_FIELD_NUMBER: _ClassVar[int]
    ADDED_FIELD_NUMBER: _ClassVar[int]
    REMOVED_FIELD_NUMBER: _ClassVar[int]
    DRAIN_PODS_FIELD_NUMBER: _ClassVar[int]
    PEAK_UNAVAILABLE_FIELD_NUMBER: _ClassVar[int]
    PEAK_AT_FIELD_NUMBER: _ClassVar[int]
    UNAVAILABLE_AT_FIRST_FIELD_NUMBER: _ClassVar[int]
    MISSING_AT_FIRST_FIELD_NUMBER: _ClassVar[int]
    CLAIMS_MADE_FIELD_NUMBER: _ClassVar[int]
    CLAIMS_DELETED_FIELD_NUMBER: _ClassVar[int]
    CLAIMS_CHANGED_FIELD_NUMBER: _ClassVar[int]
    UPDATED_FIELD_NUMBER: _ClassVar[int]
    CONTAINER_RESTARTS_FIELD_NUMBER: _ClassVar[int]
    IRREVERSIBLE_FIELD_NUMBER: _ClassVar[int]
    SET_GONE_FIELD_NUMBER: _ClassVar[int]
    TIMES_FIELD_NUMBER: _ClassVar[int]
    ASSUMPTIONS_FIELD_NUMBER: _ClassVar[int]
    WORST_CASE_FIELD_NUMBER: _ClassVar[int]
    LIMIT_FIELD_NUMBER: _ClassVar[int]
    verdict: ForecastVerdict
    steps: int
    begins_at: _timestamp_pb2.Timestamp
    ends_at: _timestamp_pb2.Timestamp
    blocks: _containers.RepeatedCompositeFieldContainer[_plan_pb2.Block]
    events: _containers.RepeatedCompositeFieldContainer[ForecastEvent]
    restarts: _containers.RepeatedCompositeFieldContainer[ForecastRestart]
    added: _containers.RepeatedCompositeFieldContainer[ForecastChange]
    removed: _containers.RepeatedCompositeFieldContainer[ForecastChange]
    drain_pods: _containers.RepeatedCompositeFieldContainer[ForecastChange]
    peak_unavailable: int
    peak_at: _timestamp_pb2.Timestamp
    unavailable_at_first: int
    missing_at_first: int
    claims_made: _containers.RepeatedCompositeFieldContainer[ForecastChange]
    claims_deleted: _containers.RepeatedCompositeFieldContainer[ForecastChange]
    claims_changed: _containers.RepeatedCompositeFieldContainer[ForecastChange]
    updated: _containers.RepeatedCompositeFieldContainer[ForecastChange]
    container_restarts: _containers.RepeatedCompositeFieldContainer[ForecastChange]
    irreversible: _containers.RepeatedCompositeFieldContainer[ForecastLoss]
    set_gone: bool
    times: ForecastTimes
    assumptions: _containers.RepeatedScalarFieldContainer[str]
    worst_case: ForecastWorstCase
    limit: str
    def __init__(self, verdict: _Optional[_Union[ForecastVerdict, str]] = ..., steps: _Optional[int] = ..., begins_at: _Optional[_Union[_timestamp_pb2.Timestamp, _Mapping[str, object]]] = ..., ends_at: _Optional[_Union[_timestamp_pb2.Timestamp, _Mapping[str, object]]] = ..., blocks: _Optional[_Iterable[_Union[_plan_pb2.Block, _Mapping[str, object]]]] = ..., events: _Optional[_Iterable[_Union[ForecastEvent, _Mapping[str, object]]]] = ..., restarts: _Optional[_Iterable[_Union[ForecastRestart, _Mapping[str, object]]]] = ..., added: _Optional[_Iterable[_Union[ForecastChange, _Mapping[str, object]]]] = ..., removed: _Optional[_Iterable[_Union[ForecastChange, _Mapping[str, object]]]] = ..., drain_pods: _Optional[_Iterable[_Union[ForecastChange, _Mapping[str, object]]]] = ..., peak_unavailable: _Optional[int] = ..., peak_at: _Optional[_Union[_timestamp_pb2.Timestamp, _Mapping[str, object]]] = ..., unavailable_at_first: _Optional[int] = ..., missing_at_first: _Optional[int] = ..., claims_made: _Optional[_Iterable[_Union[ForecastChange, _Mapping[str, object]]]] = ..., claims_deleted: _Optional[_Iterable[_Union[ForecastChange, _Mapping[str, object]]]] = ..., claims_changed: _Optional[_Iterable[_Union[ForecastChange, _Mapping[str, object]]]] = ..., updated: _Optional[_Iterable[_Union[ForecastChange, _Mapping[str, object]]]] = ..., container_restarts: _Optional[_Iterable[_Union[ForecastChange, _Mapping[str, object]]]] = ..., irreversible: _Optional[_Iterable[_Union[ForecastLoss, _Mapping[str, object]]]] = ..., set_gone: bool = ..., times: _Optional[_Union[ForecastTimes, _Mapping[str, object]]] = ..., assumptions: _Optional[_Iterable[str]] = ..., worst_case: _Optional[_Union[ForecastWorstCase, _Mapping[str, object]]] = ..., limit: _Optional[str] = ...) -> None: ...

class ForecastWorstCase(_message.Message):
    __slots__ = ("peak_unavailable", "complete")
    PEAK_UNAVAILABLE_FIELD_NUMBER: _ClassVar[int]
    COMPLETE_FIELD_NUMBER: _ClassVar[int]
    peak_unavailable: int
    complete: bool
    def __init__(self, peak_unavailable: _Optional[int] = ..., complete: bool = ...) -> None: ...

class ForecastRestart(_message.Message):
    __slots__ = ("pod", "from_revision", "to_revision", "cause", "deleted_at", "made_at")
    POD_FIELD_NUMBER: _ClassVar[int]
    FROM_REVISION_FIELD_NUMBER: _ClassVar[int]
    TO_REVISION_FIELD_NUMBER: _ClassVar[int]
    CAUSE_FIELD_NUMBER: _ClassVar[int]
    DELETED_AT_FIELD_NUMBER: _ClassVar[int]
    MADE_AT_FIELD_NUMBER: _ClassVar[int]
    pod: str
    from_revision: str
    to_revision: str
    cause: _plan_pb2.Cause
    deleted_at: _timestamp_pb2.Timestamp
    made_at: _timestamp_pb2.Timestamp
    def __init__(self, pod: _Optional[str] = ..., from_revision: _Optional[str] = ..., to_revision: _Optional[str] = ..., cause: _Optional[_Union[_plan_pb2.Cause, _Mapping[str, object]]] = ..., deleted_at: _Optional[_Union[_timestamp_pb2.Timestamp, _Mapping[str, object]]] = ..., made_at: _Optional[_Union[_timestamp_pb2.Timestamp, _Mapping[str, object]]] = ...) -> None: ...

class ForecastChange(_message.Message):
    __slots__ = ("name", "revision", "cause", "at")
    NAME_FIELD_NUMBER: _ClassVar[int]
    REVISION_FIELD_NUMBER: _ClassVar[int]
    CAUSE_FIELD_NUMBER: _ClassVar[int]
    AT_FIELD_NUMBER: _ClassVar[int]
    name: str
    revision: str
    cause: _plan_pb2.Cause
    at: _timestamp_pb2.Timestamp
    def __init__(self, name: _Optional[str] = ..., revision: _Optional[str] = ..., cause: _Optional[_Union[_plan_pb2.Cause, _Mapping[str, object]]] = ..., at: _Optional[_Union[_timestamp_pb2.Timestamp, _Mapping[str, object]]] = ...) -> None: ...

class ForecastLoss(_message.Message):
    __slots__ = ("subject", "message", "at")
    SUBJECT_FIELD_NUMBER: _ClassVar[int]
    MESSAGE_FIELD_NUMBER: _ClassVar[int]
    AT_FIELD_NUMBER: _ClassVar[int]
    subject: _plan_pb2.Target
    message: str
    at: _timestamp_pb2.Timestamp
    def __init__(self, subject: _Optional[_Union[_plan_pb2.Target, _Mapping[str, object]]] = ..., message: _Optional[str] = ..., at: _Optional[_Union[_timestamp_pb2.Timestamp, _Mapping[str, object]]] = ...) -> None: ...
