package claimtemplate

import "github.com/setplan/setplan/engine/rollout"

// Known is which claim templates the set and its revisions have.
type Known struct {
	rollout.Rollout
	Templates   []claimTemplate     // the set's own, and after them those that it adds, by name
	ClaimPolicy claimPolicy         // zero: claims stay as they were made
	Wants       []ClaimWant         // by template; nil: there is no such policy
	Removals    removals            // zero: all pods have all claim templates
	Said        map[string][]saidOf // by revision: what its data says of claim templates; nil: no revision says anything
	remembered
}

// remembered is what was computed from the rest, on first use.
type remembered struct {
	named map[string]int // see TemplateNamed
}
