package scale

import (
	"fmt"

	appsv1 "k8s.io/api/apps/v1"

	"github.com/setplan/setplan/test/cmd/internal/crowd"
)

const (
	// perNamespace is how many sets share a namespace.
	perNamespace = 100
	// podsPerNode is below the capacity of deploy/local's nodes.
	podsPerNode = 8000
	// labelRolls marks the rolling sets, so that they can be watched alone.
	labelRolls = "setplan-scale/rolls"
)

// member is one set of the cluster.
type member struct {
	namespace, name string
	replicas        int32
	rolls, edited   bool
}

// members are the sets in the order of their creation.
type members []*member

// arrange spreads the sets of three, the rolling ones and the edited ones evenly.
func arrange(o *options) members {
	all := o.singles + o.threes
	sets := make(members, all)
	for i := range sets {
		sets[i] = &member{namespace: fmt.Sprintf("scale-%03d", i/perNamespace), name: fmt.Sprintf("db-%05d", i), replicas: 1}
		if (i+1)*o.threes/all > i*o.threes/all {
			sets[i].replicas = 3
		}
		sets[i].rolls = (i+1)*o.rolling/all > i*o.rolling/all
	}
	still := sets.of(func(m *member) bool { return !m.rolls })
	for i := range o.edits {
		still[i*len(still)/o.edits].edited = true
	}
	return sets
}

func (s members) of(which func(*member) bool) (some members) {
	for _, m := range s {
		if which(m) {
			some = append(some, m)
		}
	}
	return some
}

func (s members) rolling() members { return s.of(func(m *member) bool { return m.rolls }) }

func (s members) edited() members { return s.of(func(m *member) bool { return m.edited }) }

func (s members) pods() (sum int) {
	for _, m := range s {
		sum += int(m.replicas)
	}
	return sum
}

// nodes adds one for the pods that roll.
func (s members) nodes() int { return s.pods()/podsPerNode + 2 }

func (m *member) set() *appsv1.StatefulSet {
	set := crowd.Set(m.namespace, m.name, m.replicas)
	if m.rolls {
		set.Labels[labelRolls] = "true"
	}
	return set
}
