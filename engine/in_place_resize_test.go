package engine

import (
	"strings"
	"testing"
	"time"

	"github.com/setplan/setplan/engine/inplace"
	"github.com/setplan/setplan/engine/model"
	"github.com/setplan/setplan/engine/podtemplate"
	"github.com/setplan/setplan/engine/policy"
)

// sized is a template whose container asks for so much cpu.
func sized(cpu string) string {
	return strings.Replace(template, `"name":"web"`, `"name":"web","resources":{"requests":{"cpu":"`+cpu+`"}}`, 1)
}

// startsSized is the same of a container that starts again to get it.
func startsSized(cpu string) string {
	return strings.Replace(sized(cpu), `"resources"`, `"resizePolicy":[{"resourceName":"cpu","restartPolicy":"RestartContainer"}],"resources"`, 1)
}

// resized is a set whose template asks for other resources than the revision of its pods.
func resized(replicas int, from, to string) *world {
	w := newWorld(replicas).parallel().asks(policy.InPlace, "InPlaceIfPossible")
	w.Revisions = nil
	before := w.revision(1, from)
	for i := range w.Pods {
		w.Pods[i].Revision = before
	}
	return w.next(to)
}

// next gives the set a template, and stores it.
func (w *world) next(text string) *world {
	w.template(text)
	number := w.Revisions[len(w.Revisions)-1].Number + 1
	if !w.stores(named(text), number) {
		w.revision(number, text)
	}
	return w
}

// named is the revision of a template.
func named(text string) string {
	return podtemplate.RevisionName("web", hashOf(patchOf(mustTree(text), nil), 0))
}

// have lets the snapshot say of pods what they ask for and have.
func (w *world) have(cpu string, pods ...string) *world {
	w.marked("web:1", pods...)
	for _, name := range pods {
		c := &w.p(name).Containers.Containers[0]
		c.Resources.Requests.CPU = cpu
		c.StatusResources = &model.Resources{Requests: model.Amounts{CPU: cpu}}
	}
	return w
}

// onTheWay brings pods on their way to a revision, a minute ago; their specs do not say what they are to get.
func (w *world) onTheWay(revision string, pods ...string) *world {
	for _, name := range pods {
		var was podtemplate.Amounts
		was.Put("web", 2, w.p(name).Containers.Containers[0].Resources.Requests.CPU)
		r := inplace.Record{Revision: revision, At: noon.Add(-time.Minute), Resize: was}
		w.answers(inplace.AnnotationUpdate, r.Text(), name)
	}
	return w
}

// startsOf says of pods on their way that containers start again.
func (w *world) startsOf(pods ...string) *world {
	for _, name := range pods {
		r, _ := inplace.ReadRecord(w.p(name).Annotations.Values[inplace.AnnotationUpdate])
		r.Starts = true
		w.answers(inplace.AnnotationUpdate, r.Text(), name)
	}
	return w
}

// ask lets the specs of pods ask for so much.
func (w *world) ask(cpu string, pods ...string) *world {
	for _, name := range pods {
		of := w.p(name).Containers
		of.Containers[0].Resources.Requests.CPU = cpu
		of.Generation++
	}
	return w
}

// get lets the kubelets of pods give them what they ask for.
func (w *world) get(pods ...string) *world {
	for _, name := range pods {
		of := w.p(name).Containers
		given := of.Containers[0].Resources
		of.ObservedGeneration, of.Containers[0].StatusResources = of.Generation, &given
	}
	return w
}

// refuses lets the kubelet of a pod say for a while that its node has no room.
func (w *world) refuses(reason, pod string, ago time.Duration) *world {
	of := w.p(pod).Containers
	of.ObservedGeneration = of.Generation
	of.ResizePending = &model.PodResize{Reason: reason, Message: "Node didn't have enough resource: cpu", Since: noon.Add(-ago), ObservedGeneration: of.Generation}
	return w
}

