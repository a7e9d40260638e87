// Package model is what the engine takes and gives: a snapshot of one set with what belongs to it, and a plan. Numbers of codes are those of setplan.v1. What an
// object says of itself is a method here; what a rule makes of it stands beside the rule.
package model

import "time"

// Snapshot is what an adapter saw of one set at one moment. Decide only reads it, and the plan may share its strings
// and byte slices.
type Snapshot struct {
	ObservedAt   time.Time
	Coverage     Coverage
	Set          Set
	Pods         []Pod
	Claims       []Claim
	Revisions    []Revision
	Outcomes     []Outcome
	Policy       Policy
	Rules        Rules
	Capabilities Capabilities

	// Documents holds the results for Policy.Documents, by annotation. A text that is not here is JSON.
	Documents map[string]Document

	ClaimNeighbours []ClaimNeighbour

	// FixedClasses are storage classes that let no volume grow.
	FixedClasses []string
}

// ClaimNeighbour is another set of the namespace with the claim names of one of this set's templates.
type ClaimNeighbour struct{ Set, ClaimTemplate string }

// Coverage says which kinds are listed completely; the absence of an object means something only for those.
type Coverage struct {
	Pods, Claims, Revisions bool
}

// Labels may be shared by several objects; pods with the same labels should share the pointer, so that the selector is evaluated once. A nil
// *Labels is empty.
type Labels struct {
	Values map[string]string
}

// Annotations are the annotations of a pod or a claim under our prefix, unchanged: inplace/notes.go reads them. Objects with the same annotations
// should share the pointer, so that long ones are read once. A nil *Annotations is empty.
type Annotations struct {
	Values map[string]string
}

// Owner is an owner reference. Objects with the same owners should share the slice.
type Owner struct {
	APIVersion, Kind, Name, UID    string
	Controller, BlockOwnerDeletion bool
}

// Object is what a workload is, of whatever kind.
type Object struct {
	APIVersion, Kind, Namespace, Name, UID string
	Generation                             int64
	ResourceVersion                        string
	DeletedAt                              time.Time // zero: not being deleted
	Annotations                            map[string]string
	Finalizers                             []string
}

// Spec is what a set asks for, but for its templates.
type Spec struct {
	Replicas             int32
	OrdinalsStart        int32
	Selector             Selector
	ServiceName          string
	PodManagementPolicy  string // "OrderedReady", "Parallel"; empty is OrderedReady
	StrategyType         string // "RollingUpdate", "OnDelete", "Recreate"; empty is RollingUpdate
	RollingUpdate        *RollingUpdate
	MinReadySeconds      int32
	RevisionHistoryLimit int32 // negative keeps everything
	WhenDeleted          string
	WhenScaled           string
}

// Set is the set: typed where the engine reads a field, bytes where Kubernetes owns the format.
type Set struct {
	Object
	Spec

	PodTemplate    []byte   // spec.template, JSON
	ClaimTemplates [][]byte // spec.volumeClaimTemplates, JSON each

	OwnFields []byte // what spec has beyond apps/v1, JSON; nil: nothing
	Refusal   string // what the API server said of the templates; "": it took them

	Status Status
}

// RollingUpdate holds the parameters of that strategy. A set without them (nil) keeps status.currentReplicas low ordinals at the current
// revision, as upstream does.
type RollingUpdate struct {
	Partition      int32
	MaxUnavailable *IntOrPercent // nil is 1
}

// IntOrPercent is a count, or with a non-empty Percent a percentage of the replicas.
type IntOrPercent struct {
	Count   int32
	Percent string
}

// Selector has the meaning of metav1.LabelSelector.
type Selector struct {
	MatchLabels map[string]string
	Expressions []Requirement
}

// Requirement is one condition of a Selector.
type Requirement struct {
	Key      string
	Operator string // "In", "NotIn", "Exists", "DoesNotExist"
	Values   []string
}

// Status is the part of the set's status that the engine reads and writes.
type Status struct {
	ObservedGeneration int64
	Replicas           int32
	ReadyReplicas      int32
	AvailableReplicas  int32
	CurrentReplicas    int32
	UpdatedReplicas    int32
	CurrentRevision    string
	UpdateRevision     string
	CollisionCount     *int32
	LongRevision       bool // of a stored one: a revision had a longer name than an object can have, and is read as none
	// Conditions are the stored ones; in UpdateStatus, those to set, by type.
	Conditions []Condition
}

// Condition is one entry of status.conditions.
type Condition struct {
	Type, Status, Reason, Message string
	ChangedAt                     time.Time // when Status changed
}

// PodPhase is status.phase of a pod, with the numbers of setplan.v1.PodPhase.
type PodPhase int32

// The phases.
const (
	PodPhaseNone PodPhase = iota
	PodPending
	PodRunning
	PodSucceeded
	PodFailed
	PodUnknown
)

