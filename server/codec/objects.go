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

func (n *names) check(e *element, name string, before func(i int) string) {
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
			if e.over() {
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

// object is what the messages of all kinds have.
type object interface {
	GetName() string
	GetUid() string
}

// decodeAll decodes a list of objects into out. name is that of one that has been decoded.
func decodeAll[In object, Out any](r *report, list string, in []In, out []Out, name func(*Out) string, decode func(*element, In, *Out)) []Out {
	seen, e := names{of: len(in)}, &element{report: r, list: list}
	for i, o := range in {
		if r.over() {
			return nil
		}
		e.index = i
		seen.check(e, o.GetName(), func(i int) string { return name(&out[i]) })
		e.required("uid", o.GetUid())
		if decode(e, o, &out[i]); r.consumes {
			in[i] = *new(In)
		}
	}
	return out
}

func decodePods(r *report, t *tables, in []*setplanv1.Pod, memory *Memory) []model.Pod {
	name := func(p *model.Pod) string { return p.Name }
	return decodeAll(r, "snapshot.pods", in, memory.pods.of(len(in)), name, func(e *element, p *setplanv1.Pod, out *model.Pod) {
		if p.GetPhase() < setplanv1.PodPhase_POD_PHASE_UNSPECIFIED || p.GetPhase() > setplanv1.PodPhase_POD_PHASE_UNKNOWN {
			e.add("phase", "unknown value %d", p.GetPhase())
		}
		*out = model.Pod{
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
				Containers:     decodeContainers(e, p.GetContainers()),
			},
			DeletedAt:     e.time("deletion_unix_ms", p.GetDeletionUnixMs()),
			CreatedAt:     e.time("created_unix_ms", p.GetCreatedUnixMs()),
			Labels:        entry(e, "label_set_index", t.labels, p.GetLabelSetIndex()),
			Owners:        entry(e, "owner_set_index", t.owners, p.GetOwnerSetIndex()),
			Revision:      entry(e, "revision_name_index", t.revisions, p.GetRevisionNameIndex()),
			PodNameLabel:  p.GetPodNameLabel(),
			PodIndexLabel: p.GetPodIndexLabel(),
			Gates:         p.GetSchedulingGates(),
			Volumes:       entry(e, "volume_set_index", t.volumes, p.GetVolumeSetIndex()),
			OtherClaims: listOf(&e.waiting, p.GetOtherClaims(), func(b *setplanv1.ClaimBinding) model.ClaimBinding {
				return model.ClaimBinding{Volume: b.GetVolume(), Claim: claimName(b.GetClaim())}
			}),
			Annotations: entry(e, "annotation_set_index", t.notes, p.GetAnnotationSetIndex()),
		}
		if p.GetDeletionUnixMs() != 0 && p.DeletionGraceSeconds != nil {
			out.LeavingSince = askedAt(out.DeletedAt, p.GetDeletionGraceSeconds())
		}
		if messages := p.GetTerminationMessages(); len(messages) > 0 {
			out.Ended = &model.PodEnded{Messages: messages}
		}
	})
}

// claimName cuts a name that no claim has, because it is too long: no API server checks those that pods mount.
func claimName(name string) string {
	if len(name) <= maxName {
		return name
	}
	return strings.ToValidUTF8(name[:min(len(name), maxName+utf8.UTFMax)], "")
}

func decodeClaims(r *report, t *tables, in []*setplanv1.Claim, memory *Memory) []model.Claim {
	name := func(c *model.Claim) string { return c.Name }
	return decodeAll(r, "snapshot.claims", in, memory.claims.of(len(in)), name, func(e *element, c *setplanv1.Claim, out *model.Claim) {
		if c.GetPhase() < setplanv1.ClaimPhase_CLAIM_PHASE_UNSPECIFIED || c.GetPhase() > setplanv1.ClaimPhase_CLAIM_PHASE_LOST {
			e.add("phase", "unknown value %d", c.GetPhase())
		}
		*out = model.Claim{
			Name:            c.GetName(),
			UID:             c.GetUid(),
			ResourceVersion: c.GetResourceVersion(),
			Owners:          entry(e, "owner_set_index", t.owners, c.GetOwnerSetIndex()),
			DeletedAt:       e.time("deletion_unix_ms", c.GetDeletionUnixMs()),
			Phase:           model.ClaimPhase(c.GetPhase()),
			Annotations:     entry(e, "annotation_set_index", t.notes, c.GetAnnotationSetIndex()),
			Storage:         entry(e, "storage_index", t.storages, c.GetStorageIndex()),
		}
	})
}

func decodeRevisions(r *report, t *tables, in []*setplanv1.Revision) []model.Revision {
	name := func(v *model.Revision) string { return v.Name }
	return decodeAll(r, "snapshot.revisions", in, make([]model.Revision, len(in)), name, func(e *element, v *setplanv1.Revision, out *model.Revision) {
		*out = model.Revision{
			Name:            v.GetName(),
			UID:             v.GetUid(),
			ResourceVersion: v.GetResourceVersion(),
			Number:          v.GetNumber(),
			Owners:          entry(e, "owner_set_index", t.owners, v.GetOwnerSetIndex()),
			Labels:          v.GetLabels(),
			CreatedAt:       e.time("created_unix_ms", v.GetCreatedUnixMs()),
			Data:            v.GetData(),
		}
	})
}
