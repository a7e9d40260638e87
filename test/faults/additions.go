package faults

// additionKinds are what comes in a life in which sets add claim templates, beside what comes in every life.
var additionKinds = []kind{
	{"claim template added", 3, func(t *teller) []Step { return []Step{t.adds(t.set())} }},
	{"volume of it", 3, func(t *teller) []Step { return []Step{t.mountsAdded(t.set())} }},
	{"addition story", 4, (*teller).additionStory},
}

// adds lets a set add a template, in one size or another, or take it back.
func (t *teller) adds(set string) Step {
	added := func(size string) string {
		return `{"wal":{"spec":{"accessModes":["ReadWriteOnce"],"resources":{"requests":{"storage":"` + size + `"}}}}}`
	}
	return Step{Line: "annotate " + set + " " + claimTemplates + "=" + t.pick(added("1Gi"), added("1Gi"), added("2Gi"), "")}
}

// mountsAdded gives the pod template the volume that asks for the added template, or takes it away.
func (t *teller) mountsAdded(set string) Step {
	return Step{Line: "edit " + set, Input: []string{`{"template":{"spec":{"volumes":` +
		t.pick(`[{"name":"wal","persistentVolumeClaim":{"claimName":"wal"}}]`, `[{"name":"wal","persistentVolumeClaim":{"claimName":"wal"}}]`, `null`) + `}}}`}}
}

// additionStory adds a template to a set that is in order, and takes it back, in either order and while pods below a partition stay as they are.
func (t *teller) additionStory() []Step {
	const kind = "addition story"
	set := t.set()
	if !t.putInOrder(kind, set) {
		return t.newSet(set)
	}
	t.say(kind, "edit "+set+" strategy=RollingUpdate image=v1 replicas=3 partition="+t.pick("0", "1", "2"))
	t.rounds(kind, set)
	for range 3 {
		both := []Step{t.adds(set), t.mountsAdded(set)}
		t.Shuffle(2, func(i, j int) { both[i], both[j] = both[j], both[i] })
		t.tell(kind, both[0])
		if t.IntN(3) == 0 {
			t.say(kind, "reconcile "+set)
		}
		t.tell(kind, both[1])
		t.rounds(kind, set)
		t.say(kind, "pod "+set+"-"+t.pick("0", "1", "2")+" delete") // it comes back at its own revision, with the claims of that
		t.rounds(kind, set)
	}
	return nil
}

// mendAdditions is what a user does about pods that wait for a claim which the set does not add.
func (t *teller) mendAdditions() {
	for _, set := range t.sets {
		if t.runner.World().State().Set(set) != nil {
			t.tell("no volume of it", Step{Line: "edit " + set, Input: []string{`{"template":{"spec":{"volumes":null}}}`}})
		}
	}
}
