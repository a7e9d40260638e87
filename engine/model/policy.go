package model

import "strconv"

// Policy is the policy of the program that asks for a plan. It overrides the set's annotations; a zero field leaves the choice to them.
// See setplan.v1.Policy.
type Policy struct {
	Scope  Scope
	Repair Repair
	Drain  DrainPolicy
}

// WholeSet reports whether all of the set is planned, and not only its drain.
func (p *Policy) WholeSet() bool { return p.Scope == ScopeUnspecified || p.Scope == ScopeWholeSet }

// DrainPolicy is the part of a Policy that is about drains.
type DrainPolicy struct {
	PodTemplate []byte // JSON. Nil leaves it to the annotations; empty and not nil drains nothing, whatever they say
	ScaleUp     DrainScaleUp
	MaxParallel int32
	Leftovers   *bool
	OnDelete    *bool
	Ask         *bool
	Proof       DrainProof
}

// Scope has the numbers of setplan.v1.Scope.
type Scope int32

// What of the set is planned; unspecified is the whole set.
const (
	ScopeUnspecified Scope = iota
	ScopeWholeSet
	ScopeDrainOnly
)

// Repair has the numbers of setplan.v1.Repair.
type Repair int32

// Which pods are repaired.
const (
	RepairUnspecified Repair = iota
	RepairNever
	RepairNeverReady
	RepairUnready
)

// DrainScaleUp has the numbers of setplan.v1.DrainScaleUp.
type DrainScaleUp int32

// What happens to an ordinal that comes back while it is drained.
const (
	DrainScaleUpUnspecified DrainScaleUp = iota
	DrainScaleUpFinish
	DrainScaleUpCancel
)

// DrainProof has the numbers of setplan.v1.DrainProof.
type DrainProof int32

// How a drain pod proves that it is done.
const (
	DrainProofUnspecified DrainProof = iota
	DrainProofSuccess
	DrainProofToken
)

// Document is the JSON of an annotation that need not be JSON. The engine reads JSON only; the maker of the snapshot converts YAML.
type Document struct {
	JSON    []byte
	Problem string // why there is none, for the author of the annotation
}

// Text is the value as an annotation has it. An unknown number becomes an invalid value.
func (v DrainScaleUp) Text() string {
	switch v {
	case DrainScaleUpFinish:
		return "Finish"
	case DrainScaleUpCancel:
		return "Cancel"
	}
	return strconv.Itoa(int(v))
}

// Text is explained at DrainScaleUp.
func (v DrainProof) Text() string {
	switch v {
	case DrainProofSuccess:
		return "" // an annotation has no word for it
	case DrainProofToken:
		return "Token"
	}
	return strconv.Itoa(int(v))
}
