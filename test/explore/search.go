package explore

// search visits every state of one configuration, breadth first.
type search struct {
	config  *Config
	tally   *Tally
	planner *planner
	world   *world

	seen, truth *viewer

	visited       map[key]struct{}
	level, next   []node
	origin        map[node]origin // how each node was first reached; nil unless traced
	target        packed          // where tracing ends: the truth, with no plan in flight; none: at a violation
	broken        *Violation
	brokenAt      node
	brokenBecause string
}

// origin is the node from which another one was reached, and the step.
type origin struct {
	from node
	step string
}

func newSearch(config *Config, tally *Tally) *search {
	s := &search{config: config, tally: tally, planner: newPlanner(config, tally), world: &world{config: config},
		visited: map[key]struct{}{}}
	s.seen, s.truth = newViewer(config, s.planner.scribe), newViewer(config, s.planner.scribe)
	return s
}

// run searches until everything is visited or a violation is found.
func (s *search) run() {
	for _, root := range s.roots() {
		s.visit(root, nil, nil)
	}
	for len(s.next) > 0 && s.broken == nil {
		s.level, s.next = s.next, s.level[:0]
		for i := range s.level {
			if s.expand(&s.level[i]); s.broken != nil {
				return
			}
		}
	}
}

// roots are a new set, and one that is up at template A, with every partition and every disruption budget, so that these cost no edit.
func (s *search) roots() []node {
	b := &s.config.Bounds
	var roots []node
	for partition := range b.Ordinals + 1 {
		fresh := cluster{replicas: uint8(b.Ordinals), partition: uint8(partition), template: 1,
			whenScaled: s.config.WhenScaled, whenDeleted: s.config.WhenDeleted, notes: s.config.notes(), inner: s.config.Inside}
		up := fresh
		up.ranks[1], up.statusCurrent, up.statusNew, up.told = 1, 1, 1, true
		for i := range b.Ordinals {
			up.pods[i] = pod{phase: ready, rev: 1, inside: up.up(1)}
			up.claims[i] = claim{exists: !s.config.isWithout(1)}
			if up.claims[i].exists {
				up.claims[i].owner = s.wantedOwner(&up, i)
			}
		}
		for _, c := range []cluster{fresh, up} {
			roots = append(roots, node{truth: c.pack(), edits: b.Edits, faults: b.Faults})
			for wants := 1; s.config.Budgets && wants <= b.Ordinals; wants++ {
				c.wants = uint8(wants)
				roots = append(roots, node{truth: c.pack(), edits: b.Edits, faults: b.Faults})
			}
			if s.config.Drain == nil {
				continue
			}
			c.drains, c.finalizer = true, s.config.Drain.OnDelete
			for i := range c.claims {
				c.claims[i].marked = c.claims[i].exists
				c.claims[i].owner = s.wantedOwner(&c, i)
			}
			roots = append(roots, node{truth: c.pack(), edits: b.Edits, faults: b.Faults})
		}
		if s.config.Drain != nil && partition == 0 {
			for _, c := range s.config.policyIsNew(&up) {
				roots = append(roots, node{truth: c.pack(), edits: b.Edits, faults: b.Faults})
			}
		}
	}
	return roots
}

// wantedOwner returns the owner that a claim should have.
func (s *search) wantedOwner(c *cluster, ordinal int) owner {
	switch bySetToo, byPodToo := s.truth.of(c).WantedOwner(ordinal); {
	case byPodToo:
		return byPod
	case bySetToo:
		return bySet
	}
	return byNobody
}

// visit notes a node that a step leads to. step is called only if the text is needed.
func (s *search) visit(n node, from *node, step func() string) {
	s.tally.Transitions++
	n = n.canonical()
	k := n.key()
	if _, known := s.visited[k]; known {
		return
	}
	s.visited[k] = struct{}{}
	s.tally.States++
	if s.origin != nil && from != nil {
		s.origin[n] = origin{*from, step()}
	}
	s.next = append(s.next, n)
	if n.flights[0].view.none() {
		if problem := s.planner.decide(n.truth).problem; problem != nil {
			s.fail(&n, *problem, "the plan for this state")
		} else if n.truth == s.target {
			s.fail(&n, Violation{}, "")
		}
	}
}

