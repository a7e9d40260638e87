package codec

import (
	"strings"
	"unicode/utf8"

	"github.com/setplan/setplan/engine/model"
	setplanv1 "github.com/setplan/setplan/proto/setplan/v1"
)

// names finds names that occur twice in a list: an API server cannot hold two objects of one name.
//
// Adapters send web-0, web-1, ..., web-10: each name is longer than the one before, or later in the alphabet. As long as
// that holds, no name can occur twice, and nothing need be remembered.
type names struct {
	of    int // how many there are
	last  string
	first map[string]int // positions; nil while the names ascend
}

func (n *names) check(e element, name string, before func(i int) string) {
	if e.required("name", name); name == "" {
		return
	}
	if n.first == nil && ascends(n.last, name) {
		n.last = name
		return
	}
	if n.first == nil {
		n.first = make(map[string]int, n.of)
		for i := range e.index {
			if e.over(i) {
				return
			}
			n.first[before(i)] = i
		}
	}
	if first, taken := n.first[name]; taken {
		e.add("name", "%.64q is already the name of %s[%d]", name, e.list, first)
		return
	}
	n.first[name] = e.index
}

func ascends(from, to string) bool {
	if len(from) != len(to) {
		return len(from) < len(to)
	}
	return from < to
}

func decodePods(r *report, t *tables, in []*setplanv1.Pod) []model.Pod {
	out := r.limits.memory().pods.of(len(in))
	seen := names{of: len(in)}
	bindings := 0
	for i, p := range in {
		if r.over(i) {
			return nil
		}
		bindings += len(p.GetOtherClaims())
	}
	other := make([]model.ClaimBinding, 0, bindings)
	running := containersOf(r, in)
	for i, p := range in {
		if r.over(i) {
			return nil
		}
		e := element{r, "snapshot.pods", i}
		seen.check(e, p.GetName(), func(i int) string { return out[i].Name })
		e.required("uid", p.GetUid())
		if p.GetPhase() < setplanv1.PodPhase_POD_PHASE_UNSPECIFIED || p.GetPhase() > setplanv1.PodPhase_POD_PHASE_UNKNOWN {
			e.add("phase", "unknown value %d", p.GetPhase())
		}
		first := len(other)
		for _, b := range p.GetOtherClaims() {
			other = append(other, model.ClaimBinding{Volume: b.GetVolume(), Claim: claimName(b.GetClaim())})
		}
		out[i] = model.Pod{
			Name:            p.GetName(),
			UID:             p.GetUid(),
			ResourceVersion: p.GetResourceVersion(),
			PodStatus: model.PodStatus{
				Phase:          model.PodPhase(p.GetPhase()),
				Ready:          p.GetReady(),
				ReadyChangedAt: e.time("ready_changed_unix_ms", p.GetReadyChangedUnixMs()),
				StartedAt:      e.time("started_unix_ms", p.GetStartedUnixMs()),
				Disrupted:      p.GetDisrupted(),
				NodeLost:       p.GetNodeLost(),
				Containers:     running.decode(e, p.GetContainers()),
			},
			DeletedAt:     e.time("deletion_unix_ms", p.GetDeletionUnixMs()),
			CreatedAt:     e.time("created_unix_ms", p.GetCreatedUnixMs()),
			Labels:        e.labels(t, p.GetLabelSetIndex()),
			Owners:        e.owners(t, p.GetOwnerSetIndex()),
			Revision:      e.revision(t, p.GetRevisionNameIndex()),
			PodNameLabel:  p.GetPodNameLabel(),
			PodIndexLabel: p.GetPodIndexLabel(),
			Gates:         p.GetSchedulingGates(),
			Volumes:       e.volumes(t, p.GetVolumeSetIndex()),
			Annotations:   e.annotations(t, p.GetAnnotationSetIndex()),
		}
		if p.GetDeletionUnixMs() != 0 && p.DeletionGraceSeconds != nil {
			out[i].LeavingSince = askedAt(out[i].DeletedAt, p.GetDeletionGraceSeconds())
		}
		if messages := p.GetTerminationMessages(); len(messages) > 0 {
			out[i].Ended = &model.PodEnded{Messages: messages}
		}
		if len(other) > first {
			out[i].OtherClaims = other[first:len(other):len(other)]
		}
		if r.limits.Memory != nil {
			in[i] = nil
		}
	}
	return out
}

// claimName cuts a name that no claim has, because it is too long: no API server checks those that pods mount.
func claimName(name string) string {
	if len(name) <= maxName {
		return name
	}
	return strings.ToValidUTF8(name[:min(len(name), maxName+utf8.UTFMax)], "")
}

func decodeClaims(r *report, t *tables, in []*setplanv1.Claim) []model.Claim {
	out := r.limits.memory().claims.of(len(in))
	seen := names{of: len(in)}
	for i, c := range in {
		if r.over(i) {
			return nil
		}
		e := element{r, "snapshot.claims", i}
		seen.check(e, c.GetName(), func(i int) string { return out[i].Name })
		e.required("uid", c.GetUid())
		if c.GetPhase() < setplanv1.ClaimPhase_CLAIM_PHASE_UNSPECIFIED || c.GetPhase() > setplanv1.ClaimPhase_CLAIM_PHASE_LOST {
			e.add("phase", "unknown value %d", c.GetPhase())
		}
		out[i] = model.Claim{
			Name:            c.GetName(),
			UID:             c.GetUid(),
			ResourceVersion: c.GetResourceVersion(),
			Owners:          e.owners(t, c.GetOwnerSetIndex()),
			DeletedAt:       e.time("deletion_unix_ms", c.GetDeletionUnixMs()),
			Phase:           model.ClaimPhase(c.GetPhase()),
			Annotations:     e.annotations(t, c.GetAnnotationSetIndex()),
			Storage:         e.storage(t, c.GetStorageIndex()),
		}
		if r.limits.Memory != nil {
			in[i] = nil
		}
	}
	return out
}

func decodeRevisions(r *report, t *tables, in []*setplanv1.Revision) []model.Revision {
	out := make([]model.Revision, len(in))
	seen := names{of: len(in)}
	for i, v := range in {
		if r.over(i) {
			return nil
		}
		e := element{r, "snapshot.revisions", i}
		seen.check(e, v.GetName(), func(i int) string { return out[i].Name })
		e.required("uid", v.GetUid())
		out[i] = model.Revision{
			Name:            v.GetName(),
			UID:             v.GetUid(),
			ResourceVersion: v.GetResourceVersion(),
			Number:          v.GetNumber(),
			Owners:          e.owners(t, v.GetOwnerSetIndex()),
			Labels:          v.GetLabels(),
			CreatedAt:       e.time("created_unix_ms", v.GetCreatedUnixMs()),
			Data:            v.GetData(),
		}
	}
	return out
}
