from google.protobuf import timestamp_pb2 as _timestamp_pb2
from google.protobuf.internal import containers as _containers
from google.protobuf.internal import enum_type_wrapper as _enum_type_wrapper
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from typing import ClassVar as _ClassVar, Iterable as _Iterable, Mapping as _Mapping, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class PodPhase(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    POD_PHASE_UNSPECIFIED: _ClassVar[PodPhase]
    POD_PHASE_PENDING: _ClassVar[PodPhase]
    POD_PHASE_RUNNING: _ClassVar[PodPhase]
    POD_PHASE_SUCCEEDED: _ClassVar[PodPhase]
    POD_PHASE_FAILED: _ClassVar[PodPhase]
    POD_PHASE_UNKNOWN: _ClassVar[PodPhase]

class ClaimPhase(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    CLAIM_PHASE_UNSPECIFIED: _ClassVar[ClaimPhase]
    CLAIM_PHASE_PENDING: _ClassVar[ClaimPhase]
    CLAIM_PHASE_BOUND: _ClassVar[ClaimPhase]
    CLAIM_PHASE_LOST: _ClassVar[ClaimPhase]

class OutcomeResult(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    OUTCOME_RESULT_UNSPECIFIED: _ClassVar[OutcomeResult]
    OUTCOME_RESULT_REJECTED: _ClassVar[OutcomeResult]
    OUTCOME_RESULT_CONFLICT: _ClassVar[OutcomeResult]
    OUTCOME_RESULT_ERROR: _ClassVar[OutcomeResult]
    OUTCOME_RESULT_DISRUPTION_BUDGET: _ClassVar[OutcomeResult]
    OUTCOME_RESULT_NODE_CAPACITY: _ClassVar[OutcomeResult]

class Scope(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    SCOPE_UNSPECIFIED: _ClassVar[Scope]
    SCOPE_WHOLE_SET: _ClassVar[Scope]
    SCOPE_DRAIN_ONLY: _ClassVar[Scope]

class Repair(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    REPAIR_UNSPECIFIED: _ClassVar[Repair]
    REPAIR_NEVER: _ClassVar[Repair]
    REPAIR_NEVER_READY: _ClassVar[Repair]
    REPAIR_UNREADY: _ClassVar[Repair]

class DrainScaleUp(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    DRAIN_SCALE_UP_UNSPECIFIED: _ClassVar[DrainScaleUp]
    DRAIN_SCALE_UP_FINISH: _ClassVar[DrainScaleUp]
    DRAIN_SCALE_UP_CANCEL: _ClassVar[DrainScaleUp]

class DrainProof(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    DRAIN_PROOF_UNSPECIFIED: _ClassVar[DrainProof]
    DRAIN_PROOF_SUCCESS: _ClassVar[DrainProof]
    DRAIN_PROOF_TOKEN: _ClassVar[DrainProof]

class Behavior(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    BEHAVIOR_UNSPECIFIED: _ClassVar[Behavior]
    BEHAVIOR_SETPLAN: _ClassVar[Behavior]
    BEHAVIOR_KUBERNETES_1_36: _ClassVar[Behavior]
    BEHAVIOR_KUBERNETES_1_37: _ClassVar[Behavior]
POD_PHASE_UNSPECIFIED: PodPhase
POD_PHASE_PENDING: PodPhase
POD_PHASE_RUNNING: PodPhase
POD_PHASE_SUCCEEDED: PodPhase
POD_PHASE_FAILED: PodPhase
POD_PHASE_UNKNOWN: PodPhase
CLAIM_PHASE_UNSPECIFIED: ClaimPhase
CLAIM_PHASE_PENDING: ClaimPhase
CLAIM_PHASE_BOUND: ClaimPhase
CLAIM_PHASE_LOST: ClaimPhase
OUTCOME_RESULT_UNSPECIFIED: OutcomeResult
OUTCOME_RESULT_REJECTED: OutcomeResult
OUTCOME_RESULT_CONFLICT: OutcomeResult
OUTCOME_RESULT_ERROR: OutcomeResult
OUTCOME_RESULT_DISRUPTION_BUDGET: OutcomeResult
OUTCOME_RESULT_NODE_CAPACITY: OutcomeResult
SCOPE_UNSPECIFIED: Scope
SCOPE_WHOLE_SET: Scope
SCOPE_DRAIN_ONLY: Scope
REPAIR_UNSPECIFIED: Repair
REPAIR_NEVER: Repair
REPAIR_NEVER_READY: Repair
REPAIR_UNREADY: Repair
DRAIN_SCALE_UP_UNSPECIFIED: DrainScaleUp
DRAIN_SCALE_UP_FINISH: DrainScaleUp
DRAIN_SCALE_UP_CANCEL: DrainScaleUp
DRAIN_PROOF_UNSPECIFIED: DrainProof
DRAIN_PROOF_SUCCESS: DrainProof
DRAIN_PROOF_TOKEN: DrainProof
BEHAVIOR_UNSPECIFIED: Behavior
BEHAVIOR_SETPLAN: Behavior
BEHAVIOR_KUBERNETES_1_36: Behavior
BEHAVIOR_KUBERNETES_1_37: Behavior

class Snapshot(_message.Message):
    __slots__ = ("observed_at", "coverage", "set", "pods", "claims", "revisions", "outcomes", "policy", "tables", "claim_neighbours", "fixed_storage_classes")
    OBSERVED_AT_FIELD_NUMBER: _ClassVar[int]
    COVERAGE_FIELD_NUMBER: _ClassVar[int]
    SET_FIELD_NUMBER: _ClassVar[int]
    PODS_FIELD_NUMBER: _ClassVar[int]
    CLAIMS_FIELD_NUMBER: _ClassVar[int]
    REVISIONS_FIELD_NUMBER: _ClassVar[int]
    OUTCOMES_FIELD_NUMBER: _ClassVar[int]
    POLICY_FIELD_NUMBER: _ClassVar[int]
    TABLES_FIELD_NUMBER: _ClassVar[int]
    CLAIM_NEIGHBOURS_FIELD_NUMBER: _ClassVar[int]
    FIXED_STORAGE_CLASSES_FIELD_NUMBER: _ClassVar[int]
    observed_at: _timestamp_pb2.Timestamp
    coverage: Coverage
    set: StatefulSet
    pods: _containers.RepeatedCompositeFieldContainer[Pod]
    claims: _containers.RepeatedCompositeFieldContainer[Claim]
    revisions: _containers.RepeatedCompositeFieldContainer[Revision]
    outcomes: _containers.RepeatedCompositeFieldContainer[Outcome]
    policy: Policy
    tables: Tables
    claim_neighbours: _containers.RepeatedCompositeFieldContainer[ClaimNeighbour]
    fixed_storage_classes: _containers.RepeatedScalarFieldContainer[str]
    def __init__(self, observed_at: _Optional[_Union[_timestamp_pb2.Timestamp, _Mapping[str, object]]] = ..., coverage: _Optional[_Union[Coverage, _Mapping[str, object]]] = ..., set: _Optional[_Union[StatefulSet, _Mapping[str, object]]] = ..., pods: _Optional[_Iterable[_Union[Pod, _Mapping[str, object]]]] = ..., claims: _Optional[_Iterable[_Union[Claim, _Mapping[str, object]]]] = ..., revisions: _Optional[_Iterable[_Union[Revision, _Mapping[str, object]]]] = ..., outcomes: _Optional[_Iterable[_Union[Outcome, _Mapping[str, object]]]] = ..., policy: _Optional[_Union[Policy, _Mapping[str, object]]] = ..., tables: _Optional[_Union[Tables, _Mapping[str, object]]] = ..., claim_neighbours: _Optional[_Iterable[_Union[ClaimNeighbour, _Mapping[str, object]]]] = ..., fixed_storage_classes: _Optional[_Iterable[str]] = ...) -> None: ...

class ClaimNeighbour(_message.Message):
    __slots__ = ("set", "claim_template")
    SET_FIELD_NUMBER: _ClassVar[int]
    CLAIM_TEMPLATE_FIELD_NUMBER: _ClassVar[int]
    set: str
    claim_template: str
    def __init__(self, set: _Optional[str] = ..., claim_template: _Optional[str] = ...) -> None: ...

class Coverage(_message.Message):
    __slots__ = ("pods", "claims", "revisions", "pods_version", "claims_version", "revisions_version")
    PODS_FIELD_NUMBER: _ClassVar[int]
    CLAIMS_FIELD_NUMBER: _ClassVar[int]
    REVISIONS_FIELD_NUMBER: _ClassVar[int]
    PODS_VERSION_FIELD_NUMBER: _ClassVar[int]
    CLAIMS_VERSION_FIELD_NUMBER: _ClassVar[int]
    REVISIONS_VERSION_FIELD_NUMBER: _ClassVar[int]
    pods: bool
    claims: bool
    revisions: bool
    pods_version: str
    claims_version: str
    revisions_version: str
    def __init__(self, pods: bool = ..., claims: bool = ..., revisions: bool = ..., pods_version: _Optional[str] = ..., claims_version: _Optional[str] = ..., revisions_version: _Optional[str] = ...) -> None: ...

class Tables(_message.Message):
    __slots__ = ("label_sets", "owner_sets", "revision_names", "volume_sets", "annotation_sets", "claim_storages")
    LABEL_SETS_FIELD_NUMBER: _ClassVar[int]
    OWNER_SETS_FIELD_NUMBER: _ClassVar[int]
    REVISION_NAMES_FIELD_NUMBER: _ClassVar[int]
    VOLUME_SETS_FIELD_NUMBER: _ClassVar[int]
    ANNOTATION_SETS_FIELD_NUMBER: _ClassVar[int]
    CLAIM_STORAGES_FIELD_NUMBER: _ClassVar[int]
    label_sets: _containers.RepeatedCompositeFieldContainer[LabelSet]
    owner_sets: _containers.RepeatedCompositeFieldContainer[OwnerSet]
    revision_names: _containers.RepeatedScalarFieldContainer[str]
    volume_sets: _containers.RepeatedCompositeFieldContainer[VolumeSet]
    annotation_sets: _containers.RepeatedCompositeFieldContainer[AnnotationSet]
    claim_storages: _containers.RepeatedCompositeFieldContainer[ClaimStorage]
    def __init__(self, label_sets: _Optional[_Iterable[_Union[LabelSet, _Mapping[str, object]]]] = ..., owner_sets: _Optional[_Iterable[_Union[OwnerSet, _Mapping[str, object]]]] = ..., revision_names: _Optional[_Iterable[str]] = ..., volume_sets: _Optional[_Iterable[_Union[VolumeSet, _Mapping[str, object]]]] = ..., annotation_sets: _Optional[_Iterable[_Union[AnnotationSet, _Mapping[str, object]]]] = ..., claim_storages: _Optional[_Iterable[_Union[ClaimStorage, _Mapping[str, object]]]] = ...) -> None: ...

class LabelSet(_message.Message):
    __slots__ = ("labels",)
    class LabelsEntry(_message.Message):
        __slots__ = ("key", "value")
        KEY_FIELD_NUMBER: _ClassVar[int]
        VALUE_FIELD_NUMBER: _ClassVar[int]
        key: str
        value: str
        def __init__(self, key: _Optional[str] = ..., value: _Optional[str] = ...) -> None: ...
    LABELS_FIELD_NUMBER: _ClassVar[int]
    labels: _containers.ScalarMap[str, str]
    def __init__(self, labels: _Optional[_Mapping[str, str]] = ...) -> None: ...

class AnnotationSet(_message.Message):
    __slots__ = ("annotations",)
    class AnnotationsEntry(_message.Message):
        __slots__ = ("key", "value")
        KEY_FIELD_NUMBER: _ClassVar[int]
        VALUE_FIELD_NUMBER: _ClassVar[int]
        key: str
        value: str
        def __init__(self, key: _Optional[str] = ..., value: _Optional[str] = ...) -> None: ...
    ANNOTATIONS_FIELD_NUMBER: _ClassVar[int]
    annotations: _containers.ScalarMap[str, str]
    def __init__(self, annotations: _Optional[_Mapping[str, str]] = ...) -> None: ...

class OwnerSet(_message.Message):
    __slots__ = ("owners",)
    OWNERS_FIELD_NUMBER: _ClassVar[int]
    owners: _containers.RepeatedCompositeFieldContainer[OwnerReference]
    def __init__(self, owners: _Optional[_Iterable[_Union[OwnerReference, _Mapping[str, object]]]] = ...) -> None: ...

class OwnerReference(_message.Message):
    __slots__ = ("api_version", "kind", "name", "uid", "controller", "block_owner_deletion")
    API_VERSION_FIELD_NUMBER: _ClassVar[int]
    KIND_FIELD_NUMBER: _ClassVar[int]
    NAME_FIELD_NUMBER: _ClassVar[int]
    UID_FIELD_NUMBER: _ClassVar[int]
    CONTROLLER_FIELD_NUMBER: _ClassVar[int]
    BLOCK_OWNER_DELETION_FIELD_NUMBER: _ClassVar[int]
    api_version: str
    kind: str
    name: str
    uid: str
    controller: bool
    block_owner_deletion: bool
    def __init__(self, api_version: _Optional[str] = ..., kind: _Optional[str] = ..., name: _Optional[str] = ..., uid: _Optional[str] = ..., controller: bool = ..., block_owner_deletion: bool = ...) -> None: ...

class ClaimStorage(_message.Message):
    __slots__ = ("request", "capacity", "resize_status", "storage_class", "attributes_class", "current_attributes_class", "modify_status", "conditions")
    REQUEST_FIELD_NUMBER: _ClassVar[int]
    CAPACITY_FIELD_NUMBER: _ClassVar[int]
    RESIZE_STATUS_FIELD_NUMBER: _ClassVar[int]
    STORAGE_CLASS_FIELD_NUMBER: _ClassVar[int]
    ATTRIBUTES_CLASS_FIELD_NUMBER: _ClassVar[int]
    CURRENT_ATTRIBUTES_CLASS_FIELD_NUMBER: _ClassVar[int]
    MODIFY_STATUS_FIELD_NUMBER: _ClassVar[int]
    CONDITIONS_FIELD_NUMBER: _ClassVar[int]
    request: str
    capacity: str
    resize_status: str
    storage_class: str
    attributes_class: str
    current_attributes_class: str
    modify_status: str
    conditions: _containers.RepeatedCompositeFieldContainer[Condition]
    def __init__(self, request: _Optional[str] = ..., capacity: _Optional[str] = ..., resize_status: _Optional[str] = ..., storage_class: _Optional[str] = ..., attributes_class: _Optional[str] = ..., current_attributes_class: _Optional[str] = ..., modify_status: _Optional[str] = ..., conditions: _Optional[_Iterable[_Union[Condition, _Mapping[str, object]]]] = ...) -> None: ...

class VolumeSet(_message.Message):
    __slots__ = ("volumes",)
    VOLUMES_FIELD_NUMBER: _ClassVar[int]
    volumes: _containers.RepeatedScalarFieldContainer[str]
    def __init__(self, volumes: _Optional[_Iterable[str]] = ...) -> None: ...

class StatefulSet(_message.Message):
    __slots__ = ("api_version", "kind", "namespace", "name", "uid", "generation", "resource_version", "deletion_unix_ms", "annotations", "replicas", "ordinals_start", "selector", "service_name", "pod_management_policy", "update_strategy", "min_ready_seconds", "revision_history_limit", "claim_retention", "pod_template", "claim_templates", "status", "finalizers", "own_fields", "refusal")
    class AnnotationsEntry(_message.Message):
        __slots__ = ("key", "value")
        KEY_FIELD_NUMBER: _ClassVar[int]
        VALUE_FIELD_NUMBER: _ClassVar[int]
        key: str
        value: str
        def __init__(self, key: _Optional[str] = ..., value: _Optional[str] = ...) -> None: ...
    API_VERSION_FIELD_NUMBER: _ClassVar[int]
    KIND_FIELD_NUMBER: _ClassVar[int]
    NAMESPACE_FIELD_NUMBER: _ClassVar[int]
    NAME_FIELD_NUMBER: _ClassVar[int]
    UID_FIELD_NUMBER: _ClassVar[int]
    GENERATION_FIELD_NUMBER: _ClassVar[int]
    RESOURCE_VERSION_FIELD_NUMBER: _ClassVar[int]
    DELETION_UNIX_MS_FIELD_NUMBER: _ClassVar[int]
    ANNOTATIONS_FIELD_NUMBER: _ClassVar[int]
    REPLICAS_FIELD_NUMBER: _ClassVar[int]
    ORDINALS_START_FIELD_NUMBER: _ClassVar[int]
    SELECTOR_FIELD_NUMBER: _ClassVar[int]
    SERVICE_NAME_FIELD_NUMBER: _ClassVar[int]
    POD_MANAGEMENT_POLICY_FIELD_NUMBER: _ClassVar[int]
    UPDATE_STRATEGY_FIELD_NUMBER: _ClassVar[int]
    MIN_READY_SECONDS_FIELD_NUMBER: _ClassVar[int]
    REVISION_HISTORY_LIMIT_FIELD_NUMBER: _ClassVar[int]
    CLAIM_RETENTION_FIELD_NUMBER: _ClassVar[int]
    POD_TEMPLATE_FIELD_NUMBER: _ClassVar[int]
    CLAIM_TEMPLATES_FIELD_NUMBER: _ClassVar[int]
    STATUS_FIELD_NUMBER: _ClassVar[int]
    FINALIZERS_FIELD_NUMBER: _ClassVar[int]
    OWN_FIELDS_FIELD_NUMBER: _ClassVar[int]
    REFUSAL_FIELD_NUMBER: _ClassVar[int]
    api_version: str
    kind: str
    namespace: str
    name: str
    uid: str
    generation: int
    resource_version: str
    deletion_unix_ms: int
    annotations: _containers.ScalarMap[str, str]
    replicas: int
    ordinals_start: int
    selector: LabelSelector
    service_name: str
    pod_management_policy: str
    update_strategy: UpdateStrategy
    min_ready_seconds: int
    revision_history_limit: int
    claim_retention: ClaimRetention
    pod_template: bytes
    claim_templates: _containers.RepeatedScalarFieldContainer[bytes]
    status: StatefulSetStatus
    finalizers: _containers.RepeatedScalarFieldContainer[str]
    own_fields: bytes
    refusal: str
    def __init__(self, api_version: _Optional[str] = ..., kind: _Optional[str] = ..., namespace: _Optional[str] = ..., name: _Optional[str] = ..., uid: _Optional[str] = ..., generation: _Optional[int] = ..., resource_version: _Optional[str] = ..., deletion_unix_ms: _Optional[int] = ..., annotations: _Optional[_Mapping[str, str]] = ..., replicas: _Optional[int] = ..., ordinals_start: _Optional[int] = ..., selector: _Optional[_Union[LabelSelector, _Mapping[str, object]]] = ..., service_name: _Optional[str] = ..., pod_management_policy: _Optional[str] = ..., update_strategy: _Optional[_Union[UpdateStrategy, _Mapping[str, object]]] = ..., min_ready_seconds: _Optional[int] = ..., revision_history_limit: _Optional[int] = ..., claim_retention: _Optional[_Union[ClaimRetention, _Mapping[str, object]]] = ..., pod_template: _Optional[bytes] = ..., claim_templates: _Optional[_Iterable[bytes]] = ..., status: _Optional[_Union[StatefulSetStatus, _Mapping[str, object]]] = ..., finalizers: _Optional[_Iterable[str]] = ..., own_fields: _Optional[bytes] = ..., refusal: _Optional[str] = ...) -> None: ...

class LabelSelector(_message.Message):
    __slots__ = ("match_labels", "match_expressions")
    class MatchLabelsEntry(_message.Message):
        __slots__ = ("key", "value")
        KEY_FIELD_NUMBER: _ClassVar[int]
        VALUE_FIELD_NUMBER: _ClassVar[int]
        key: str
        value: str
        def __init__(self, key: _Optional[str] = ..., value: _Optional[str] = ...) -> None: ...
    MATCH_LABELS_FIELD_NUMBER: _ClassVar[int]
    MATCH_EXPRESSIONS_FIELD_NUMBER: _ClassVar[int]
    match_labels: _containers.ScalarMap[str, str]
    match_expressions: _containers.RepeatedCompositeFieldContainer[LabelRequirement]
    def __init__(self, match_labels: _Optional[_Mapping[str, str]] = ..., match_expressions: _Optional[_Iterable[_Union[LabelRequirement, _Mapping[str, object]]]] = ...) -> None: ...

class LabelRequirement(_message.Message):
    __slots__ = ("key", "operator", "values")
    KEY_FIELD_NUMBER: _ClassVar[int]
    OPERATOR_FIELD_NUMBER: _ClassVar[int]
    VALUES_FIELD_NUMBER: _ClassVar[int]
    key: str
    operator: str
    values: _containers.RepeatedScalarFieldContainer[str]
    def __init__(self, key: _Optional[str] = ..., operator: _Optional[str] = ..., values: _Optional[_Iterable[str]] = ...) -> None: ...

class UpdateStrategy(_message.Message):
    __slots__ = ("type", "rolling_update")
    TYPE_FIELD_NUMBER: _ClassVar[int]
    ROLLING_UPDATE_FIELD_NUMBER: _ClassVar[int]
    type: str
    rolling_update: RollingUpdate
    def __init__(self, type: _Optional[str] = ..., rolling_update: _Optional[_Union[RollingUpdate, _Mapping[str, object]]] = ...) -> None: ...

class RollingUpdate(_message.Message):
    __slots__ = ("partition", "max_unavailable")
    PARTITION_FIELD_NUMBER: _ClassVar[int]
    MAX_UNAVAILABLE_FIELD_NUMBER: _ClassVar[int]
    partition: int
    max_unavailable: IntOrPercent
    def __init__(self, partition: _Optional[int] = ..., max_unavailable: _Optional[_Union[IntOrPercent, _Mapping[str, object]]] = ...) -> None: ...

class IntOrPercent(_message.Message):
    __slots__ = ("count", "percent")
    COUNT_FIELD_NUMBER: _ClassVar[int]
    PERCENT_FIELD_NUMBER: _ClassVar[int]
    count: int
    percent: str
    def __init__(self, count: _Optional[int] = ..., percent: _Optional[str] = ...) -> None: ...

class ClaimRetention(_message.Message):
    __slots__ = ("when_deleted", "when_scaled")
    WHEN_DELETED_FIELD_NUMBER: _ClassVar[int]
    WHEN_SCALED_FIELD_NUMBER: _ClassVar[int]
    when_deleted: str
    when_scaled: str
    def __init__(self, when_deleted: _Optional[str] = ..., when_scaled: _Optional[str] = ...) -> None: ...

class StatefulSetStatus(_message.Message):
    __slots__ = ("observed_generation", "replicas", "ready_replicas", "available_replicas", "current_replicas", "updated_replicas", "current_revision", "update_revision", "collision_count", "conditions")
    OBSERVED_GENERATION_FIELD_NUMBER: _ClassVar[int]
    REPLICAS_FIELD_NUMBER: _ClassVar[int]
    READY_REPLICAS_FIELD_NUMBER: _ClassVar[int]
    AVAILABLE_REPLICAS_FIELD_NUMBER: _ClassVar[int]
    CURRENT_REPLICAS_FIELD_NUMBER: _ClassVar[int]
    UPDATED_REPLICAS_FIELD_NUMBER: _ClassVar[int]
    CURRENT_REVISION_FIELD_NUMBER: _ClassVar[int]
    UPDATE_REVISION_FIELD_NUMBER: _ClassVar[int]
    COLLISION_COUNT_FIELD_NUMBER: _ClassVar[int]
    CONDITIONS_FIELD_NUMBER: _ClassVar[int]
    observed_generation: int
    replicas: int
    ready_replicas: int
    available_replicas: int
    current_replicas: int
    updated_replicas: int
    current_revision: str
    update_revision: str
    collision_count: int
    conditions: _containers.RepeatedCompositeFieldContainer[Condition]
    def __init__(self, observed_generation: _Optional[int] = ..., replicas: _Optional[int] = ..., ready_replicas: _Optional[int] = ..., available_replicas: _Optional[int] = ..., current_replicas: _Optional[int] = ..., updated_replicas: _Optional[int] = ..., current_revision: _Optional[str] = ..., update_revision: _Optional[str] = ..., collision_count: _Optional[int] = ..., conditions: _Optional[_Iterable[_Union[Condition, _Mapping[str, object]]]] = ...) -> None: ...

class Condition(_message.Message):
    __slots__ = ("type", "status", "reason", "message", "last_transition_time")
    TYPE_FIELD_NUMBER: _ClassVar[int]
    STATUS_FIELD_NUMBER: _ClassVar[int]
    REASON_FIELD_NUMBER: _ClassVar[int]
    MESSAGE_FIELD_NUMBER: _ClassVar[int]
    LAST_TRANSITION_TIME_FIELD_NUMBER: _ClassVar[int]
    type: str
    status: str
    reason: str
    message: str
    last_transition_time: _timestamp_pb2.Timestamp
    def __init__(self, type: _Optional[str] = ..., status: _Optional[str] = ..., reason: _Optional[str] = ..., message: _Optional[str] = ..., last_transition_time: _Optional[_Union[_timestamp_pb2.Timestamp, _Mapping[str, object]]] = ...) -> None: ...

class Pod(_message.Message):
    __slots__ = ("name", "uid", "resource_version", "phase", "ready", "pod_name_label", "pod_index_label", "disrupted", "ready_changed_unix_ms", "deletion_unix_ms", "created_unix_ms", "started_unix_ms", "label_set_index", "owner_set_index", "revision_name_index", "volume_set_index", "annotation_set_index", "other_claims", "termination_messages", "containers", "node_lost", "deletion_grace_seconds", "scheduling_gates")
    NAME_FIELD_NUMBER: _ClassVar[int]
    UID_FIELD_NUMBER: _ClassVar[int]
    RESOURCE_VERSION_FIELD_NUMBER: _ClassVar[int]
    PHASE_FIELD_NUMBER: _ClassVar[int]
    READY_FIELD_NUMBER: _ClassVar[int]
    POD_NAME_LABEL_FIELD_NUMBER: _ClassVar[int]
    POD_INDEX_LABEL_FIELD_NUMBER: _ClassVar[int]
    DISRUPTED_FIELD_NUMBER: _ClassVar[int]
    READY_CHANGED_UNIX_MS_FIELD_NUMBER: _ClassVar[int]
    DELETION_UNIX_MS_FIELD_NUMBER: _ClassVar[int]
    CREATED_UNIX_MS_FIELD_NUMBER: _ClassVar[int]
    STARTED_UNIX_MS_FIELD_NUMBER: _ClassVar[int]
    LABEL_SET_INDEX_FIELD_NUMBER: _ClassVar[int]
    OWNER_SET_INDEX_FIELD_NUMBER: _ClassVar[int]
    REVISION_NAME_INDEX_FIELD_NUMBER: _ClassVar[int]
    VOLUME_SET_INDEX_FIELD_NUMBER: _ClassVar[int]
    ANNOTATION_SET_INDEX_FIELD_NUMBER: _ClassVar[int]
    OTHER_CLAIMS_FIELD_NUMBER: _ClassVar[int]
    TERMINATION_MESSAGES_FIELD_NUMBER: _ClassVar[int]
    CONTAINERS_FIELD_NUMBER: _ClassVar[int]
    NODE_LOST_FIELD_NUMBER: _ClassVar[int]
    DELETION_GRACE_SECONDS_FIELD_NUMBER: _ClassVar[int]
    SCHEDULING_GATES_FIELD_NUMBER: _ClassVar[int]
    name: str
    uid: str
    resource_version: str
    phase: PodPhase
    ready: bool
    pod_name_label: bool
    pod_index_label: bool
    disrupted: bool
    ready_changed_unix_ms: int
    deletion_unix_ms: int
    created_unix_ms: int
    started_unix_ms: int
    label_set_index: int
    owner_set_index: int
    revision_name_index: int
    volume_set_index: int
    annotation_set_index: int
    other_claims: _containers.RepeatedCompositeFieldContainer[ClaimBinding]
    termination_messages: _containers.RepeatedScalarFieldContainer[str]
    containers: PodContainers
    node_lost: bool
    deletion_grace_seconds: int
    scheduling_gates: _containers.RepeatedScalarFieldContainer[str]
    def __init__(self, name: _Optional[str] = ..., uid: _Optional[str] = ..., resource_version: _Optional[str] = ..., phase: _Optional[_Union[PodPhase, str]] = ..., ready: bool = ..., pod_name_label: bool = ..., pod_index_label: bool = ..., disrupted: bool = ..., ready_changed_unix_ms: _Optional[int] = ..., deletion_unix_ms: _Optional[int] = ..., created_unix_ms: _Optional[int] = ..., started_unix_ms: _Optional[int] = ..., label_set_index: _Optional[int] = ..., owner_set_index: _Optional[int] = ..., revision_name_index: _Optional[int] = ..., volume_set_index: _Optional[int] = ..., annotation_set_index: _Optional[int] = ..., other_claims: _Optional[_Iterable[_Union[ClaimBinding, _Mapping[str, object]]]] = ..., termination_messages: _Optional[_Iterable[str]] = ..., containers: _Optional[_Union[PodContainers, _Mapping[str, object]]] = ..., node_lost: bool = ..., deletion_grace_seconds: _Optional[int] = ..., scheduling_gates: _Optional[_Iterable[str]] = ...) -> None: ...

class PodContainers(_message.Message):
    __slots__ = ("generation", "observed_generation", "containers", "init_containers", "resize_pending", "resize_in_progress")
    GENERATION_FIELD_NUMBER: _ClassVar[int]
    OBSERVED_GENERATION_FIELD_NUMBER: _ClassVar[int]
    CONTAINERS_FIELD_NUMBER: _ClassVar[int]
    INIT_CONTAINERS_FIELD_NUMBER: _ClassVar[int]
    RESIZE_PENDING_FIELD_NUMBER: _ClassVar[int]
    RESIZE_IN_PROGRESS_FIELD_NUMBER: _ClassVar[int]
    generation: int
    observed_generation: int
    containers: _containers.RepeatedCompositeFieldContainer[Container]
    init_containers: _containers.RepeatedCompositeFieldContainer[Container]
    resize_pending: PodResize
    resize_in_progress: PodResize
    def __init__(self, generation: _Optional[int] = ..., observed_generation: _Optional[int] = ..., containers: _Optional[_Iterable[_Union[Container, _Mapping[str, object]]]] = ..., init_containers: _Optional[_Iterable[_Union[Container, _Mapping[str, object]]]] = ..., resize_pending: _Optional[_Union[PodResize, _Mapping[str, object]]] = ..., resize_in_progress: _Optional[_Union[PodResize, _Mapping[str, object]]] = ...) -> None: ...

class PodResize(_message.Message):
    __slots__ = ("reason", "message", "since_unix_ms", "observed_generation")
    REASON_FIELD_NUMBER: _ClassVar[int]
    MESSAGE_FIELD_NUMBER: _ClassVar[int]
    SINCE_UNIX_MS_FIELD_NUMBER: _ClassVar[int]
    OBSERVED_GENERATION_FIELD_NUMBER: _ClassVar[int]
    reason: str
    message: str
    since_unix_ms: int
    observed_generation: int
    def __init__(self, reason: _Optional[str] = ..., message: _Optional[str] = ..., since_unix_ms: _Optional[int] = ..., observed_generation: _Optional[int] = ...) -> None: ...

class Container(_message.Message):
    __slots__ = ("name", "image", "status_image", "image_id", "container_id", "started_unix_ms", "waiting_reason", "resources", "status_resources")
    NAME_FIELD_NUMBER: _ClassVar[int]
    IMAGE_FIELD_NUMBER: _ClassVar[int]
    STATUS_IMAGE_FIELD_NUMBER: _ClassVar[int]
    IMAGE_ID_FIELD_NUMBER: _ClassVar[int]
    CONTAINER_ID_FIELD_NUMBER: _ClassVar[int]
    STARTED_UNIX_MS_FIELD_NUMBER: _ClassVar[int]
    WAITING_REASON_FIELD_NUMBER: _ClassVar[int]
    RESOURCES_FIELD_NUMBER: _ClassVar[int]
    STATUS_RESOURCES_FIELD_NUMBER: _ClassVar[int]
    name: str
    image: str
    status_image: str
    image_id: str
    container_id: str
    started_unix_ms: int
    waiting_reason: str
    resources: ContainerResources
    status_resources: ContainerResources
    def __init__(self, name: _Optional[str] = ..., image: _Optional[str] = ..., status_image: _Optional[str] = ..., image_id: _Optional[str] = ..., container_id: _Optional[str] = ..., started_unix_ms: _Optional[int] = ..., waiting_reason: _Optional[str] = ..., resources: _Optional[_Union[ContainerResources, _Mapping[str, object]]] = ..., status_resources: _Optional[_Union[ContainerResources, _Mapping[str, object]]] = ...) -> None: ...

class ContainerResources(_message.Message):
    __slots__ = ("requests", "limits")
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
    REQUESTS_FIELD_NUMBER: _ClassVar[int]
    LIMITS_FIELD_NUMBER: _ClassVar[int]
    requests: _containers.ScalarMap[str, str]
    limits: _containers.ScalarMap[str, str]
    def __init__(self, requests: _Optional[_Mapping[str, str]] = ..., limits: _Optional[_Mapping[str, str]] = ...) -> None: ...

class ClaimBinding(_message.Message):
    __slots__ = ("volume", "claim")
    VOLUME_FIELD_NUMBER: _ClassVar[int]
    CLAIM_FIELD_NUMBER: _ClassVar[int]
    volume: str
    claim: str
    def __init__(self, volume: _Optional[str] = ..., claim: _Optional[str] = ...) -> None: ...

class Claim(_message.Message):
    __slots__ = ("name", "uid", "resource_version", "deletion_unix_ms", "phase", "owner_set_index", "annotation_set_index", "storage_index")
    NAME_FIELD_NUMBER: _ClassVar[int]
    UID_FIELD_NUMBER: _ClassVar[int]
    RESOURCE_VERSION_FIELD_NUMBER: _ClassVar[int]
    DELETION_UNIX_MS_FIELD_NUMBER: _ClassVar[int]
    PHASE_FIELD_NUMBER: _ClassVar[int]
    OWNER_SET_INDEX_FIELD_NUMBER: _ClassVar[int]
    ANNOTATION_SET_INDEX_FIELD_NUMBER: _ClassVar[int]
    STORAGE_INDEX_FIELD_NUMBER: _ClassVar[int]
    name: str
    uid: str
    resource_version: str
    deletion_unix_ms: int
    phase: ClaimPhase
    owner_set_index: int
    annotation_set_index: int
    storage_index: int
    def __init__(self, name: _Optional[str] = ..., uid: _Optional[str] = ..., resource_version: _Optional[str] = ..., deletion_unix_ms: _Optional[int] = ..., phase: _Optional[_Union[ClaimPhase, str]] = ..., owner_set_index: _Optional[int] = ..., annotation_set_index: _Optional[int] = ..., storage_index: _Optional[int] = ...) -> None: ...

class Revision(_message.Message):
    __slots__ = ("name", "uid", "resource_version", "number", "owner_set_index", "labels", "created_unix_ms", "data")
    class LabelsEntry(_message.Message):
        __slots__ = ("key", "value")
        KEY_FIELD_NUMBER: _ClassVar[int]
        VALUE_FIELD_NUMBER: _ClassVar[int]
        key: str
        value: str
        def __init__(self, key: _Optional[str] = ..., value: _Optional[str] = ...) -> None: ...
    NAME_FIELD_NUMBER: _ClassVar[int]
    UID_FIELD_NUMBER: _ClassVar[int]
    RESOURCE_VERSION_FIELD_NUMBER: _ClassVar[int]
    NUMBER_FIELD_NUMBER: _ClassVar[int]
    OWNER_SET_INDEX_FIELD_NUMBER: _ClassVar[int]
    LABELS_FIELD_NUMBER: _ClassVar[int]
    CREATED_UNIX_MS_FIELD_NUMBER: _ClassVar[int]
    DATA_FIELD_NUMBER: _ClassVar[int]
    name: str
    uid: str
    resource_version: str
    number: int
    owner_set_index: int
    labels: _containers.ScalarMap[str, str]
    created_unix_ms: int
    data: bytes
    def __init__(self, name: _Optional[str] = ..., uid: _Optional[str] = ..., resource_version: _Optional[str] = ..., number: _Optional[int] = ..., owner_set_index: _Optional[int] = ..., labels: _Optional[_Mapping[str, str]] = ..., created_unix_ms: _Optional[int] = ..., data: _Optional[bytes] = ...) -> None: ...

class Outcome(_message.Message):
    __slots__ = ("action_id", "result", "count", "message", "tried_at")
    ACTION_ID_FIELD_NUMBER: _ClassVar[int]
    RESULT_FIELD_NUMBER: _ClassVar[int]
    COUNT_FIELD_NUMBER: _ClassVar[int]
    MESSAGE_FIELD_NUMBER: _ClassVar[int]
    TRIED_AT_FIELD_NUMBER: _ClassVar[int]
    action_id: str
    result: OutcomeResult
    count: int
    message: str
    tried_at: _timestamp_pb2.Timestamp
    def __init__(self, action_id: _Optional[str] = ..., result: _Optional[_Union[OutcomeResult, str]] = ..., count: _Optional[int] = ..., message: _Optional[str] = ..., tried_at: _Optional[_Union[_timestamp_pb2.Timestamp, _Mapping[str, object]]] = ...) -> None: ...

class Policy(_message.Message):
    __slots__ = ("behavior", "scope", "repair", "drain")
    BEHAVIOR_FIELD_NUMBER: _ClassVar[int]
    SCOPE_FIELD_NUMBER: _ClassVar[int]
    REPAIR_FIELD_NUMBER: _ClassVar[int]
    DRAIN_FIELD_NUMBER: _ClassVar[int]
    behavior: Behavior
    scope: Scope
    repair: Repair
    drain: DrainPolicy
    def __init__(self, behavior: _Optional[_Union[Behavior, str]] = ..., scope: _Optional[_Union[Scope, str]] = ..., repair: _Optional[_Union[Repair, str]] = ..., drain: _Optional[_Union[DrainPolicy, _Mapping[str, object]]] = ...) -> None: ...

class DrainPolicy(_message.Message):
    __slots__ = ("pod_template", "scale_up", "max_parallel", "leftovers", "on_delete", "ask", "proof")
    POD_TEMPLATE_FIELD_NUMBER: _ClassVar[int]
    SCALE_UP_FIELD_NUMBER: _ClassVar[int]
    MAX_PARALLEL_FIELD_NUMBER: _ClassVar[int]
    LEFTOVERS_FIELD_NUMBER: _ClassVar[int]
    ON_DELETE_FIELD_NUMBER: _ClassVar[int]
    ASK_FIELD_NUMBER: _ClassVar[int]
    PROOF_FIELD_NUMBER: _ClassVar[int]
    pod_template: bytes
    scale_up: DrainScaleUp
    max_parallel: int
    leftovers: bool
    on_delete: bool
    ask: bool
    proof: DrainProof
    def __init__(self, pod_template: _Optional[bytes] = ..., scale_up: _Optional[_Union[DrainScaleUp, str]] = ..., max_parallel: _Optional[int] = ..., leftovers: bool = ..., on_delete: bool = ..., ask: bool = ..., proof: _Optional[_Union[DrainProof, str]] = ...) -> None: ...
