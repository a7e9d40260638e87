package explore

import (
	"fmt"
	"math/bits"

	"github.com/setplan/setplan/test/invariants/law"
)

// cost says what a step of the environment takes from the bounds.
type cost uint8

const (
	benign  cost = iota // what a healthy cluster does by itself
	repair              // somebody repairs a lost node; free, but nothing may rely on it
	fault               // something breaks, or somebody deletes something
	editing             // the spec is edited
)

// The events that are checked.
const (
	setIsDeleted   = "user deletes"
	setIsDissolved = "user deletes, foreground,"
	claimIsGarbage = "garbage collector deletes claim"
)

// event is a step of the environment.
type event struct {
	name    string
	ordinal int
	value   int
	cost    cost
	after   cluster
	changed uint32 // see flight.same
}

func (e *event) String() string {
	if e.ordinal < 0 {
		return fmt.Sprintf("%s %s", e.name, e.what())
	}
	return fmt.Sprintf("%s %d", e.name, e.ordinal)
}

func (e *event) what() string {
	switch e.name {
	case "user sets the template to":
		return revision(e.value).String()
	case setIsDeleted, setIsDissolved:
		return "the set"
	}
	return fmt.Sprint(e.value)
}

// world lists the steps of the environment from one cluster.
type world struct {
	config *Config
	events []event
}

// add adds an event, and updates the bit that says that the status matches the pods.
func (w *world) add(before *cluster, e event) {
	if e.cost == editing && e.changed&setKept != 0 && !e.after.unnoticed || before.count() != e.after.count() {
		e.after.told = false
	}
	e.after.unnoticed = e.after.unnoticed && !e.after.told
	w.events = append(w.events, e)
}

// list returns every step from a cluster. The result is valid until the next call.
func (w *world) list(c *cluster, faults, edits bool) []event {
	w.events = w.events[:0]
	for i := range maxOrdinals {
		w.podSteps(c, i, faults)
		w.claimSteps(c, i, faults)
		w.insideSteps(c, i, faults)
	}
	w.refusalSteps(c)
	w.rankSteps(c, faults)
	w.growthSteps(c, faults)
	w.gateSteps(c, faults)
	w.momentSteps(c)
	if edits {
		w.drainEdits(c)
	}
	if edits && !c.deleting {
		w.editSteps(c)
		w.budgetEdits(c)
		w.growthEdits(c)
	}
	return w.events
}

func (w *world) podSteps(c *cluster, i int, faults bool) {
	p := c.pods[i]
	if !p.exists() {
		return
	}
	step := func(name string, cost cost, changed uint32, after pod) {
		e := event{name: name, ordinal: i, cost: cost, after: *c, changed: changed}
		if e.after.pods[i] = after; !after.exists() {
			e.after.remove(i)
		}
		e.after.claims[i].empty = c.emptied(i, after)
		w.add(c, e)
	}
	switch k := c.claims[i]; {
	case p.mode == going:
		step("gone: pod", benign, podGone(i), pod{})
	case p.mode == stuck:
		step("node is back, gone: pod", repair, podGone(i), pod{})
		return
	case p.phase == pending && (k.exists && !k.going || w.config.isWithout(p.rev)):
		step("runs: pod", benign, podKept(i), p.starts(c))
	case p.drain:
	case (p.phase == running || p.phase == recovering) && c.image(p) != badRevision && (!w.config.Quorum || p.mode != staying || c.hasQuorum()):
		step("ready: pod", benign, podKept(i), p.in(ready, p.mode))
	}
	if p.drain && p.phase == running {
		step("succeeds: drain pod", benign, podKept(i), p.in(succeeded, p.mode))
	}
	if p.mode == staying && c.dissolves() && (!p.drain || p.owned) {
		step("garbage collector deletes pod", benign, podKept(i), p.in(p.phase, going))
	}
	if !faults {
		return
	}
	if p.phase != failed && p.phase != succeeded {
		step("fails: pod", fault, podKept(i), p.in(failed, p.mode))
	}
	if p.phase == ready && p.mode == staying {
		step("unready: pod", fault, podKept(i), p.in(recovering, p.mode))
	}
	if p.mode == staying {
		step("user deletes pod", fault, podKept(i), p.in(p.phase, going))
	}
	if p.phase != pending { // a pod without a node loses none
		lost := p.in(p.phase, stuck)
		if p.phase == ready {
			lost.phase = recovering
		}
		step("node lost: pod", fault, podKept(i), lost)
	}
}