// TestResourcesInPlace: the decisions about pods whose resources differ. Three pods have 1 cpu, and the template says 2.
func TestResourcesInPlace(t *testing.T) {
	all := []string{"web-0", "web-1", "web-2"}
	one, two := sized("1"), sized("2")
	only := func(w *world) *world { return w.asks(policy.InPlace, "InPlaceOnly") }
	ordered := func(w *world) *world { w.Set.PodManagementPolicy = ""; return w }
	sent := func(w *world) *world { return w.have("1", all...).onTheWay(named(two), "web-2") }
	asking := func(w *world) *world { return sent(w).ask("2", "web-2") }
	arrived := func(w *world) *world { return asking(w).get("web-2") }
	refused := func(w *world, reason string) *world {
		return ordered(asking(w)).since("web-2", 10*time.Minute).refuses(reason, "web-2", 5*time.Minute)
	}
	restarts := func(w *world) *world {
		*w = *resized(3, startsSized("1"), startsSized("2"))
		return w
	}
	const waits, deferred, infeasible, budget = "UPDATE_WAITS_FOR_POD web-2", "RESIZE_DEFERRED web-2", "RESIZE_INFEASIBLE web-2", "UPDATE_BUDGET web-1"
	const others = "start web-1@1, start web-0@1"
	for _, test := range []struct {
		name          string
		edit          func(w *world)
		want, blocked string
	}{
		// The steps.
		{"all are marked", func(w *world) {}, "mark web-2@1, mark web-1@1, mark web-0@1", ""},
		{"all start", func(w *world) { w.have("1", all...) }, "start web-2@1, " + others, ""},
		{"one is marked, and the others are", func(w *world) { w.have("1", "web-2") }, "start web-2@1, mark web-1@1, mark web-0@1", ""},
		{"it is written to", func(w *world) { sent(w).next(two) }, "resize web-2@1, " + others, ""},
		{"its kubelet does not know", func(w *world) { asking(w) }, others, waits},
		{"its kubelet knows, and has not done it", func(w *world) { asking(w).p("web-2").Containers.ObservedGeneration = 2 }, others, waits},
		{"it has it", func(w *world) { arrived(w) }, "finish web-2@1, " + others, ""},
		{"it has it, and is not ready", func(w *world) { arrived(w).unready("web-2") }, others, "POD_NOT_READY web-2, " + waits},
		{"it has it, and its kubelet is still about it", func(w *world) { arrived(w).p("web-2").Containers.ResizeInProgress = &model.PodResize{} }, others, waits},
		{"its kubelet says nothing of resources", func(w *world) { arrived(w).p("web-2").Containers.Containers[0].StatusResources = nil }, others, waits},
		{"another text of the same amount", func(w *world) { arrived(w).p("web-2").Containers.Containers[0].StatusResources.Requests.CPU = "2000m" }, "finish web-2@1, " + others, ""},
		{"all are there", func(w *world) { w.have("2", all...).atNewest(all...) }, "", ""},
		{"only", func(w *world) { only(w).have("1", all...) }, "start web-2@1, " + others, ""},

		// Order, partition, budget.
		{"OrderedReady: all are marked", func(w *world) { ordered(w) }, "mark web-2@1, mark web-1@1, mark web-0@1", ""},
		{"OrderedReady: one after the other", func(w *world) { ordered(w).have("1", all...) }, "start web-2@1", ""},
		{"OrderedReady: no other one while it is written to", func(w *world) { ordered(sent(w)) }, "resize web-2@1", ""},
		{"OrderedReady: no other one before it has it", func(w *world) { ordered(asking(w)) }, "", waits},
		{"OrderedReady: it has it", func(w *world) { ordered(arrived(w)) }, "finish web-2@1, start web-1@1", ""},
		{"without maxUnavailable", func(w *world) { w.have("1", all...).Rules.MaxUnavailable = false }, "start web-2@1", ""},
		{"without maxUnavailable, on its way", func(w *world) { asking(w).Rules.MaxUnavailable = false }, "start web-1@1", waits},
		{"without maxUnavailable, on its way, OrderedReady", func(w *world) { ordered(asking(w)).Rules.MaxUnavailable = false }, "", waits},
		{"the budget is spent", func(w *world) { w.have("1", all...).unready("web-0") }, "start web-2@1, " + others, "POD_NOT_READY web-0"},
		{"the partition", func(w *world) { w.have("1", all...).Set.RollingUpdate.Partition = 2 }, "start web-2@1", "PARTITION_HELD web-0"},
		{"the partition was raised", func(w *world) { sent(w).Set.RollingUpdate.Partition = 3 }, "resize web-2@1", "PARTITION_HELD web-0"},
		{"by ranks", func(w *world) {
			w.have("1", all...).asks(policy.Rank, "role=primary").leads("web-2", "role=primary")
		}, "start web-1@1", ""},
		{"by ranks, one is on its way", func(w *world) { asking(w).asks(policy.Rank, "role=primary").leads("web-1", "role=primary") }, "start web-0@1", waits},
		{"by ranks, one is on its way, OrderedReady", func(w *world) { ordered(asking(w)).asks(policy.Rank, "role=primary").leads("web-1", "role=primary") }, "", waits},
		{"by ranks, OrderedReady: it goes back", func(w *world) {
			ordered(asking(w)).next(one).asks(policy.Rank, "role=primary").leads("web-1", "role=primary")
		}, "start web-2@1", ""},
		{"by ranks, OrderedReady: it is recreated", func(w *world) {
			refused(w, "Infeasible").asks(policy.Rank, "role=primary").leads("web-1", "role=primary")
		}, "delete-pod web-2@1", infeasible},
		{"by ranks, OrderedReady: the leader is recreated last", func(w *world) {
			refused(w, "Infeasible").asks(policy.Rank, "role=primary").leads("web-2", "role=primary")
		}, "start web-1@1", infeasible},
		{"by hand", func(w *world) { w.have("1", all...).Set.StrategyType = "OnDelete" }, "", "ON_DELETE web-0"},
		{"paused", func(w *world) { sent(w).asks(policy.Pause, "Updates") }, "", "PAUSED web"},
		{"before", func(w *world) { w.have("1", all...).asks(policy.Before, "agent") }, "", "UPDATE_GATED web-2"},
		{"before: it goes on", func(w *world) { sent(w).asks(policy.Before, "agent") }, "resize web-2@1", "UPDATE_GATED web-1"},
		{"after: one after the other", func(w *world) { w.have("1", all...).asks(policy.After, "agent") }, "start web-2@1", budget},
		{"after: it is on its way", func(w *world) { sent(w).asks(policy.After, "agent") }, "resize web-2@1", "UPDATE_GATED web-2"},
		{"after: it is on its way, without maxUnavailable", func(w *world) { asking(w).asks(policy.After, "agent").Rules.MaxUnavailable = false }, "", waits},
		{"after: it is on its way, by ranks", func(w *world) {
			asking(w).asks(policy.After, "agent").asks(policy.Rank, "role=primary").leads("web-1", "role=primary")
		}, "", "UPDATE_GATED web-2, " + waits},
		{"after: it is on its way, and somebody has agreed", func(w *world) {
			sent(w).asks(policy.After, "agent").answers(policy.After, named(two), "web-2")
		}, "resize web-2@1, start web-1@1", "UPDATE_BUDGET web-0"},
		{"after: the set goes on without it", func(w *world) {
			refused(w, "Deferred").asks(policy.Deferred, "Keep").asks(policy.After, "agent")
		}, "start web-1@1", deferred},
		{"budgets of others: nothing starts again", func(w *world) { w.have("1", all...).asks(policy.Budget, "Respect") }, "start web-2@1, " + others, ""},

		// Containers that start again.
		{"it starts again: the budget", func(w *world) { restarts(w).have("1", all...) }, "start web-2@1", budget},
		{"it starts again: the mark", func(w *world) { restarts(w) }, "mark web-2@1", budget},
		{"it starts again: on its way", func(w *world) {
			restarts(w).have("1", all...).onTheWay(named(startsSized("2")), "web-2").startsOf("web-2")
		}, "resize web-2@1", budget},
		{"it starts again: there", func(w *world) {
			restarts(w).have("1", all...).onTheWay(named(startsSized("2")), "web-2").startsOf("web-2").ask("2", "web-2").get("web-2")
		}, "finish web-2@1", budget},
		{"it starts again: budgets of others", func(w *world) { restarts(w).have("1", all...).asks(policy.Budget, "Respect") }, "evict-pod web-2", budget},
		{"with an image: the budget", func(w *world) { w.have("1", all...).next(strings.Replace(two, "web:1", "web:2", 1)) }, "start web-2@1", budget},

		// What requires a new pod.
		{"no policy", func(w *world) { delete(w.Set.Annotations, policy.InPlace) }, "delete-pod web-2", budget},
		{"no policy any more", func(w *world) { delete(arrived(w).Set.Annotations, policy.InPlace) }, "delete-pod web-2@1", budget},
		{"an adapter that cannot", func(w *world) { w.Capabilities &^= model.CanResizePod }, "delete-pod web-2", budget},
		{"an adapter that cannot, only", func(w *world) { only(w).Capabilities &^= model.CanResizePod }, "", "UPDATE_NOT_IN_PLACE web-2"},
		{"an adapter that cannot, and it is on its way", func(w *world) { ordered(sent(w)).Capabilities &^= model.CanResizePod }, "", "CAPABILITY_MISSING web-2, " + waits},
		{"an adapter that cannot, and an autoscaler has set a limit below it", func(w *world) {
			ordered(sent(w)).p("web-2").Containers.Containers[0].Resources.Limits.CPU = "1500m"
			w.Capabilities &^= model.CanResizePod
		}, "", "CAPABILITY_MISSING web-2, " + waits},
		{"the pod lacks the container", func(w *world) { w.have("1", "web-2").p("web-2").Containers.Containers[0].Name = "db" }, "delete-pod web-2, mark web-1@1, mark web-0@1", ""},
		{"the record is of another pod", func(w *world) { sent(w).p("web-2").Containers.Containers[0].Name = "db" }, "delete-pod web-2@1, " + others, ""},
		{"its kubelet does not tell of resources", func(w *world) { w.have("1", all...).p("web-2").Containers.Containers[0].StatusResources = nil }, "delete-pod web-2@1, start web-1@1, start web-0@1", ""},
		{"a limit is gone", func(w *world) { w.have("1", all...).next(template) }, "delete-pod web-2", budget},

		// What others do.
		{"an autoscaler has changed it before", func(w *world) { sent(w).ask("4", "web-2").get("web-2") }, "finish web-2@1, " + others, ""},
		{"an autoscaler has changed it since", func(w *world) { arrived(w).ask("4", "web-2") }, others, waits},
		{"an autoscaler has set a limit below it", func(w *world) { sent(w).p("web-2").Containers.Containers[0].Resources.Limits.CPU = "1500m" }, "delete-pod web-2@1, " + others, waits},
		{"an autoscaler has set a limit below it, only", func(w *world) {
			only(sent(w)).p("web-2").Containers.Containers[0].Resources.Limits.CPU = "1500m"
		}, "", "UPDATE_NOT_IN_PLACE web-2, " + waits},
		{"an autoscaler has changed all pods", func(w *world) { w.have("7", all...).atNewest(all...) }, "", ""},

		// Back, and elsewhere.
		{"back", func(w *world) { asking(w).next(one) }, "start web-2@1", ""},
		{"back, and it has just arrived", func(w *world) { arrived(w).next(one) }, "finish web-2@1", ""},
		{"back, before it was written", func(w *world) { sent(w).next(one) }, "start web-2@1", ""},
		{"back, refused", func(w *world) { refused(w, "Infeasible").next(one) }, "start web-2@1", ""},
		{"back, refused, only", func(w *world) { only(refused(w, "Deferred")).next(one) }, "start web-2@1", ""},
		{"back, and written", func(w *world) { asking(w).next(one).onTheWay(named(one), "web-2") }, "resize web-2@1", ""},
		{"back, and there", func(w *world) { sent(w).next(one).onTheWay(named(one), "web-2").get("web-2") }, "finish web-2@1", ""},
		{"elsewhere", func(w *world) { ordered(asking(w)).next(sized("3")) }, "start web-2@1", ""},
		{"elsewhere, and it has just arrived", func(w *world) { ordered(arrived(w)).next(sized("3")) }, "finish web-2@1", ""},

		// What a node refuses.
		{"no room now", func(w *world) { refused(w, "Deferred") }, "", deferred},
		{"no room now: Wait", func(w *world) { refused(w, "Deferred").asks(policy.Deferred, "Wait") }, "", deferred},
		{"no room now: Recreate", func(w *world) { refused(w, "Deferred").asks(policy.Deferred, "Recreate") }, "delete-pod web-2@1", deferred},
		{"no room now: Keep", func(w *world) { refused(w, "Deferred").asks(policy.Deferred, "Keep") }, "start web-1@1", deferred},
		{"no room now: Keep, by ranks", func(w *world) {
			refused(w, "Deferred").asks(policy.Deferred, "Keep").asks(policy.Rank, "role=primary").leads("web-0", "role=primary")
		}, "start web-1@1", deferred},
		{"no room now: Keep, without maxUnavailable", func(w *world) { refused(w, "Deferred").asks(policy.Deferred, "Keep").Rules.MaxUnavailable = false }, "start web-1@1", deferred},
		{"no room now: a time that is not over", func(w *world) { refused(w, "Deferred").asks(policy.Deferred, "6m") }, "", deferred},
		{"no room now: a time that is over", func(w *world) { refused(w, "Deferred").asks(policy.Deferred, "5m") }, "delete-pod web-2@1", deferred},
		{"no room now: a time that is over since another change was refused", func(w *world) {
			refused(w, "Deferred").since("web-2", 4*time.Minute).asks(policy.Deferred, "5m")
		}, "", deferred},
		{"no room now: no policy", func(w *world) { refused(w, "Deferred").asks(policy.Deferred, "soon") }, "", deferred + ", INVALID_POLICY web"},
		{"no room now: only, Recreate", func(w *world) { only(refused(w, "Deferred")).asks(policy.Deferred, "Recreate") }, "", deferred},
		{"no room now: only, a time", func(w *world) { only(refused(w, "Deferred")).asks(policy.Deferred, "1s") }, "", deferred},
		{"no room now, Parallel", func(w *world) { refused(w, "Deferred").parallel() }, others, deferred},
		{"Recreate, and the budget is spent", func(w *world) {
			refused(w, "Deferred").parallel().asks(policy.Deferred, "Recreate").atNewest("web-0", "web-1").unready("web-0")
		}, "", deferred + ", POD_NOT_READY web-0, UPDATE_BUDGET web-2"},
		{"Recreate, and nobody has agreed", func(w *world) {
			refused(w, "Deferred").asks(policy.Deferred, "Recreate").asks(policy.Before, "agent")
		}, "", deferred + ", UPDATE_GATED web-2"},
		{"Recreate, and the partition was raised", func(w *world) {
			refused(w, "Deferred").asks(policy.Deferred, "Recreate").Set.RollingUpdate.Partition = 3
		}, "", deferred + ", PARTITION_HELD web-0"},
		{"Recreate, and it was about an earlier spec", func(w *world) {
			refused(w, "Deferred").asks(policy.Deferred, "Recreate").p("web-2").Containers.Generation++
		}, "", waits},
		{"Recreate, and its kubelet knows of a later spec, which it has not had the time to judge", func(w *world) {
			refused(w, "Deferred").asks(policy.Deferred, "Recreate").since("web-2", time.Minute).relooked("web-2")
		}, "", waits},
		{"Recreate, and its kubelet knows of a later spec, and has nothing else to say", func(w *world) {
			refused(w, "Deferred").asks(policy.Deferred, "Recreate").relooked("web-2")
		}, "delete-pod web-2@1", deferred},
		{"Recreate, and a kubelet that says which spec it has judged, and not which it knows of", func(w *world) {
			refused(w, "Deferred").asks(policy.Deferred, "Recreate").relooked("web-2").p("web-2").Containers.ObservedGeneration = 0
		}, "", waits},
		{"Recreate, and a kubelet that does not say which spec: it may be an earlier one", func(w *world) {
			refused(w, "Deferred").asks(policy.Deferred, "Recreate").silent("web-2").since("web-2", time.Minute)
		}, "", waits},
		{"Recreate, and a kubelet that does not say which spec, and that has had its time", func(w *world) {
			refused(w, "Deferred").asks(policy.Deferred, "Recreate").silent("web-2").since("web-2", 10*time.Minute)
		}, "delete-pod web-2@1", deferred},
		{"Recreate, and nothing was asked for yet", func(w *world) {
			ordered(sent(w)).refuses("Deferred", "web-2", time.Hour).asks(policy.Deferred, "Recreate")
		}, "resize web-2@1", ""},
		{"Keep, and an autoscaler has asked for more before it is written to", func(w *world) {
			ordered(w.have("1", all...).ask("4", "web-2").onTheWay(named(two), "web-2")).refuses("Deferred", "web-2", time.Minute).asks(policy.Deferred, "Keep")
		}, "resize web-2@1", ""},
		{"the runtime has failed", func(w *world) {
			ordered(asking(w)).refuses("", "web-2", time.Minute).asks(policy.Deferred, "Keep").errs("web-2")
		}, "start web-1@1", deferred},
		{"no room ever", func(w *world) { refused(w, "Infeasible") }, "delete-pod web-2@1", infeasible},
		{"no room ever, only", func(w *world) { only(refused(w, "Infeasible")) }, "", infeasible},
		{"no room ever: Wait", func(w *world) { refused(w, "Infeasible").asks(policy.Infeasible, "Wait") }, "", infeasible},
		{"no room ever: Keep", func(w *world) { refused(w, "Infeasible").asks(policy.Infeasible, "Keep") }, "start web-1@1", infeasible},
		{"no room ever: a time that is not over", func(w *world) { refused(w, "Infeasible").asks(policy.Infeasible, "1h") }, "", infeasible},
		{"no room ever: the other policy says nothing", func(w *world) {
			refused(w, "Infeasible").asks(policy.Deferred, "Recreate").asks(policy.Infeasible, "Wait")
		}, "", infeasible},
		{"what an autoscaler has asked for since is refused: it has the rest", func(w *world) { ordered(arrived(w)).refuses("Infeasible", "web-2", time.Minute) }, "finish web-2@1, start web-1@1", ""},
		{"what an autoscaler has asked for since is refused: it is not ready", func(w *world) {
			ordered(arrived(w)).refuses("Infeasible", "web-2", time.Minute).unready("web-2")
		}, "", "POD_NOT_READY web-2, " + waits},
		{"the runtime has failed, and the status has what is to be", func(w *world) {
			ordered(arrived(w)).refuses("", "web-2", time.Minute).asks(policy.Deferred, "Keep").errs("web-2")
		}, "start web-1@1", deferred},
		{"somebody else's change is refused", func(w *world) {
			arrived(w).refuses("Deferred", "web-2", time.Minute).answers(inplace.AnnotationUpdate, inplace.NothingUnderWay, "web-2")
			w.atNewest(all...)
		}, "", ""},
	} {
		t.Run(test.name, func(t *testing.T) {
			w := resized(3, one, two)
			test.edit(w)
			plan := Decide(&w.settled().Snapshot)
			check(t, test.name, "writes", writes(plan), test.want)
			check(t, test.name, "blocks", sortedBlocks(plan), sortedText(test.blocked))
			shuffle(&w.Snapshot, 7)
			if other := Decide(&w.Snapshot); Describe(other) != Describe(plan) {
				t.Errorf("another order gave another plan:\n%s\n%s", Describe(plan), Describe(other))
			}
		})
	}
}

// relooked lets the kubelet of a pod know of a spec that differs in something else, of which it says nothing.
func (w *world) relooked(pod string) *world {
	of := w.p(pod).Containers
	of.Generation++
	of.ObservedGeneration = of.Generation
	return w
}

// silent is a kubelet that names no generation, as those before Kubernetes 1.34.
func (w *world) silent(pod string) *world {
	of := w.p(pod).Containers
	of.ObservedGeneration, of.ResizePending.ObservedGeneration = 0, 0
	return w
}

// errs is a runtime that has not given a pod what its node has room for.
func (w *world) errs(pod string) *world {
	of := w.p(pod).Containers
	of.ResizePending, of.ResizeInProgress = nil, of.ResizePending
	of.ResizeInProgress.Reason = "Error"
	return w
}
