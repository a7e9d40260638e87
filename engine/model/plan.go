package model

import "time"

// Plan is what to do now, in order, and what is held back.
type Plan struct {
	Fence        Fence
	Stages       []Stage
	Blocks       []Block
	RequeueAfter time.Duration // 0: only when something changes
	Done         bool          // whatever the spec asks for is reached; see statusPass.left
	Converged    bool          // that, and there is nothing to write, and nothing for people to act on
	Truncated    bool
}

// Fence must hold when the plan is applied.
type Fence struct {
	SetUID     string
	Generation int64
	MaxAge     time.Duration
}

// Stage is a group of steps that may run in parallel; stages run one after another.
type Stage struct {
	Phase           Phase
	Steps           []Step
	OnFailure       OnFailure
	AlwaysRun       bool
	RequiresLiveSet bool
}

// Step is a list of actions that run one after another; the first failure ends the step.
type Step struct {
	Actions []Action
}

// Action is one write.
type Action struct {
	ID              string
	Kind            string // kind of the target
	Name            string // name of the target, in the set's namespace
	MustNotExist    bool   // precondition
	UID             string // precondition
	ResourceVersion string // precondition
	Cause           Cause
	Op              Operation
}

// Cause says which rule asked for an action.
type Cause struct {
	Code    CauseCode
	Message string
}

// Block is something that is held back, or that people should know.
type Block struct {
	Code      BlockCode
	Severity  Severity
	Kind      string // kind of the subject
	Name      string // name of the subject
	Message   string
	Remedy    string    // empty if only time helps
	Since     time.Time // zero: the snapshot does not tell
	NotBefore time.Time // later than the snapshot; zero: the snapshot does not tell

	AsksFor KeyValue // see Asks
}

// Asks is the annotation of the subject by which somebody agrees to what the block holds back; ok is false if it asks for none.
func (b *Block) Asks() (answer KeyValue, ok bool) { return b.AsksFor, b.AsksFor.Key != "" }

// Kinds that actions and blocks name. The set's own kind stands in Set.Kind.
const (
	KindPod      = "Pod"
	KindClaim    = "PersistentVolumeClaim"
	KindRevision = "ControllerRevision"
)

// Add adds the step that part plans, unless it is empty.
func (s *Stage) Add(part func(*Step)) {
	var step Step
	if part(&step); len(step.Actions) > 0 {
		s.Steps = append(s.Steps, step)
	}
}