// emptied reports whether a claim holds no data after a change of its pod.
func (c *cluster) emptied(i int, after pod) bool {
	k := c.claims[i]
	switch {
	case after.drain && after.phase == succeeded:
		return k.empty || k.listed
	case after.drain || after.phase == pending:
		return k.empty
	}
	return k.empty && !after.exists() // a replica that has run has written
}

// claimSteps: the garbage collector deletes claims whose owner is gone. A deleted claim is removed when no pod on a node mounts it.
func (w *world) claimSteps(c *cluster, i int, faults bool) {
	k := c.claims[i]
	step := func(name string, cost cost, changed uint32, after claim) {
		e := event{name: name, ordinal: i, cost: cost, after: *c, changed: changed}
		e.after.claims[i] = after
		w.add(c, e)
	}
	going := k
	going.going = true
	switch {
	case !k.exists:
	case k.going && (!c.pods[i].mounts() || w.config.isWithout(c.pods[i].rev)):
		step("gone: claim", benign, claimGone(i), claim{})
	case k.going:
	default:
		if k.owner == byEarlierPod || k.owner == bySet && c.dissolves() {
			step(claimIsGarbage, benign, claimKept(i), going)
		}
		if faults {
			step("user deletes claim", fault, claimKept(i), going)
		}
	}
}

// edit adds a change of the spec.
func (w *world) edit(c *cluster, name string, value int, change func(*cluster)) {
	e := event{name: name, ordinal: -1, value: value, cost: editing, after: *c, changed: setKept}
	change(&e.after)
	e.after.unnoticed = (c.told || c.unnoticed) && w.config.onlyAnnotates(c, &e.after)
	w.add(c, e)
}

func (w *world) editSteps(c *cluster) {
	edit := func(name string, value int, change func(*cluster)) { w.edit(c, name, value, change) }
	for n := range uint8(w.config.Bounds.Ordinals + 1) {
		if n != c.replicas {
			edit("user scales to", int(n), func(c *cluster) { c.replicas = n })
		}
		if n != c.partition {
			edit("user sets the partition to", int(n), func(c *cluster) { c.partition = n })
		}
	}
	for r := revision(1); r <= revisionCount; r++ {
		if r != c.template {
			edit("user sets the template to", int(r), func(c *cluster) { c.template = r })
		}
	}
	if w.config.Bounds.RetentionEdits {
		edit("user flips whenScaled, delete:", flag(!c.whenScaled), func(c *cluster) { c.whenScaled = !c.whenScaled })
		edit("user flips whenDeleted, delete:", flag(!c.whenDeleted), func(c *cluster) { c.whenDeleted = !c.whenDeleted })
	}
	if w.config.Bounds.OrdinalEdits {
		w.ordinalEdits(c)
	}
	edit(setIsDeleted, 0, func(c *cluster) { c.deleting = true })
}

// ordinalEdits: ordinals of a set of so many replicas may be reserved and freed, as long as the range ends within what a cluster has.
func (w *world) ordinalEdits(c *cluster) {
	most := maxOrdinals - w.config.Bounds.Ordinals
	for i := range w.config.Bounds.Ordinals {
		if c.isReserved(i) {
			w.edit(c, "user frees ordinal", i, func(c *cluster) { c.reserved &^= 1 << i })
		} else if bits.OnesCount8(c.reserved) < most {
			w.edit(c, "user reserves ordinal", i, func(c *cluster) { c.reserved |= 1 << i })
		}
	}
	for p := law.PauseNothing; p <= law.PauseAll; p++ {
		if p != c.pause {
			w.edit(c, "user pauses", int(p), func(c *cluster) { c.pause = p })
		}
	}
}

// drainEdits: the policy may be added and removed at any time while the set exists.
func (w *world) drainEdits(c *cluster) {
	if w.config.Drain == nil || c.deleting && !c.finalizer {
		return
	}
	w.edit(c, "user sets the drain policy,", flag(!c.drains), func(c *cluster) { c.drains = !c.drains })
	if c.finalizer && !c.deleting { // else it makes no difference
		w.edit(c, setIsDissolved, 0, func(c *cluster) { c.deleting, c.foreground = true, true })
	}
}

func flag(b bool) int {
	if b {
		return 1
	}
	return 0
}
