package explore

import "fmt"

// cost says what a step of the environment takes from the bounds.
type cost uint8

const (
	benign  cost = iota // what a healthy cluster does by itself
	repair              // somebody puts a lost node right; free, and nothing may count on it
	fault               // something breaks, or somebody deletes something
	editing             // the spec is edited
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
	case "user deletes":
		return "the set"
	}
	return fmt.Sprint(e.value)
}

// world lists the steps of the environment from one cluster.
type world struct {
	bounds *Bounds
	events []event
}

// add keeps the status bit right: it says that the counters are what the pods call for.
func (w *world) add(before *cluster, e event) {
	if e.cost == editing || before.count() != e.after.count() {
		e.after.told = false
	}
	w.events = append(w.events, e)
}

// list returns every step from a cluster. The result is valid until the next call.
func (w *world) list(c *cluster, faults, edits bool) []event {
	w.events = w.events[:0]
	for i := range w.bounds.Ordinals {
		w.podSteps(c, i, faults)
		w.claimSteps(c, i, faults)
	}
	if edits && !c.deleting {
		w.editSteps(c)
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
		e.after.pods[i] = after
		if !after.exists() && e.after.claims[i].owner == byPod {
			e.after.claims[i].owner = byEarlierPod
		}
		w.add(c, e)
	}
	with := func(to phase, m mode) pod { return pod{phase: to, mode: m, rev: p.rev} }
	switch k := c.claims[i]; {
	case p.mode == going:
		step("gone: pod", benign, podGone(i), pod{})
	case p.mode == stuck:
		step("node is back, gone: pod", repair, podGone(i), pod{})
		return
	case p.phase == pending && k.exists && !k.going:
		step("runs: pod", benign, podKept(i), with(running, p.mode))
	case (p.phase == running || p.phase == recovering) && p.rev != badRevision:
		step("ready: pod", benign, podKept(i), with(ready, p.mode))
	}
	if p.mode == staying && c.deleting {
		step("garbage collector deletes pod", benign, podKept(i), with(p.phase, going))
	}
	if !faults {
		return
	}
	if p.phase != failed {
		step("fails: pod", fault, podKept(i), with(failed, p.mode))
	}
	if p.phase == ready && p.mode == staying {
		step("unready: pod", fault, podKept(i), with(recovering, p.mode))
	}
	if p.mode == staying {
		step("user deletes pod", fault, podKept(i), with(p.phase, going))
	}
	if p.phase != pending { // a pod without a node loses none
		lost := with(p.phase, stuck)
		if p.phase == ready {
			lost.phase = recovering
		}
		step("node lost: pod", fault, podKept(i), lost)
	}
}

// claimSteps: the collector deletes what belongs to nobody any more; a claim goes when no pod on a node mounts it.
func (w *world) claimSteps(c *cluster, i int, faults bool) {
	k := c.claims[i]
	step := func(name string, cost cost, changed uint32, after claim) {
		e := event{name: name, ordinal: i, cost: cost, after: *c, changed: changed}
		e.after.claims[i] = after
		w.add(c, e)
	}
	on := c.pods[i].phase
	mounted := on == running || on == ready || on == recovering
	switch {
	case !k.exists:
	case k.going && !mounted:
		step("gone: claim", benign, claimGone(i), claim{})
	case k.going:
	default:
		if k.owner == byEarlierPod || k.owner == bySet && c.deleting {
			step("garbage collector deletes claim", benign, claimKept(i), claim{exists: true, going: true, owner: k.owner})
		}
		if faults {
			step("user deletes claim", fault, claimKept(i), claim{exists: true, going: true, owner: k.owner})
		}
	}
}

func (w *world) editSteps(c *cluster) {
	edit := func(name string, value int, change func(*cluster)) {
		e := event{name: name, ordinal: -1, value: value, cost: editing, after: *c, changed: setKept}
		change(&e.after)
		w.add(c, e)
	}
	for n := range uint8(w.bounds.Ordinals + 1) {
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
	if w.bounds.RetentionEdits {
		edit("user flips whenScaled, delete:", flag(!c.whenScaled), func(c *cluster) { c.whenScaled = !c.whenScaled })
		edit("user flips whenDeleted, delete:", flag(!c.whenDeleted), func(c *cluster) { c.whenDeleted = !c.whenDeleted })
	}
	edit("user deletes", 0, func(c *cluster) { c.deleting = true })
}

func flag(b bool) int {
	if b {
		return 1
	}
	return 0
}
