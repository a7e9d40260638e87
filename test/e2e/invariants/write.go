package invariants

import (
	"bytes"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/setplan/setplan/test/invariants/law"
)

// check shows a step to the invariants; nil where no set has a part in it, or nobody can tell whose doing it is.
func (w *world) check(s step) *law.Check {
	switch {
	case s.pod != nil && s.created:
		return w.podCreated(s)
	case s.pod != nil && s.going:
		return w.podGoing(s)
	case s.claim != nil:
		return w.claimGoing(s)
	case s.revision != nil && !s.deleted:
		return w.revisionWritten(s)
	}
	return nil
}

func (w *world) podCreated(s step) *law.Check {
	// It was decided on before it was made, so what counts is what was available by then.
	at := s.pod.CreationTimestamp.Time
	if set := w.marked(s.pod); set != nil {
		seen := w.show(set, at)
		return &law.Check{Seen: seen, Write: law.Write{Op: law.CreateDrainPod, Ordinal: ordinalOf(s.pod.Name, set.Name), Claims: claimsOf(s.pod)}}
	}
	set := w.setOf(s.pod)
	if set == nil {
		return nil
	}
	c := &law.Check{Seen: w.show(set, at), Write: law.Write{Op: law.CreatePod, Ordinal: ordinalOf(s.pod.Name, set.Name),
		Revision: w.pod(set, s.pod, at).Revision}}
	w.addMounted(c, s)
	return c
}

// addMounted shows the claims that a pod has mounted and no template of its set asks for.
func (w *world) addMounted(c *law.Check, s step) {
	for i := range c.Seen.Places {
		if p := &c.Seen.Places[i]; p.Ordinal == c.Write.Ordinal {
			shown := map[string]bool{}
			for _, k := range p.Claims {
				shown[k.Name] = true
			}
			for _, name := range claimsOf(s.pod) {
				if !shown[name] {
					p.Claims = append(p.Claims, w.claim(w.setOf(s.pod), name, nil))
				}
			}
		}
	}
}

func (w *world) podGoing(s step) *law.Check {
	set := w.setOf(s.pod)
	if set == nil {
		return nil
	}
	seen := w.show(set, s.at)
	return &law.Check{Seen: seen, Truth: seen, Write: law.Write{Op: law.DeletePod, Ordinal: ordinalOf(s.pod.Name, set.Name)}}
}

// claimGoing is about marked claims only: what nobody has marked, anybody may have deleted. The set may be gone.
func (w *world) claimGoing(s step) *law.Check {
	before := w.claims[s.claim.Name]
	if before == nil || before.Annotations[drainSet] == "" || before.DeletionTimestamp != nil || !s.deleted && s.claim.DeletionTimestamp == nil {
		return nil
	}
	write := law.Write{Op: law.CollectClaim, Claim: law.Claim{Name: before.Name}, Promised: true}
	k := law.Claim{Name: before.Name, Exists: true, Mark: law.Ours, Empty: w.drained[string(before.UID)] == before.Annotations[drainSet]}
	return &law.Check{Truth: &law.Set{Gone: true, Places: []law.Place{{Claims: []law.Claim{k}}}}, Write: write}
}

func (w *world) revisionWritten(s step) *law.Check {
	r := s.revision
	c := &law.Check{Write: law.Write{Op: law.CreateRevision, Revision: r.Name, Number: r.Revision}}
	if data, known := w.data[r.UID]; known {
		c.Write.DataChanged = !bytes.Equal(data, r.Data.Raw)
	}
	if before := w.revisions[r.Name]; before != nil && before.UID == r.UID {
		c.Write.Op, c.Write.Before = law.RenumberRevision, before.Revision
		if before.Revision == r.Revision {
			c.Write.Op = law.ChangeRevision
		}
	}
	controller := metav1.GetControllerOf(r)
	if controller == nil {
		return c
	}
	c.Seen = &law.Set{}
	for name, other := range w.revisions {
		if owner := metav1.GetControllerOf(other); owner != nil && owner.UID == controller.UID {
			c.Seen.Revisions = append(c.Seen.Revisions, law.Revision{Name: name, Number: other.Revision})
		}
	}
	return c
}

// restBroken asks the sets at the end of a history, who have come to rest, for what does not depend on pods getting ready.
func (w *world) restBroken(at time.Time) []Violation {
	var violations []Violation
	for _, set := range w.sets {
		if set.DeletionTimestamp != nil {
			continue
		}
		seen := w.show(set, at)
		for _, invariant := range law.AtRest {
			if invariant.Name != law.ClaimsAreAsWanted {
				continue
			}
			if err := invariant.Holds(seen); err != nil {
				violations = append(violations, Violation{Invariant: invariant.Name, What: set.Name + ": " + err.Error()})
			}
		}
	}
	return violations
}