// fail remembers the first violation.
func (s *search) fail(at *node, v Violation, because string) {
	if s.broken == nil {
		s.broken, s.brokenAt, s.brokenBecause = &v, *at, because
	}
}

func (s *search) expand(n *node) {
	b := &s.config.Bounds
	c := n.truth.unpack()
	for i := range s.world.list(&c, n.faults > 0, n.edits > 0) {
		e := &s.world.events[i]
		switch e.name {
		case setIsDeleted, setIsDissolved:
			e.after.promised = s.promises(n, &c)
		case claimIsGarbage:
			s.askCollector(n, &c, e)
		}
		m, ok := n.moved(e.after.pack(), e.changed, -1, b.Lag)
		if !ok {
			continue
		}
		switch e.cost {
		case fault:
			m.faults--
		case editing:
			m.edits--
		}
		s.visit(m, n, e.String)
	}
	flying := 0
	for i := range n.flights {
		if !n.flights[i].view.none() {
			flying++
			s.fly(n, i, &c)
		}
	}
	if flying == b.Adapters {
		return
	}
	if d := s.planner.decide(n.truth); len(d.writes) > 0 {
		m := *n
		// The canonical order keeps the empty one last. A version that nobody asks for makes no other state.
		m.flights[1] = flight{view: n.truth, same: allSame&^podsKept | d.asked}
		s.visit(m, n, func() string { return "an adapter asks for a plan" })
	}
}

// fly takes the steps of one plan: each write that may come next, or a crash. A crash before the first write leads to no new state.
func (s *search) fly(n *node, at int, c *cluster) {
	f := &n.flights[at]
	d := s.planner.decide(f.view)
	if f.done != 0 {
		m := *n
		m.flights[at] = flight{}
		s.visit(m, n, func() string { return "the adapter crashes: " + d.rest(f.done) })
	}
	seen := f.view.unpack()
	seen.wants = 0 // no adapter sees a budget
	for i := range d.writes {
		if f.done>>i&1 == 1 {
			seen.apply(&d.writes[i], allSame)
		}
	}
	d.next(f.done, func(i int) { s.write(n, at, i, d, c, &seen) })
}

// write checks one write against every invariant and carries it out.
func (s *search) write(n *node, at, i int, d *decision, c, seen *cluster) {
	w := &d.writes[i]
	f := &n.flights[at]
	after := *c
	r := after.apply(w, f.same)
	s.askWrite(n, w, seen, c, r.wrote)
	m := *n
	m.flights[at].done |= 1 << i
	if !r.ok {
		m.flights[at].done |= w.left
	}
	ok := true
	if r.noted {
		m.truth = after.pack()
	}
	if r.wrote {
		m, ok = m.moved(after.pack(), r.changed, at, s.config.Bounds.Lag)
	}
	if !ok {
		return
	}
	if g := m.flights[at]; g.done == d.all() {
		if g.lag == 0 {
			s.again(n, d, after, g.same)
		}
		m.flights[at] = flight{}
	}
	s.visit(m, n, func() string { return "adapter: " + w.String() + outcome(r) })
}

func outcome(r result) string {
	switch {
	case !r.ok:
		return " (refused)"
	case !r.wrote:
		return " (nothing to do)"
	}
	return ""
}

// again applies a complete plan once more.
func (s *search) again(n *node, d *decision, c cluster, same uint32) {
	s.tally.Checked[TwiceIsOnce]++
	left := uint32(0)
	for i := range d.writes {
		if left>>i&1 == 1 {
			continue
		}
		r := c.apply(&d.writes[i], same)
		if r.wrote {
			s.fail(n, Violation{Invariant: TwiceIsOnce, Detail: "the plan is applied again, and writes"}, "adapter: "+d.writes[i].String())
		}
		if r.noted {
			left |= d.writes[i].left
		}
	}
}

// rest lists the writes that a crash leaves out.
func (d *decision) rest(done uint32) string {
	names := "not done:"
	for i := range d.writes {
		if done>>i&1 == 0 {
			names += " " + d.writes[i].String() + ";"
		}
	}
	return names
}
