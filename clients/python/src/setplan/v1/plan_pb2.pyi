from google.protobuf import duration_pb2 as _duration_pb2
from google.protobuf import timestamp_pb2 as _timestamp_pb2
from setplan.v1 import snapshot_pb2 as _snapshot_pb2
from google.protobuf.internal import containers as _containers
from google.protobuf.internal import enum_type_wrapper as _enum_type_wrapper
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from typing import ClassVar as _ClassVar, Iterable as _Iterable, Mapping as _Mapping, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class StagePhase(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    STAGE_PHASE_UNSPECIFIED: _ClassVar[StagePhase]
    STAGE_PHASE_OWNERSHIP: _ClassVar[StagePhase]
    STAGE_PHASE_REVISION: _ClassVar[StagePhase]
    STAGE_PHASE_REPLICAS: _ClassVar[StagePhase]
    STAGE_PHASE_CONDEMNED_CLAIMS: _ClassVar[StagePhase]
    STAGE_PHASE_SCALE_DOWN: _ClassVar[StagePhase]
    STAGE_PHASE_DRAIN: _ClassVar[StagePhase]
    STAGE_PHASE_UPDATE: _ClassVar[StagePhase]
    STAGE_PHASE_STATUS: _ClassVar[StagePhase]
    STAGE_PHASE_HISTORY: _ClassVar[StagePhase]
    STAGE_PHASE_CLAIMS: _ClassVar[StagePhase]

class OnFailure(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    ON_FAILURE_UNSPECIFIED: _ClassVar[OnFailure]
    ON_FAILURE_ABORT: _ClassVar[OnFailure]
    ON_FAILURE_STOP: _ClassVar[OnFailure]
    ON_FAILURE_SKIP_PHASE: _ClassVar[OnFailure]

class CauseCode(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    CAUSE_CODE_UNSPECIFIED: _ClassVar[CauseCode]
    CAUSE_CODE_ORDINAL_MISSING: _ClassVar[CauseCode]
    CAUSE_CODE_POD_FAILED: _ClassVar[CauseCode]
    CAUSE_CODE_POD_SUCCEEDED: _ClassVar[CauseCode]
    CAUSE_CODE_SCALED_DOWN: _ClassVar[CauseCode]
    CAUSE_CODE_OUTDATED: _ClassVar[CauseCode]
    CAUSE_CODE_CLAIM_MISSING: _ClassVar[CauseCode]
    CAUSE_CODE_CLAIM_MISSING_FOR_PENDING_POD: _ClassVar[CauseCode]
    CAUSE_CODE_RETENTION: _ClassVar[CauseCode]
    CAUSE_CODE_RETENTION_FOREIGN_CONTROLLER: _ClassVar[CauseCode]
    CAUSE_CODE_IDENTITY: _ClassVar[CauseCode]
    CAUSE_CODE_STORAGE: _ClassVar[CauseCode]
    CAUSE_CODE_ORPHAN_MATCHES: _ClassVar[CauseCode]
    CAUSE_CODE_MATCHES_NO_LONGER: _ClassVar[CauseCode]
    CAUSE_CODE_NEW_TEMPLATE: _ClassVar[CauseCode]
    CAUSE_CODE_ROLLBACK: _ClassVar[CauseCode]
    CAUSE_CODE_HISTORY_LIMIT: _ClassVar[CauseCode]
    CAUSE_CODE_STATUS_CHANGED: _ClassVar[CauseCode]
    CAUSE_CODE_DRAIN_MARK: _ClassVar[CauseCode]
    CAUSE_CODE_DRAIN: _ClassVar[CauseCode]
    CAUSE_CODE_DRAINED: _ClassVar[CauseCode]
    CAUSE_CODE_DRAIN_FAILED: _ClassVar[CauseCode]
    CAUSE_CODE_DRAIN_CANCELLED: _ClassVar[CauseCode]
    CAUSE_CODE_DRAIN_ASK: _ClassVar[CauseCode]
    CAUSE_CODE_DRAIN_FINALIZER: _ClassVar[CauseCode]
    CAUSE_CODE_REPAIR: _ClassVar[CauseCode]
    CAUSE_CODE_CHOSEN: _ClassVar[CauseCode]
    CAUSE_CODE_CLAIM_TEMPLATE: _ClassVar[CauseCode]
    CAUSE_CODE_FILE_SYSTEM_RESIZE: _ClassVar[CauseCode]

class Severity(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    SEVERITY_UNSPECIFIED: _ClassVar[Severity]
    SEVERITY_INFO: _ClassVar[Severity]
    SEVERITY_WAIT: _ClassVar[Severity]
    SEVERITY_ATTENTION: _ClassVar[Severity]

class BlockCode(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    BLOCK_CODE_UNSPECIFIED: _ClassVar[BlockCode]
    BLOCK_CODE_COVERAGE_INCOMPLETE: _ClassVar[BlockCode]
    BLOCK_CODE_SET_DELETING: _ClassVar[BlockCode]
    BLOCK_CODE_INVALID_SELECTOR: _ClassVar[BlockCode]
    BLOCK_CODE_INVALID_TEMPLATE: _ClassVar[BlockCode]
    BLOCK_CODE_INVALID_SPEC: _ClassVar[BlockCode]
    BLOCK_CODE_INVALID_REVISION: _ClassVar[BlockCode]
    BLOCK_CODE_CAPABILITY_MISSING: _ClassVar[BlockCode]
    BLOCK_CODE_POD_NOT_READY: _ClassVar[BlockCode]
    BLOCK_CODE_POD_NOT_AVAILABLE: _ClassVar[BlockCode]
    BLOCK_CODE_POD_TERMINATING: _ClassVar[BlockCode]
    BLOCK_CODE_POD_ENDED: _ClassVar[BlockCode]
    BLOCK_CODE_POD_NAME_TAKEN: _ClassVar[BlockCode]
    BLOCK_CODE_CLAIM_TERMINATING: _ClassVar[BlockCode]
    BLOCK_CODE_CLAIM_STALE: _ClassVar[BlockCode]
    BLOCK_CODE_CLAIM_FOREIGN_CONTROLLER: _ClassVar[BlockCode]
    BLOCK_CODE_CLAIM_LOST: _ClassVar[BlockCode]
    BLOCK_CODE_UPDATE_BUDGET: _ClassVar[BlockCode]
    BLOCK_CODE_UPDATE_WAITS_FOR_POD: _ClassVar[BlockCode]
    BLOCK_CODE_PARTITION_HELD: _ClassVar[BlockCode]
    BLOCK_CODE_ON_DELETE: _ClassVar[BlockCode]
    BLOCK_CODE_SCALE_DOWN_WAITS_FOR_POD: _ClassVar[BlockCode]
    BLOCK_CODE_ACTION_FAILED_BEFORE: _ClassVar[BlockCode]
    BLOCK_CODE_IDENTITY_MISMATCH: _ClassVar[BlockCode]
    BLOCK_CODE_INVALID_POLICY: _ClassVar[BlockCode]
    BLOCK_CODE_DRAINING: _ClassVar[BlockCode]
    BLOCK_CODE_DRAIN_FAILED: _ClassVar[BlockCode]
    BLOCK_CODE_DRAIN_WAITS: _ClassVar[BlockCode]
    BLOCK_CODE_DRAIN_CLAIM_MISSING: _ClassVar[BlockCode]
    BLOCK_CODE_DRAIN_LEFTOVER: _ClassVar[BlockCode]
    BLOCK_CODE_DRAIN_ASKED: _ClassVar[BlockCode]
    BLOCK_CODE_REPAIR_WAITS: _ClassVar[BlockCode]
    BLOCK_CODE_DRAIN_UNPROTECTED: _ClassVar[BlockCode]
    BLOCK_CODE_PAUSED: _ClassVar[BlockCode]
    BLOCK_CODE_SCALE_IN_GUARDED: _ClassVar[BlockCode]
    BLOCK_CODE_LEADER_UNCLEAR: _ClassVar[BlockCode]
    BLOCK_CODE_LEADER_WAITS: _ClassVar[BlockCode]
    BLOCK_CODE_SCALE_UP_LIMITED: _ClassVar[BlockCode]
    BLOCK_CODE_RECREATE_WAITS: _ClassVar[BlockCode]
    BLOCK_CODE_CLAIM_CHANGES: _ClassVar[BlockCode]
    BLOCK_CODE_CLAIM_CHANGE_WAITS: _ClassVar[BlockCode]
    BLOCK_CODE_CLAIM_CHANGE_FAILED: _ClassVar[BlockCode]
    BLOCK_CODE_CLAIM_SHRINKS: _ClassVar[BlockCode]
    BLOCK_CODE_FILE_SYSTEM_RESIZE: _ClassVar[BlockCode]
    BLOCK_CODE_UPDATE_GATED: _ClassVar[BlockCode]
    BLOCK_CODE_DISRUPTION_BUDGET: _ClassVar[BlockCode]
    BLOCK_CODE_UPDATE_NOT_IN_PLACE: _ClassVar[BlockCode]
    BLOCK_CODE_RESIZE_DEFERRED: _ClassVar[BlockCode]
    BLOCK_CODE_RESIZE_INFEASIBLE: _ClassVar[BlockCode]
STAGE_PHASE_UNSPECIFIED: StagePhase
STAGE_PHASE_OWNERSHIP: StagePhase
STAGE_PHASE_REVISION: StagePhase
STAGE_PHASE_REPLICAS: StagePhase
STAGE_PHASE_CONDEMNED_CLAIMS: StagePhase
STAGE_PHASE_SCALE_DOWN: StagePhase
STAGE_PHASE_DRAIN: StagePhase
STAGE_PHASE_UPDATE: StagePhase
STAGE_PHASE_STATUS: StagePhase
STAGE_PHASE_HISTORY: StagePhase
STAGE_PHASE_CLAIMS: StagePhase
ON_FAILURE_UNSPECIFIED: OnFailure
ON_FAILURE_ABORT: OnFailure
ON_FAILURE_STOP: OnFailure
ON_FAILURE_SKIP_PHASE: OnFailure
CAUSE_CODE_UNSPECIFIED: CauseCode
CAUSE_CODE_ORDINAL_MISSING: CauseCode
CAUSE_CODE_POD_FAILED: CauseCode
CAUSE_CODE_POD_SUCCEEDED: CauseCode
CAUSE_CODE_SCALED_DOWN: CauseCode
CAUSE_CODE_OUTDATED: CauseCode
CAUSE_CODE_CLAIM_MISSING: CauseCode
CAUSE_CODE_CLAIM_MISSING_FOR_PENDING_POD: CauseCode
CAUSE_CODE_RETENTION: CauseCode
CAUSE_CODE_RETENTION_FOREIGN_CONTROLLER: CauseCode
CAUSE_CODE_IDENTITY: CauseCode
CAUSE_CODE_STORAGE: CauseCode
CAUSE_CODE_ORPHAN_MATCHES: CauseCode
CAUSE_CODE_MATCHES_NO_LONGER: CauseCode
CAUSE_CODE_NEW_TEMPLATE: CauseCode
CAUSE_CODE_ROLLBACK: CauseCode
CAUSE_CODE_HISTORY_LIMIT: CauseCode
CAUSE_CODE_STATUS_CHANGED: CauseCode
CAUSE_CODE_DRAIN_MARK: CauseCode
CAUSE_CODE_DRAIN: CauseCode
CAUSE_CODE_DRAINED: CauseCode
CAUSE_CODE_DRAIN_FAILED: CauseCode
CAUSE_CODE_DRAIN_CANCELLED: CauseCode
CAUSE_CODE_DRAIN_ASK: CauseCode
CAUSE_CODE_DRAIN_FINALIZER: CauseCode
CAUSE_CODE_REPAIR: CauseCode
CAUSE_CODE_CHOSEN: CauseCode
CAUSE_CODE_CLAIM_TEMPLATE: CauseCode
CAUSE_CODE_FILE_SYSTEM_RESIZE: CauseCode
SEVERITY_UNSPECIFIED: Severity
SEVERITY_INFO: Severity
SEVERITY_WAIT: Severity
SEVERITY_ATTENTION: Severity
BLOCK_CODE_UNSPECIFIED: BlockCode
BLOCK_CODE_COVERAGE_INCOMPLETE: BlockCode
BLOCK_CODE_SET_DELETING: BlockCode
BLOCK_CODE_INVALID_SELECTOR: BlockCode
BLOCK_CODE_INVALID_TEMPLATE: BlockCode
BLOCK_CODE_INVALID_SPEC: BlockCode
BLOCK_CODE_INVALID_REVISION: BlockCode
BLOCK_CODE_CAPABILITY_MISSING: BlockCode
BLOCK_CODE_POD_NOT_READY: BlockCode
BLOCK_CODE_POD_NOT_AVAILABLE: BlockCode
BLOCK_CODE_POD_TERMINATING: BlockCode
BLOCK_CODE_POD_ENDED: BlockCode
BLOCK_CODE_POD_NAME_TAKEN: BlockCode
BLOCK_CODE_CLAIM_TERMINATING: BlockCode
BLOCK_CODE_CLAIM_STALE: BlockCode
BLOCK_CODE_CLAIM_FOREIGN_CONTROLLER: BlockCode
BLOCK_CODE_CLAIM_LOST: BlockCode
BLOCK_CODE_UPDATE_BUDGET: BlockCode
BLOCK_CODE_UPDATE_WAITS_FOR_POD: BlockCode
BLOCK_CODE_PARTITION_HELD: BlockCode
BLOCK_CODE_ON_DELETE: BlockCode
BLOCK_CODE_SCALE_DOWN_WAITS_FOR_POD: BlockCode
BLOCK_CODE_ACTION_FAILED_BEFORE: BlockCode
BLOCK_CODE_IDENTITY_MISMATCH: BlockCode
BLOCK_CODE_INVALID_POLICY: BlockCode
BLOCK_CODE_DRAINING: BlockCode
BLOCK_CODE_DRAIN_FAILED: BlockCode
BLOCK_CODE_DRAIN_WAITS: BlockCode
BLOCK_CODE_DRAIN_CLAIM_MISSING: BlockCode
BLOCK_CODE_DRAIN_LEFTOVER: BlockCode
BLOCK_CODE_DRAIN_ASKED: BlockCode
BLOCK_CODE_REPAIR_WAITS: BlockCode
BLOCK_CODE_DRAIN_UNPROTECTED: BlockCode
BLOCK_CODE_PAUSED: BlockCode
BLOCK_CODE_SCALE_IN_GUARDED: BlockCode
BLOCK_CODE_LEADER_UNCLEAR: BlockCode
BLOCK_CODE_LEADER_WAITS: BlockCode
BLOCK_CODE_SCALE_UP_LIMITED: BlockCode
BLOCK_CODE_RECREATE_WAITS: BlockCode
BLOCK_CODE_CLAIM_CHANGES: BlockCode
BLOCK_CODE_CLAIM_CHANGE_WAITS: BlockCode
BLOCK_CODE_CLAIM_CHANGE_FAILED: BlockCode
BLOCK_CODE_CLAIM_SHRINKS: BlockCode
BLOCK_CODE_FILE_SYSTEM_RESIZE: BlockCode
BLOCK_CODE_UPDATE_GATED: BlockCode
BLOCK_CODE_DISRUPTION_BUDGET: BlockCode
BLOCK_CODE_UPDATE_NOT_IN_PLACE: BlockCode
BLOCK_CODE_RESIZE_DEFERRED: BlockCode
BLOCK_CODE_RESIZE_INFEASIBLE: BlockCode

class Plan(_message.Message):
    __slots__ = ("fence", "stages", "blocks", "requeue_after", "converged", "truncated", "done")
    FENCE_FIELD_NUMBER: _ClassVar[int]
    STAGES_FIELD_NUMBER: _ClassVar[int]
    BLOCKS_FIELD_NUMBER: _ClassVar[int]
    REQUEUE_AFTER_FIELD_NUMBER: _ClassVar[int]
    CONVERGED_FIELD_NUMBER: _ClassVar[int]
    TRUNCATED_FIELD_NUMBER: _ClassVar[int]
    DONE_FIELD_NUMBER: _ClassVar[int]
    fence: Fence
    stages: _containers.RepeatedCompositeFieldContainer[Stage]
    blocks: _containers.RepeatedCompositeFieldContainer[Block]
    requeue_after: _duration_pb2.Duration
    converged: bool
    truncated: bool
    done: bool
    def __init__(self, fence: _Optional[_Union[Fence, _Mapping[str, object]]] = ..., stages: _Optional[_Iterable[_Union[Stage, _Mapping[str, object]]]] = ..., blocks: _Optional[_Iterable[_Union[Block, _Mapping[str, object]]]] = ..., requeue_after: _Optional[_Union[_duration_pb2.Duration, _Mapping[str, object]]] = ..., converged: bool = ..., truncated: bool = ..., done: bool = ...) -> None: ...

class Fence(_message.Message):
    __slots__ = ("set_uid", "generation", "max_age")
    SET_UID_FIELD_NUMBER: _ClassVar[int]
    GENERATION_FIELD_NUMBER: _ClassVar[int]
    MAX_AGE_FIELD_NUMBER: _ClassVar[int]
    set_uid: str
    generation: int
    max_age: _duration_pb2.Duration
    def __init__(self, set_uid: _Optional[str] = ..., generation: _Optional[int] = ..., max_age: _Optional[_Union[_duration_pb2.Duration, _Mapping[str, object]]] = ...) -> None: ...

class Stage(_message.Message):
    __slots__ = ("phase", "steps", "on_failure", "always_run", "requires_live_set")
    PHASE_FIELD_NUMBER: _ClassVar[int]
    STEPS_FIELD_NUMBER: _ClassVar[int]
    ON_FAILURE_FIELD_NUMBER: _ClassVar[int]
    ALWAYS_RUN_FIELD_NUMBER: _ClassVar[int]
    REQUIRES_LIVE_SET_FIELD_NUMBER: _ClassVar[int]
    phase: StagePhase
    steps: _containers.RepeatedCompositeFieldContainer[Step]
    on_failure: OnFailure
    always_run: bool
    requires_live_set: bool
    def __init__(self, phase: _Optional[_Union[StagePhase, str]] = ..., steps: _Optional[_Iterable[_Union[Step, _Mapping[str, object]]]] = ..., on_failure: _Optional[_Union[OnFailure, str]] = ..., always_run: bool = ..., requires_live_set: bool = ...) -> None: ...

class Step(_message.Message):
    __slots__ = ("actions",)
    ACTIONS_FIELD_NUMBER: _ClassVar[int]
    actions: _containers.RepeatedCompositeFieldContainer[Action]
    def __init__(self, actions: _Optional[_Iterable[_Union[Action, _Mapping[str, object]]]] = ...) -> None: ...

class Action(_message.Message):
    __slots__ = ("id", "target", "precondition", "cause", "create_pod", "delete_pod", "patch_pod", "adopt_pod", "release_pod", "create_claim", "set_claim_owners", "create_revision", "renumber_revision", "adopt_revision", "delete_revision", "update_status", "patch_annotations", "delete_claim", "set_finalizer", "patch_claim", "evict_pod", "update_pod", "resize_pod")
    ID_FIELD_NUMBER: _ClassVar[int]
    TARGET_FIELD_NUMBER: _ClassVar[int]
    PRECONDITION_FIELD_NUMBER: _ClassVar[int]
    CAUSE_FIELD_NUMBER: _ClassVar[int]
    CREATE_POD_FIELD_NUMBER: _ClassVar[int]
    DELETE_POD_FIELD_NUMBER: _ClassVar[int]
    PATCH_POD_FIELD_NUMBER: _ClassVar[int]
    ADOPT_POD_FIELD_NUMBER: _ClassVar[int]
    RELEASE_POD_FIELD_NUMBER: _ClassVar[int]
    CREATE_CLAIM_FIELD_NUMBER: _ClassVar[int]
    SET_CLAIM_OWNERS_FIELD_NUMBER: _ClassVar[int]
    CREATE_REVISION_FIELD_NUMBER: _ClassVar[int]
    RENUMBER_REVISION_FIELD_NUMBER: _ClassVar[int]
    ADOPT_REVISION_FIELD_NUMBER: _ClassVar[int]
    DELETE_REVISION_FIELD_NUMBER: _ClassVar[int]
    UPDATE_STATUS_FIELD_NUMBER: _ClassVar[int]
    PATCH_ANNOTATIONS_FIELD_NUMBER: _ClassVar[int]
    DELETE_CLAIM_FIELD_NUMBER: _ClassVar[int]
    SET_FINALIZER_FIELD_NUMBER: _ClassVar[int]
    PATCH_CLAIM_FIELD_NUMBER: _ClassVar[int]
    EVICT_POD_FIELD_NUMBER: _ClassVar[int]
    UPDATE_POD_FIELD_NUMBER: _ClassVar[int]
    RESIZE_POD_FIELD_NUMBER: _ClassVar[int]
    id: str
    target: Target
    precondition: Precondition
    cause: Cause
    create_pod: CreatePod
    delete_pod: DeletePod
    patch_pod: PatchPod
    adopt_pod: AdoptPod
    release_pod: ReleasePod
    create_claim: CreateClaim
    set_claim_owners: SetClaimOwners
    create_revision: CreateRevision
    renumber_revision: RenumberRevision
    adopt_revision: AdoptRevision
    delete_revision: DeleteRevision
    update_status: UpdateStatus
    patch_annotations: PatchAnnotations
    delete_claim: DeleteClaim
    set_finalizer: SetFinalizer
    patch_claim: PatchClaim
    evict_pod: EvictPod
    update_pod: UpdatePod
    resize_pod: ResizePod
    def __init__(self, id: _Optional[str] = ..., target: _Optional[_Union[Target, _Mapping[str, object]]] = ..., precondition: _Optional[_Union[Precondition, _Mapping[str, object]]] = ..., cause: _Optional[_Union[Cause, _Mapping[str, object]]] = ..., create_pod: _Optional[_Union[CreatePod, _Mapping[str, object]]] = ..., delete_pod: _Optional[_Union[DeletePod, _Mapping[str, object]]] = ..., patch_pod: _Optional[_Union[PatchPod, _Mapping[str, object]]] = ..., adopt_pod: _Optional[_Union[AdoptPod, _Mapping[str, object]]] = ..., release_pod: _Optional[_Union[ReleasePod, _Mapping[str, object]]] = ..., create_claim: _Optional[_Union[CreateClaim, _Mapping[str, object]]] = ..., set_claim_owners: _Optional[_Union[SetClaimOwners, _Mapping[str, object]]] = ..., create_revision: _Optional[_Union[CreateRevision, _Mapping[str, object]]] = ..., renumber_revision: _Optional[_Union[RenumberRevision, _Mapping[str, object]]] = ..., adopt_revision: _Optional[_Union[AdoptRevision, _Mapping[str, object]]] = ..., delete_revision: _Optional[_Union[DeleteRevision, _Mapping[str, object]]] = ..., update_status: _Optional[_Union[UpdateStatus, _Mapping[str, object]]] = ..., patch_annotations: _Optional[_Union[PatchAnnotations, _Mapping[str, object]]] = ..., delete_claim: _Optional[_Union[DeleteClaim, _Mapping[str, object]]] = ..., set_finalizer: _Optional[_Union[SetFinalizer, _Mapping[str, object]]] = ..., patch_claim: _Optional[_Union[PatchClaim, _Mapping[str, object]]] = ..., evict_pod: _Optional[_Union[EvictPod, _Mapping[str, object]]] = ..., update_pod: _Optional[_Union[UpdatePod, _Mapping[str, object]]] = ..., resize_pod: _Optional[_Union[ResizePod, _Mapping[str, object]]] = ...) -> None: ...

class Target(_message.Message):
    __slots__ = ("kind", "namespace", "name")
    KIND_FIELD_NUMBER: _ClassVar[int]
    NAMESPACE_FIELD_NUMBER: _ClassVar[int]
    NAME_FIELD_NUMBER: _ClassVar[int]
    kind: str
    namespace: str
    name: str
    def __init__(self, kind: _Optional[str] = ..., namespace: _Optional[str] = ..., name: _Optional[str] = ...) -> None: ...

class Precondition(_message.Message):
    __slots__ = ("must_not_exist", "uid", "resource_version")
    MUST_NOT_EXIST_FIELD_NUMBER: _ClassVar[int]
    UID_FIELD_NUMBER: _ClassVar[int]
    RESOURCE_VERSION_FIELD_NUMBER: _ClassVar[int]
    must_not_exist: bool
    uid: str
    resource_version: str
    def __init__(self, must_not_exist: bool = ..., uid: _Optional[str] = ..., resource_version: _Optional[str] = ...) -> None: ...

class Cause(_message.Message):
    __slots__ = ("code", "message")
    CODE_FIELD_NUMBER: _ClassVar[int]
    MESSAGE_FIELD_NUMBER: _ClassVar[int]
    code: CauseCode
    message: str
    def __init__(self, code: _Optional[_Union[CauseCode, str]] = ..., message: _Optional[str] = ...) -> None: ...

class CreatePod(_message.Message):
    __slots__ = ("manifest",)
    MANIFEST_FIELD_NUMBER: _ClassVar[int]
    manifest: bytes
    def __init__(self, manifest: _Optional[bytes] = ...) -> None: ...

class DeletePod(_message.Message):
    __slots__ = ()
    def __init__(self) -> None: ...

class EvictPod(_message.Message):
    __slots__ = ()
    def __init__(self) -> None: ...

class PatchPod(_message.Message):
    __slots__ = ("labels", "claims")
    class LabelsEntry(_message.Message):
        __slots__ = ("key", "value")
        KEY_FIELD_NUMBER: _ClassVar[int]
        VALUE_FIELD_NUMBER: _ClassVar[int]
        key: str
        value: str
        def __init__(self, key: _Optional[str] = ..., value: _Optional[str] = ...) -> None: ...
    LABELS_FIELD_NUMBER: _ClassVar[int]
    CLAIMS_FIELD_NUMBER: _ClassVar[int]
    labels: _containers.ScalarMap[str, str]
    claims: _containers.RepeatedCompositeFieldContainer[_snapshot_pb2.ClaimBinding]
    def __init__(self, labels: _Optional[_Mapping[str, str]] = ..., claims: _Optional[_Iterable[_Union[_snapshot_pb2.ClaimBinding, _Mapping[str, object]]]] = ...) -> None: ...

class UpdatePod(_message.Message):
    __slots__ = ("labels", "remove_labels", "annotations", "remove_annotations", "containers", "init_containers")
    class LabelsEntry(_message.Message):
        __slots__ = ("key", "value")
        KEY_FIELD_NUMBER: _ClassVar[int]
        VALUE_FIELD_NUMBER: _ClassVar[int]
        key: str
        value: str
        def __init__(self, key: _Optional[str] = ..., value: _Optional[str] = ...) -> None: ...
    class AnnotationsEntry(_message.Message):
        __slots__ = ("key", "value")
        KEY_FIELD_NUMBER: _ClassVar[int]
        VALUE_FIELD_NUMBER: _ClassVar[int]
        key: str
        value: str
        def __init__(self, key: _Optional[str] = ..., value: _Optional[str] = ...) -> None: ...
    LABELS_FIELD_NUMBER: _ClassVar[int]
    REMOVE_LABELS_FIELD_NUMBER: _ClassVar[int]
    ANNOTATIONS_FIELD_NUMBER: _ClassVar[int]
    REMOVE_ANNOTATIONS_FIELD_NUMBER: _ClassVar[int]
    CONTAINERS_FIELD_NUMBER: _ClassVar[int]
    INIT_CONTAINERS_FIELD_NUMBER: _ClassVar[int]
    labels: _containers.ScalarMap[str, str]
    remove_labels: _containers.RepeatedScalarFieldContainer[str]
    annotations: _containers.ScalarMap[str, str]
    remove_annotations: _containers.RepeatedScalarFieldContainer[str]
    containers: _containers.RepeatedCompositeFieldContainer[ContainerImage]
    init_containers: _containers.RepeatedCompositeFieldContainer[ContainerImage]
    def __init__(self, labels: _Optional[_Mapping[str, str]] = ..., remove_labels: _Optional[_Iterable[str]] = ..., annotations: _Optional[_Mapping[str, str]] = ..., remove_annotations: _Optional[_Iterable[str]] = ..., containers: _Optional[_Iterable[_Union[ContainerImage, _Mapping[str, object]]]] = ..., init_containers: _Optional[_Iterable[_Union[ContainerImage, _Mapping[str, object]]]] = ...) -> None: ...

class ContainerImage(_message.Message):
    __slots__ = ("name", "image")
    NAME_FIELD_NUMBER: _ClassVar[int]
    IMAGE_FIELD_NUMBER: _ClassVar[int]
    name: str
    image: str
    def __init__(self, name: _Optional[str] = ..., image: _Optional[str] = ...) -> None: ...

class ResizePod(_message.Message):
    __slots__ = ("containers", "init_containers")
    CONTAINERS_FIELD_NUMBER: _ClassVar[int]
    INIT_CONTAINERS_FIELD_NUMBER: _ClassVar[int]
    containers: _containers.RepeatedCompositeFieldContainer[ContainerResize]
    init_containers: _containers.RepeatedCompositeFieldContainer[ContainerResize]
    def __init__(self, containers: _Optional[_Iterable[_Union[ContainerResize, _Mapping[str, object]]]] = ..., init_containers: _Optional[_Iterable[_Union[ContainerResize, _Mapping[str, object]]]] = ...) -> None: ...

class ContainerResize(_message.Message):
    __slots__ = ("name", "requests", "limits")
    class RequestsEntry(_message.Message):
        __slots__ = ("key", "value")
        KEY_FIELD_NUMBER: _ClassVar[int]
        VALUE_FIELD_NUMBER: _ClassVar[int]
        key: str
        value: str
        def __init__(self, key: _Optional[str] = ..., value: _Optional[str] = ...) -> None: ...
    class LimitsEntry(_message.Message):
        __slots__ = ("key", "value")
        KEY_FIELD_NUMBER: _ClassVar[int]
        VALUE_FIELD_NUMBER: _ClassVar[int]
        key: str
        value: str
        def __init__(self, key: _Optional[str] = ..., value: _Optional[str] = ...) -> None: ...
    NAME_FIELD_NUMBER: _ClassVar[int]
    REQUESTS_FIELD_NUMBER: _ClassVar[int]
    LIMITS_FIELD_NUMBER: _ClassVar[int]
    name: str
    requests: _containers.ScalarMap[str, str]
    limits: _containers.ScalarMap[str, str]
    def __init__(self, name: _Optional[str] = ..., requests: _Optional[_Mapping[str, str]] = ..., limits: _Optional[_Mapping[str, str]] = ...) -> None: ...

class AdoptPod(_message.Message):
    __slots__ = ("owner",)
    OWNER_FIELD_NUMBER: _ClassVar[int]
    owner: _snapshot_pb2.OwnerReference
    def __init__(self, owner: _Optional[_Union[_snapshot_pb2.OwnerReference, _Mapping[str, object]]] = ...) -> None: ...

class ReleasePod(_message.Message):
    __slots__ = ("owner_uid",)
    OWNER_UID_FIELD_NUMBER: _ClassVar[int]
    owner_uid: str
    def __init__(self, owner_uid: _Optional[str] = ...) -> None: ...

class CreateClaim(_message.Message):
    __slots__ = ("manifest",)
    MANIFEST_FIELD_NUMBER: _ClassVar[int]
    manifest: bytes
    def __init__(self, manifest: _Optional[bytes] = ...) -> None: ...

class SetClaimOwners(_message.Message):
    __slots__ = ("owners",)
    OWNERS_FIELD_NUMBER: _ClassVar[int]
    owners: _containers.RepeatedCompositeFieldContainer[_snapshot_pb2.OwnerReference]
    def __init__(self, owners: _Optional[_Iterable[_Union[_snapshot_pb2.OwnerReference, _Mapping[str, object]]]] = ...) -> None: ...

class CreateRevision(_message.Message):
    __slots__ = ("manifest",)
    MANIFEST_FIELD_NUMBER: _ClassVar[int]
    manifest: bytes
    def __init__(self, manifest: _Optional[bytes] = ...) -> None: ...

class RenumberRevision(_message.Message):
    __slots__ = ("number",)
    NUMBER_FIELD_NUMBER: _ClassVar[int]
    number: int
    def __init__(self, number: _Optional[int] = ...) -> None: ...

class AdoptRevision(_message.Message):
    __slots__ = ("owner",)
    OWNER_FIELD_NUMBER: _ClassVar[int]
    owner: _snapshot_pb2.OwnerReference
    def __init__(self, owner: _Optional[_Union[_snapshot_pb2.OwnerReference, _Mapping[str, object]]] = ...) -> None: ...

class DeleteRevision(_message.Message):
    __slots__ = ()
    def __init__(self) -> None: ...

class UpdateStatus(_message.Message):
    __slots__ = ("status",)
    STATUS_FIELD_NUMBER: _ClassVar[int]
    status: _snapshot_pb2.StatefulSetStatus
    def __init__(self, status: _Optional[_Union[_snapshot_pb2.StatefulSetStatus, _Mapping[str, object]]] = ...) -> None: ...

class PatchAnnotations(_message.Message):
    __slots__ = ("set", "remove")
    class SetEntry(_message.Message):
        __slots__ = ("key", "value")
        KEY_FIELD_NUMBER: _ClassVar[int]
        VALUE_FIELD_NUMBER: _ClassVar[int]
        key: str
        value: str
        def __init__(self, key: _Optional[str] = ..., value: _Optional[str] = ...) -> None: ...
    SET_FIELD_NUMBER: _ClassVar[int]
    REMOVE_FIELD_NUMBER: _ClassVar[int]
    set: _containers.ScalarMap[str, str]
    remove: _containers.RepeatedScalarFieldContainer[str]
    def __init__(self, set: _Optional[_Mapping[str, str]] = ..., remove: _Optional[_Iterable[str]] = ...) -> None: ...

class DeleteClaim(_message.Message):
    __slots__ = ()
    def __init__(self) -> None: ...

class SetFinalizer(_message.Message):
    __slots__ = ("finalizer", "present")
    FINALIZER_FIELD_NUMBER: _ClassVar[int]
    PRESENT_FIELD_NUMBER: _ClassVar[int]
    finalizer: str
    present: bool
    def __init__(self, finalizer: _Optional[str] = ..., present: bool = ...) -> None: ...

class PatchClaim(_message.Message):
    __slots__ = ("request", "attributes_class", "labels", "annotations")
    class LabelsEntry(_message.Message):
        __slots__ = ("key", "value")
        KEY_FIELD_NUMBER: _ClassVar[int]
        VALUE_FIELD_NUMBER: _ClassVar[int]
        key: str
        value: str
        def __init__(self, key: _Optional[str] = ..., value: _Optional[str] = ...) -> None: ...
    class AnnotationsEntry(_message.Message):
        __slots__ = ("key", "value")
        KEY_FIELD_NUMBER: _ClassVar[int]
        VALUE_FIELD_NUMBER: _ClassVar[int]
        key: str
        value: str
        def __init__(self, key: _Optional[str] = ..., value: _Optional[str] = ...) -> None: ...
    REQUEST_FIELD_NUMBER: _ClassVar[int]
    ATTRIBUTES_CLASS_FIELD_NUMBER: _ClassVar[int]
    LABELS_FIELD_NUMBER: _ClassVar[int]
    ANNOTATIONS_FIELD_NUMBER: _ClassVar[int]
    request: str
    attributes_class: str
    labels: _containers.ScalarMap[str, str]
    annotations: _containers.ScalarMap[str, str]
    def __init__(self, request: _Optional[str] = ..., attributes_class: _Optional[str] = ..., labels: _Optional[_Mapping[str, str]] = ..., annotations: _Optional[_Mapping[str, str]] = ...) -> None: ...

class Block(_message.Message):
    __slots__ = ("code", "subject", "message", "remedy", "since", "not_before", "severity")
    CODE_FIELD_NUMBER: _ClassVar[int]
    SUBJECT_FIELD_NUMBER: _ClassVar[int]
    MESSAGE_FIELD_NUMBER: _ClassVar[int]
    REMEDY_FIELD_NUMBER: _ClassVar[int]
    SINCE_FIELD_NUMBER: _ClassVar[int]
    NOT_BEFORE_FIELD_NUMBER: _ClassVar[int]
    SEVERITY_FIELD_NUMBER: _ClassVar[int]
    code: BlockCode
    subject: Target
    message: str
    remedy: str
    since: _timestamp_pb2.Timestamp
    not_before: _timestamp_pb2.Timestamp
    severity: Severity
    def __init__(self, code: _Optional[_Union[BlockCode, str]] = ..., subject: _Optional[_Union[Target, _Mapping[str, object]]] = ..., message: _Optional[str] = ..., remedy: _Optional[str] = ..., since: _Optional[_Union[_timestamp_pb2.Timestamp, _Mapping[str, object]]] = ..., not_before: _Optional[_Union[_timestamp_pb2.Timestamp, _Mapping[str, object]]] = ..., severity: _Optional[_Union[Severity, str]] = ...) -> None: ...
