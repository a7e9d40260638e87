package rollout

import (
	"slices"
	"strconv"
	"strings"

	"github.com/setplan/setplan/engine/model"
	"github.com/setplan/setplan/engine/policy"
	"github.com/setplan/setplan/engine/state"
)

// Ranking is what the annotation setplan.io/update-rank, or spec.updateRank, asks for: which pods are updated last. It is the key of a label
// with numbers, or a label that only the leader has, as KEY=VALUE. No upstream controller has such an order; operators of databases
// have it (strimzi/proposals 060).
type ranking struct {
	of         policy.Asked
	On         bool   // pods are updated in the order of their ranks
	Key, value string // value is empty: the label holds numbers
	Invalid    bool
}

// ReadRanking reads the label. What is no label holds back every update, because it may be meant to name the leader.
func ReadRanking(v *Rollout, out *state.Draft) (r ranking) {
	r.of = v.Asks(policy.Rank)
	if r.On = r.of.Text != ""; !r.On {
		return r
	}
	leads := false
	r.Key, r.value, leads = strings.Cut(r.of.Text, "=")
	if r.Invalid = !isLabelKey(r.Key) || leads && !isLabelValue(r.value); r.Invalid {
		out.Block(blockInvalidRank(v.Set, r.of))
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

// Rank is a pod's rank: 0 without the label. ok is false if the label holds no number.
func (r ranking) Rank(p *model.Pod) (Rank int32, ok bool) {
	text, labelled := p.Label(r.Key)
	switch {
	case r.value != "":
		if text == r.value {
			return 1, true
		}
		return 0, true
	case !labelled:
		return 0, true
	case len(text) > state.LongestAttempts:
		return 0, false
	}
	n, err := strconv.ParseInt(text, 10, 32)
	return int32(n), err == nil && n >= 0
}

// Leadership says who leads a set. It is clear if one pod has the highest rank, and every rank can be read.
type Leadership struct {
	Leader *model.Pod // of the pods that share the highest rank, the first by name; nil: no rank is above 0
	second *model.Pod // the next one of these
	odd    *model.Pod // the first by name whose rank cannot be read
	nearly *model.Pod // the first by name whose label is nearly that of the leader
	near   string     // that label, as KEY=VALUE
}

// Clear reports whether one pod leads, and every rank can be read.
func (l *Leadership) Clear() bool { return l.Leader != nil && l.second == nil && l.odd == nil }

// ReadLeadership looks at all pods of the set. One that has ended or is on its way out leads nothing, nor does one that this plan takes away:
// another one takes over, and which one only its label tells.
func (v *Rollout) ReadLeadership(out *state.Draft) (l Leadership) {
	var highest int32
	for _, m := range v.Members {
		if m.Pod.Terminating() || m.Pod.HasEnded() || out.Taken[m.Pod.UID] {
			continue
		}
		rank, ok := v.Ranking.Rank(m.Pod)
		switch {
		case !ok:
			l.odd = firstByName(l.odd, m.Pod)
		case rank > highest:
			highest, l.Leader, l.second = rank, m.Pod, nil
		case rank == 0 && v.nearMiss(m.Pod) != "":
			l.nearly = firstByName(l.nearly, m.Pod)
		case rank == 0 || rank < highest:
		case m.Pod.Name < l.Leader.Name:
			l.Leader, l.second = m.Pod, l.Leader
		default:
			l.second = firstByName(l.second, m.Pod)
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

// MayLead reports whether a pod is the leader or, while that is not clear, could be.
func (v *Rollout) MayLead(p *model.Pod, l *Leadership) bool {
	if l.Clear() {
		return p == l.Leader
	}
	rank, ok := v.Ranking.Rank(p)
	return rank > 0 || !ok || v.nearMiss(p) != ""
}

// nearMiss is the first label by key that is that of the leader but for upper and lower case, or for the prefix of its key, as KEY=VALUE; "": there is none.
// Pods that share their labels share it.
func (v *Rollout) nearMiss(p *model.Pod) string {
	if v.Ranking.value == "" || p.Labels == nil {
		return ""
	}
	near, known := v.nearMisses[p.Labels]
	if !known {
		if v.nearMisses == nil {
			v.nearMisses = map[*model.Labels]string{}
		}
		near = v.Ranking.nearMiss(p.Labels.Values)
		v.nearMisses[p.Labels] = near
	}
	return near
}

func (r ranking) nearMiss(labels map[string]string) string {
	nearest := ""
	for key, text := range labels {
		if (key != r.Key || text != r.value) && strings.EqualFold(text, r.value) && strings.EqualFold(withoutPrefix(key), withoutPrefix(r.Key)) &&
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
