package engine

import (
	"slices"
	"strconv"
	"strings"

	"github.com/setplan/setplan/engine/model"
)

// ranking is what the annotation setplan.io/update-rank, or spec.updateRank, asks for: which pods are updated last. It is the key of a label
// with numbers, or a label that only the leader has, as KEY=VALUE. No upstream controller has such an order; operators of databases
// have it (strimzi/proposals 060).
type ranking struct {
	of         asked
	on         bool   // pods are updated in the order of their ranks
	key, value string // value is empty: the label holds numbers
	invalid    bool
}

// readRanking reads the label. What is no label holds back every update, because it may be meant to name the leader.
func readRanking(v *view, out *draft) (r ranking) {
	r.of = v.asks(annotationRank)
	if r.on = r.of.text != ""; !r.on {
		return r
	}
	leads := false
	r.key, r.value, leads = strings.Cut(r.of.text, "=")
	if r.invalid = !isLabelKey(r.key) || leads && !isLabelValue(r.value); r.invalid {
		out.block(blockInvalidRank(v.set, r.of))
	}
	return r
}

// isLabelKey is a little wider than the API server, which decides what a pod can have: what no pod can have is not found.
func isLabelKey(text string) bool {
	return strings.Count(text, "/") <= 1 && isLabelValue(strings.Replace(text, "/", ".", 1))
}

// longestLabelPart is more than a key or a value may have, in bytes.
const longestLabelPart = 317

func isLabelValue(text string) bool {
	if text == "" || len(text) > longestLabelPart {
		return false
	}
	return !slices.ContainsFunc([]byte(text), func(c byte) bool {
		letter := c|0x20 >= 'a' && c|0x20 <= 'z'
		return !letter && (c < '0' || c > '9') && c != '-' && c != '_' && c != '.'
	})
}

// rank is a pod's rank: 0 without the label. ok is false if the label holds no number.
func (r ranking) rank(p *model.Pod) (rank int32, ok bool) {
	text, labelled := p.Label(r.key)
	switch {
	case r.value != "":
		if text == r.value {
			return 1, true
		}
		return 0, true
	case !labelled:
		return 0, true
	case len(text) > longestAttempts:
		return 0, false
	}
	n, err := strconv.ParseInt(text, 10, 32)
	return int32(n), err == nil && n >= 0
}

// leadership says who leads a set. It is clear if one pod has the highest rank, and every rank can be read.
type leadership struct {
	leader *model.Pod // of the pods that share the highest rank, the first by name; nil: no rank is above 0
	second *model.Pod // the next one of these
	odd    *model.Pod // the first by name whose rank cannot be read
	nearly *model.Pod // the first by name whose label is nearly that of the leader
	near   string     // that label, as KEY=VALUE
}

func (l *leadership) clear() bool { return l.leader != nil && l.second == nil && l.odd == nil }

// readLeadership looks at all pods of the set. One that has ended or is on its way out leads nothing, nor does one that this plan takes away:
// another one takes over, and which one only its label tells.
func (v *view) readLeadership(out *draft) (l leadership) {
	var highest int32
	for _, m := range v.members {
		if m.pod.Terminating() || m.pod.HasEnded() || out.taken[m.pod.UID] {
			continue
		}
		rank, ok := v.ranking.rank(m.pod)
		switch {
		case !ok:
			l.odd = firstByName(l.odd, m.pod)
		case rank > highest:
			highest, l.leader, l.second = rank, m.pod, nil
		case rank == 0 && v.nearMiss(m.pod) != "":
			l.nearly = firstByName(l.nearly, m.pod)
		case rank == 0 || rank < highest:
		case m.pod.Name < l.leader.Name:
			l.leader, l.second = m.pod, l.leader
		default:
			l.second = firstByName(l.second, m.pod)
		}
	}
	if l.nearly != nil {
		l.near = v.nearMiss(l.nearly)
	}
	return l
}

func firstByName(p, other *model.Pod) *model.Pod {
	if p == nil || other.Name < p.Name {
		return other
	}
	return p
}

// mayLead reports whether a pod is the leader or, while that is not clear, could be.
func (v *view) mayLead(p *model.Pod, l *leadership) bool {
	if l.clear() {
		return p == l.leader
	}
	rank, ok := v.ranking.rank(p)
	return rank > 0 || !ok || v.nearMiss(p) != ""
}

// nearMiss is the first label by key that is that of the leader but for upper and lower case, or for the prefix of its key, as KEY=VALUE; "": there is none.
// Pods that share their labels share it.
func (v *view) nearMiss(p *model.Pod) string {
	if v.ranking.value == "" || p.Labels == nil {
		return ""
	}
	near, known := v.nearMisses[p.Labels]
	if !known {
		if v.nearMisses == nil {
			v.nearMisses = map[*model.Labels]string{}
		}
		near = v.ranking.nearMiss(p.Labels.Values)
		v.nearMisses[p.Labels] = near
	}
	return near
}

func (r ranking) nearMiss(labels map[string]string) string {
	nearest := ""
	for key, text := range labels {
		if (key != r.key || text != r.value) && strings.EqualFold(text, r.value) && strings.EqualFold(withoutPrefix(key), withoutPrefix(r.key)) &&
			(nearest == "" || key < nearest) {
			nearest = key
		}
	}
	if nearest == "" {
		return ""
	}
	return nearest + "=" + labels[nearest]
}

// withoutPrefix is the name in the key of a label.
func withoutPrefix(key string) string { return key[strings.IndexByte(key, '/')+1:] }