// Pod is what the engine needs of a pod.
type Pod struct {
	Name, UID, ResourceVersion string
	PodStatus
	DeletedAt     time.Time // when its grace period ends; zero: not terminating
	LeavingSince  time.Time // when its deletion was asked for; zero: unknown, or not terminating
	CreatedAt     time.Time
	Labels        *Labels // without the identity labels that the next fields stand for
	Owners        []Owner
	Revision      string   // label controller-revision-hash
	PodNameLabel  bool     // label statefulset.kubernetes.io/pod-name equals Name
	PodIndexLabel bool     // label apps.kubernetes.io/pod-index equals the digits at the end of Name
	Gates         []string // the scheduling gates that it has
	Volumes       []string
	OtherClaims   []ClaimBinding
	Annotations   *Annotations
}

// PodStatus is what others say of a pod: its kubelet, or in its place the node controller.
type PodStatus struct {
	Phase          PodPhase
	Ready          bool
	ReadyChangedAt time.Time      // when the condition Ready last changed; zero: unknown
	StartedAt      time.Time      // when a kubelet took it; zero: none has, or unknown. Only read where Ready is false
	Disrupted      bool           // condition DisruptionTarget is true
	NodeLost       bool           // not ready, by the word of the node controller and not of its kubelet: it may serve
	Ended          *PodEnded      // nil: no container was given a token, as in nearly all pods
	Containers     *PodContainers // nil: the pod has no annotation setplan.io/in-place-update, as nearly all pods
}

// ClaimBinding is a volume that is bound to a claim with a name other than "<volume>-<pod>".
type ClaimBinding struct {
	Volume, Claim string
}

// ClaimPhase has the numbers of setplan.v1.ClaimPhase.
type ClaimPhase int32

// The claim phases.
const (
	ClaimPhaseNone ClaimPhase = iota
	ClaimPending
	ClaimBound
	ClaimLost
)

// Claim is what the engine needs of a persistent volume claim.
type Claim struct {
	Name, UID, ResourceVersion string
	Owners                     []Owner
	DeletedAt                  time.Time
	Phase                      ClaimPhase
	Annotations                *Annotations
	Storage                    *ClaimStorage // nil: the adapter says nothing of it
}

// ClaimStorage is what a claim asks for and has, as the API server writes it. Claims with the same values should share the pointer. A nil
// *ClaimStorage is empty.
type ClaimStorage struct {
	Request, Capacity                       string // spec.resources.requests.storage, status.capacity.storage
	ResizeStatus                            string // of status.allocatedResourceStatuses
	Class                                   string // spec.storageClassName
	AttributesClass, CurrentAttributesClass string // spec.volumeAttributesClassName, status.currentVolumeAttributesClassName
	ModifyStatus                            string // status.modifyVolumeStatus.status
	Conditions                              []Condition
}

// Revision is a stored ControllerRevision.
type Revision struct {
	Name, UID, ResourceVersion string
	Number                     int64
	Owners                     []Owner
	Labels                     map[string]string
	CreatedAt                  time.Time
	Data                       []byte
}

// Outcome is the result of an earlier action that failed.
type Outcome struct {
	ActionID string
	Result   OutcomeResult
	Count    int32
	Message  string
	TriedAt  time.Time // zero: not known
}

// OutcomeResult has the numbers of setplan.v1.OutcomeResult.
type OutcomeResult int32

// The results.
const (
	OutcomeUnknown OutcomeResult = iota
	OutcomeRejected
	OutcomeConflict
	OutcomeError
	OutcomeDisruptionBudget
	OutcomeNodeCapacity
)

// PodEnded is what the containers that were given a drain token have left behind.
type PodEnded struct {
	Messages []string // the termination message of each; empty while it has none
}

// PodContainers is what a pod is to run, and what a kubelet says of it.
type PodContainers struct {
	Generation, ObservedGeneration int64 // the observed one is 0 from old kubelets
	Containers, Init               []Container
	ResizePending                  *PodResize // nil: no node refuses what the spec asks for
	ResizeInProgress               *PodResize // nil: no node is about to give it
}

// PodResize is a condition of a pod whose resources change.
type PodResize struct {
	Reason, Message    string
	Since              time.Time // zero: it does not say
	ObservedGeneration int64     // 0: it does not say
}

// Container is a container of a pod. Texts of the status are empty where it says nothing.
type Container struct {
	Name, Image                       string // of the spec
	StatusImage, ImageID, ContainerID string
	StartedAt                         time.Time // zero: it does not run
	WaitingReason                     string
	Resources                         Resources  // of the spec
	StatusResources                   *Resources // what the runtime has given it; nil: it does not say
}

// Resources are what of a container's resources may change while it stays.
type Resources struct{ Requests, Limits Amounts }

// Amounts are quantities; empty: there is none.
type Amounts struct{ CPU, Memory string }

// RefersTo compares kind and name, not the uid: a reference may be to an earlier object of the same name.
func (o *Owner) RefersTo(apiVersion, kind, name string) bool {
	return o.APIVersion == apiVersion && o.Kind == kind && o.Name == name
}

// Get returns "" if the annotation is missing. It does not read the text.
func (a *Annotations) Get(name string) string {
	if a == nil {
		return ""
	}
	return a.Values[name]
}

// MaxReplicas is far beyond what a control plane carries, and bounds memory for any admitted spec. It is the server's limit of pods in one snapshot,
// too: what the engine would plan is not refused before it.
const MaxReplicas = 100_000
