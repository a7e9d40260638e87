package explore

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/setplan/setplan/engine/model"
	"github.com/setplan/setplan/test/invariants/law"
)

// liveness checks that everything comes to rest from every cluster that was reached: with the steps of a healthy environment in any
// order, and an adapter that applies its plan, or only its first writes, before it looks again. There are no more edits and faults, and
// no lost node comes back.
//
// The graph of these steps must have no cycle. That is more than fairness: not even the unluckiest order may go on for ever. Where no
// step is left, the set must be as its spec wants it, or a block must name what is held up.
type liveness struct {
	search *search
	color  map[packed]uint8
	path   []packed
}

const (
	onPath uint8 = 1
	atRest uint8 = 2
)

// run checks everything that the search has seen. It returns the first violation and the cluster where it begins.
func (l *liveness) run() (*Violation, packed) {
	for _, p := range slices.Collect(maps.Keys(l.search.planner.known)) { // it grows meanwhile
		if v := l.walk(p); v != nil {
			return v, l.path[0]
		}
		l.path = l.path[:0]
	}
	return nil, packed{}
}

// walk is a depth-first search. After a violation the path stays as it is, for the report.
func (l *liveness) walk(p packed) *Violation {
	switch l.color[p] {
	case atRest:
		return nil
	case onPath:
		return &Violation{Invariant: ComesToRest, Detail: "this goes round for ever: " + l.circle(p)}
	}
	tally := l.search.tally
	tally.Checked[ComesToRest]++
	l.color[p] = onPath
	l.path = append(l.path, p)
	c := p.unpack()
	d := l.search.planner.decide(p)
	if d.problem != nil {
		return d.problem
	}
	steps := l.steps(&c)
	steps = append(steps, d.prefixes(c)...)
	moved := false
	for _, step := range steps {
		if step == p {
			continue // a write that changes nothing
		}
		moved = true
		tally.FairSteps++
		if v := l.walk(step); v != nil {
			return v
		}
	}
	if len(d.writes) > 0 && steps[len(steps)-1] == p {
		return &Violation{Invariant: ComesToRest, Detail: "the plan changes nothing, and is made again for ever: " + d.rest(0)}
	}
	if !moved {
		tally.Checked[RestIsRight]++
		if err := l.restIsRight(&c, d); err != nil {
			return &Violation{Invariant: RestIsRight, Detail: err.Error() + "; " + describe(&c)}
		}
	}
	l.color[p] = atRest
	l.path = l.path[:len(l.path)-1]
	return nil
}

// steps are the steps of a healthy environment.
func (l *liveness) steps(c *cluster) []packed {
	var steps []packed
	events := l.search.world.list(c, false, false)
	for i := range events {
		if events[i].cost == benign {
			steps = append(steps, events[i].after.pack())
		}
	}
	return steps
}

// prefixes are the clusters after the first write of a plan, the first two, and so on to the last.
func (d *decision) prefixes(c cluster) []packed {
	var clusters []packed
	done, same := uint32(0), uint32(allSame)
	for i := range d.writes {
		if done>>i&1 == 1 {
			continue // left out
		}
		r := c.apply(&d.writes[i], same)
		same &^= r.changed
		if !r.ok {
			done |= d.writes[i].left
		}
		clusters = append(clusters, c.pack())
	}
	return clusters
}

func (l *liveness) circle(p packed) string {
	var parts []string
	for _, on := range l.path[slices.Index(l.path, p):] {
		c := on.unpack()
		parts = append(parts, describe(&c))
	}
	return strings.Join(parts, " -> ")
}

// restIsRight: where nothing moves any more, the set is as its spec wants it, or a block names something that the environment holds up:
// a pod that never becomes ready, a pod of a lost node, a deleted claim that such a pod, or a healthy one, still uses, a pod that the disruption
// budget wants, one that the set keeps as it is, a volume that does not grow or is too large,
// a node without room, or a pod that others would have to run for.
func (l *liveness) restIsRight(c *cluster, d *decision) error {
	config := l.search.config
	withheld := map[string]bool{}
	for i := range c.pods {
		p := c.pods[i]
		if p.exists() && (p.mode == stuck || config.Quorum && !c.hasQuorum() || p.at() == badRevision && p.phase != failed && !c.isMended(i)) {
			withheld[fmt.Sprintf("%s-%d", setName, i)] = true
		}
		if c.claims[i].going {
			withheld[fmt.Sprintf("%s-%s-%d", claimName, setName, i)] = true
		}
	}
	if err := c.volumesAreAsked(); err != nil {
		return err
	}
	if d.converged {
		return config.asWanted(c, l.search.truth.of(c))
	}
	for _, b := range d.blocks {
		if withheld[b.Name] || b.Code == model.BlockSetDeleting && !c.finalizer || b.Code == model.BlockPaused || b.Code == model.BlockScaleInGuarded ||
			l.search.isHeld(c, &b) || l.search.isKept(c, &b) || l.search.isLarger(c, &b) || l.search.isRefused(c, &b) {
			return nil
		}
	}
	return fmt.Errorf("nothing moves, and no block names what is missing: %s", blockNames(d.blocks))
}

// isMended: a pod that never becomes ready is no excuse if it would come back at another revision, unless a pod of a lost node keeps it
// from being replaced.
func (c *cluster) isMended(ordinal int) bool {
	for _, p := range c.pods {
		if p.mode == stuck {
			return false
		}
	}
	if !c.inRange(ordinal) {
		return c.pods[ordinal].at() != c.updateRevision()
	}
	return c.pods[ordinal].at() != c.comesBackAt(ordinal)
}

// asWanted checks a set whose plan says that it has converged.
func (config *Config) asWanted(c *cluster, set *law.Set) error {
	for i := range law.AtRest {
		if err := law.AtRest[i].Holds(set); err != nil {
			return fmt.Errorf("converged, and %w", err)
		}
	}
	switch {
	case !c.told:
		return fmt.Errorf("converged, and the status is not what the pods call for")
	case c.statusNew != c.template:
		return fmt.Errorf("converged, and status.updateRevision is %s", c.statusNew)
	case c.partition == 0 && c.pause == law.PauseNothing && c.statusCurrent != c.template:
		return fmt.Errorf("converged without a partition or a pause, and status.currentRevision is %s", c.statusCurrent)
	}
	return nil
}

func blockNames(blocks []model.Block) string {
	var names []string
	for _, b := range blocks {
		names = append(names, b.Code.String()+" "+b.Name)
	}
	return strings.Join(names, ", ")
}
