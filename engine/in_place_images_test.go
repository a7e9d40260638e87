package engine

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/setplan/setplan/engine/inplace"
	"github.com/setplan/setplan/engine/model"
	"github.com/setplan/setplan/engine/policy"
	"github.com/setplan/setplan/engine/state"
)

// imaged is a set whose template has another image than the revision of its pods, web:2 and not web:1.
func imaged(replicas int) *world {
	w := newWorld(replicas).parallel().asks(policy.InPlace, "InPlaceIfPossible").image("web:2")
	w.revision(2, string(w.Set.PodTemplate))
	return w
}

// running is a container as its kubelet shows it. n tells the containers of one name apart.
func running(name, image string, n int) model.Container {
	return model.Container{Name: name, Image: image, StatusImage: image, ImageID: "sha256:" + image, ContainerID: fmt.Sprintf("%s-%d", name, n), StartedAt: noon.Add(-time.Hour)}
}

// marked lets the snapshot say what runs in pods: container web with an image.
func (w *world) marked(image string, pods ...string) *world {
	for _, name := range pods {
		w.answers(inplace.AnnotationUpdate, inplace.NothingUnderWay, name)
		w.p(name).Containers = &model.PodContainers{Generation: 1, ObservedGeneration: 1, Containers: []model.Container{running("web", image, 1)}}
	}
	return w
}

// sent brings marked pods on their way to a revision. Their kubelets do not know of it yet.
func (w *world) sent(revision, image string, pods ...string) *world {
	for _, name := range pods {
		p := w.p(name)
		c := &p.Containers.Containers[0]
		w.answers(inplace.AnnotationUpdate, recordText(p.UID, revision, noon.Add(-time.Second), c.ContainerID, c.ImageID), name)
		p.Containers.Generation++
		c.Image = image
	}
	return w
}

// recordText is the record of a pod that was brought on its way, whose container web had run something.
func recordText(uid, revision string, at time.Time, ran, image string) string {
	if uid != "" {
		uid = `,"uid":"` + uid + `"`
	}
	return fmt.Sprintf(`{"at":%d,"containers":{"web":{"id":%q,"image":%q}},"revision":%q%s}`, at.Unix(), ran, image, revision, uid)
}

// since changes when a pod was brought on its way.
func (w *world) since(pod string, ago time.Duration) *world {
	r, _ := inplace.ReadRecord(w.p(pod).Annotations.Values[inplace.AnnotationUpdate])
	r.At = noon.Add(-ago)
	w.answers(inplace.AnnotationUpdate, r.Text(), pod)
	return w
}

// runs lets the kubelet of pods start what the spec says.
func (w *world) runs(pods ...string) *world {
	for _, name := range pods {
		of := w.p(name).Containers
		of.ObservedGeneration, of.Containers[0] = of.Generation, running("web", of.Containers[0].Image, int(of.Generation))
	}
	return w
}

// fails lets the kubelet of pods try to start what the spec says, in vain.
func (w *world) fails(pods ...string) *world {
	for _, name := range pods {
		p := w.unready(name).p(name)
		p.Containers.ObservedGeneration = p.Containers.Generation
		p.Containers.Containers[0].StartedAt, p.Containers.Containers[0].WaitingReason = time.Time{}, "ImagePullBackOff"
		p.StartedAt, p.ReadyChangedAt = noon.Add(-time.Hour), noon.Add(-time.Minute) // it was ready before
	}
	return w
}

// writes lists what a plan does to pods, with the resource version where it names one.
func writes(p *model.Plan) string {
	var list []string
	for _, a := range allActions(p) {
		text, note := a.Op.Traits().Name, ""
		switch op := a.Op.(type) {
		case model.UpdatePod:
			if i := slices.IndexFunc(op.Annotations, func(a model.KeyValue) bool { return a.Key == inplace.AnnotationUpdate }); i >= 0 {
				note = op.Annotations[i].Value
			}
			switch r, _ := inplace.ReadRecord(note); {
			case note == "":
			case note == inplace.NothingUnderWay:
				text = "finish"
			case len(op.Containers)+len(op.InitContainers)+len(op.Labels)+len(op.RemoveLabels) > 0 || len(op.Annotations) > 1:
				text = "start"
			case strings.Contains(note, `"seen":true`):
				text = "note"
			case len(r.Resize) > 0:
				text = "start"
			}
		case model.PatchAnnotations:
			text = "mark"
		case model.ResizePod:
			text = "resize"
		}
		if a.Kind != model.KindPod {
			continue
		}
		if text += " " + a.Name; a.ResourceVersion != "" {
			text += "@" + a.ResourceVersion
		}
		list = append(list, text)
	}
	return strings.Join(list, ", ")
}

var (
	firstImage, secondImage = nameFor("web:1", 0), nameFor("web:2", 0)
)

// TestImagesInPlace: the decisions about pods whose images differ. Three pods run web:1, and the template says web:2.
func TestImagesInPlace(t *testing.T) {
	const primary = "role=primary"
	only := func(w *world) *world { return w.asks(policy.InPlace, "InPlaceOnly") }
	all := []string{"web-0", "web-1", "web-2"}
	onItsWay := func(w *world) *world { return w.marked("web:1", all...).sent(secondImage, "web:2", "web-2") }
	arrived := func(w *world) *world { return onItsWay(w).runs("web-2") }
	back := func(w *world) *world { // to web:1, while web-2 is on its way to web:2
		w = onItsWay(w)
		w.Set.PodTemplate = []byte(template)
		w.Revisions[0].Number = 3
		return w
	}
	const waits, budget, notReady = "UPDATE_WAITS_FOR_POD web-2", "UPDATE_BUDGET web-1", "POD_NOT_READY web-2"
	for _, test := range []struct {
		name          string
		edit          func(w *world)
		want, blocked string
	}{
		// The steps.
		{"the first one is marked", func(w *world) {}, "mark web-2@1", budget},
		{"it starts", func(w *world) { w.marked("web:1", "web-2") }, "start web-2@1", budget},
		{"one after the other, although all are marked", func(w *world) { w.marked("web:1", all...) }, "start web-2@1", budget},
		{"its kubelet does not know", func(w *world) { onItsWay(w) }, "", budget + ", " + waits},
		{"it runs", func(w *world) { arrived(w) }, "finish web-2@1", budget},
		{"it runs, and is not ready", func(w *world) { arrived(w).unready("web-2") }, "", notReady + ", " + budget + ", " + waits},
		{"it does not run", func(w *world) { onItsWay(w).fails("web-2") }, "", notReady + ", " + budget + ", " + waits},
		{"it is there, and the next one follows", func(w *world) { w.marked("web:2", "web-2").atNewest("web-2") }, "mark web-1@1", "UPDATE_BUDGET web-0"},
		{"all are there", func(w *world) { w.marked("web:2", all...).atNewest(all...) }, "", ""},
		{"its kubelet knows, and has not done it", func(w *world) { onItsWay(w).p("web-2").Containers.ObservedGeneration = 2 }, "", budget + ", " + waits},
		{"the same for long: its runtime may hang", func(w *world) { onItsWay(w).since("web-2", time.Hour).p("web-2").Containers.ObservedGeneration = 2 }, "", budget + ", " + waits},
		{"another container runs, and nothing tells", func(w *world) {
			c := &arrived(w).p("web-2").Containers.Containers[0]
			*c = running("web", "web:1", 7)
			c.Image = "web:2"
		}, "note web-2@1", budget},
		{"only", func(w *world) { only(w) }, "mark web-2@1", budget},
		{"OrderedReady", func(w *world) { w.Set.PodManagementPolicy = "" }, "mark web-2@1", budget},
		{"OrderedReady, outside the range, and not ready: it has its time", func(w *world) {
			onItsWay(w).fails("web-2").unready("web-1").Set.PodManagementPolicy, w.Set.Replicas = "", 1
		}, "", "SCALE_DOWN_WAITS_FOR_POD web-1"},
		{"OrderedReady, not ready yet", func(w *world) { arrived(w).unready("web-2").Set.PodManagementPolicy = "" }, "", notReady + ", " + waits},
		{"OrderedReady, a lower one is not ready: what is done is done", func(w *world) { arrived(w).unready("web-0").Set.PodManagementPolicy = "" }, "finish web-2@1", "POD_NOT_READY web-0"},
		{"a pod that is adopted", func(w *world) { w.marked("web:1", "web-2").p("web-2").Owners = nil }, "adopt-pod web-2", ""},
		{"on its way, and adopted", func(w *world) { arrived(w).p("web-2").Owners = nil }, "adopt-pod web-2", budget},
		{"a pod that is going", func(w *world) { arrived(w).p("web-2").DeletedAt = noon }, "", "POD_TERMINATING web-2, " + budget},

		// Budget, order, partition.
		{"a budget of two", func(w *world) { w.budget("", 2) }, "mark web-2@1, mark web-1@1", "UPDATE_BUDGET web-0"},
		{"a budget of two, one on its way", func(w *world) { onItsWay(w).budget("", 2) }, "start web-1@1", "UPDATE_BUDGET web-0, " + waits},
		{"nobody overtakes one that is marked", func(w *world) { w.marked("web:1", "web-2", "web-0").sent(secondImage, "web:2", "web-2").budget("", 3) }, "mark web-1@1", waits},
		{"labels overtake nobody either", func(w *world) {
			w.marked("web:1", "web-0").template(strings.Replace(string(w.Set.PodTemplate), `"app":"web"`, `"app":"web","tier":"gold"`, 1)).revision(3, string(w.Set.PodTemplate))
			w.p("web-0").Revision = secondImage
		}, "mark web-2@1", budget},
		{"nobody overtakes one that is marked, over one that is on its way", func(w *world) {
			w.marked("web:1", "web-1", "web-0").sent(secondImage, "web:2", "web-1").budget("", 3)
		}, "mark web-2@1", "UPDATE_WAITS_FOR_POD web-1"},
		{"nobody overtakes one that is marked, over one that is broken", func(w *world) {
			w.marked("web:1", "web-1", "web-0").unready("web-1").budget("", 3)
		}, "mark web-2@1, start web-1@1", "POD_NOT_READY web-1"},
		{"labels overtake nobody either, whatever the budget", func(w *world) {
			w.marked("web:1", "web-0").template(strings.Replace(string(w.Set.PodTemplate), `"app":"web"`, `"app":"web","tier":"gold"`, 1)).revision(3, string(w.Set.PodTemplate))
			w.p("web-0").Revision = secondImage
			w.budget("", 3)
		}, "mark web-2@1, mark web-1@1", ""},
		{"nor does one that requires a new pod", func(w *world) {
			w.p("web-0").Revision = w.revision(0, strings.Replace(template, `"image":"web:1"`, `"command":["serve"],"image":"web:1"`, 1))
			w.budget("", 3)
		}, "mark web-2@1, mark web-1@1", ""},
		{"a spent budget", func(w *world) { w.marked("web:1", all...).atNewest("web-1").unready("web-1") }, "", "POD_NOT_READY web-1, UPDATE_BUDGET web-2"},
		{"a broken pod goes first", func(w *world) { w.marked("web:1", all...).unready("web-0") }, "start web-0@1", "POD_NOT_READY web-0, UPDATE_BUDGET web-2"},
		{"the partition", func(w *world) { w.Set.RollingUpdate.Partition = 2 }, "mark web-2@1", "PARTITION_HELD web-0"},
		{"the partition was raised", func(w *world) { onItsWay(w).Set.RollingUpdate.Partition = 3 }, "", "PARTITION_HELD web-0, " + waits},
		{"the partition was raised, and it runs", func(w *world) { arrived(w).Set.RollingUpdate.Partition = 3 }, "finish web-2@1", "PARTITION_HELD web-0"},
		{"the partition was raised, and it is not ready yet", func(w *world) { onItsWay(w).fails("web-2").Set.RollingUpdate.Partition = 3 }, "", "PARTITION_HELD web-0, " + notReady + ", " + waits},
		{"the partition was raised, and it does not get ready", func(w *world) {
			onItsWay(w).since("web-2", state.MinRepairAge).fails("web-2").Set.RollingUpdate.Partition = 3
		}, "start web-2@1", "PARTITION_HELD web-0, " + notReady},
		{"without maxUnavailable", func(w *world) { w.Rules.MaxUnavailable = false }, "mark web-2@1", ""},
		{"without maxUnavailable, on its way", func(w *world) { onItsWay(w).Rules.MaxUnavailable = false }, "", waits},
		{"without maxUnavailable, it runs", func(w *world) { arrived(w).Rules.MaxUnavailable = false }, "finish web-2@1", ""},
		{"the rules of Kubernetes", func(w *world) { onItsWay(w).Rules = model.Kubernetes136() }, "", waits},
		{"without maxUnavailable, a lower one is on its way elsewhere", func(w *world) {
			w.marked("web:1", all...).atNewest("web-2").sent(secondImage, "web:2", "web-1").image("web:3").revision(3, string(w.Set.PodTemplate))
			w.Rules.MaxUnavailable = false
		}, "start web-1@1", ""},
		{"by the rules of Kubernetes, a lower one is on its way", func(w *world) {
			w.marked("web:1", all...).atNewest("web-2").sent(nameFor("web:3", 0), "web:3", "web-1").image("web:3").revision(3, string(w.Set.PodTemplate))
			w.Rules, w.Set.PodManagementPolicy = model.Kubernetes136(), ""
		}, "", "UPDATE_WAITS_FOR_POD web-1"},
		{"without rollingUpdate", func(w *world) { arrived(w).Set.RollingUpdate = nil }, "finish web-2@1", budget},
		{"without rollingUpdate, not ready", func(w *world) { arrived(w).unready("web-2").Set.RollingUpdate = nil }, "", notReady + ", " + budget + ", " + waits},
		{"by ranks", func(w *world) { w.marked("web:1", all...).asks(policy.Rank, primary).leads("web-2", primary) }, "start web-1@1", ""},
		{"by ranks, one is on its way", func(w *world) { onItsWay(w).asks(policy.Rank, primary).leads("web-1", primary) }, "", "UPDATE_BUDGET web-0, " + waits},
		{"by ranks, the leader waits", func(w *world) {
			onItsWay(w).asks(policy.Rank, primary).leads("web-1", primary).atNewest("web-0")
		}, "", "LEADER_WAITS web-1, " + waits},
		{"by ranks, the leader is on its way", func(w *world) { onItsWay(w).asks(policy.Rank, primary).leads("web-2", primary) }, "", "UPDATE_BUDGET web-1, " + waits},

		// What holds it back.
		{"by hand", func(w *world) { w.Set.StrategyType = "OnDelete" }, "", "ON_DELETE web-0"},
		{"by hand from now on", func(w *world) { onItsWay(w).Set.StrategyType = "OnDelete" }, "", "ON_DELETE web-0, " + waits},
		{"by hand from now on, and it is the last one", func(w *world) { onItsWay(w).atNewest("web-0", "web-1").Set.StrategyType = "OnDelete" }, "", waits},
		{"by hand, two are to be recreated, and it is one of them", func(w *world) {
			w.marked("web:1", "web-0").sent(secondImage, "web:2", "web-0").Set.StrategyType = "OnDelete"
			w.answers(state.AnnotationRecreate, "true", "web-0")
			w.answers(state.AnnotationRecreate, "true", "web-2")
		}, "delete-pod web-0@1", "ON_DELETE web-0"},
		{"by hand, it is to be recreated, and another one is broken", func(w *world) {
			onItsWay(w).unready("web-1").answers(state.AnnotationRecreate, "true", "web-2")
			w.Set.StrategyType = "OnDelete"
		}, "", "ON_DELETE web-0, POD_NOT_READY web-1, RECREATE_WAITS web-2"},
		{"by hand from now on, and it runs", func(w *world) { arrived(w).Set.StrategyType = "OnDelete" }, "finish web-2@1", "ON_DELETE web-0"},
		{"paused", func(w *world) { arrived(w).asks(policy.Pause, "Updates") }, "", "PAUSED web"},
		{"paused on its way", func(w *world) { onItsWay(w).asks(policy.Pause, "Updates") }, "", "PAUSED web"},
		{"before", func(w *world) { w.asks(policy.Before, "agent") }, "", "UPDATE_GATED web-2"},
		{"before, marked", func(w *world) { w.marked("web:1", "web-2").asks(policy.Before, "agent") }, "", "UPDATE_GATED web-2"},
		{"before, agreed", func(w *world) { w.asks(policy.Before, "agent").agrees(policy.Before, "web-2") }, "mark web-2@1", budget},
		{"before: a pod that runs needs nobody", func(w *world) { arrived(w).asks(policy.Before, "agent") }, "finish web-2@1", budget},
		{"after: nobody has agreed, and the label is not there", func(w *world) { arrived(w).asks(policy.After, "agent") }, "finish web-2@1", budget},
		{"after", func(w *world) { w.marked("web:2", all...).atNewest("web-2").asks(policy.After, "agent") }, "", "UPDATE_GATED web-2"},
		{"after, agreed", func(w *world) {
			w.marked("web:2", all...).atNewest("web-2").asks(policy.After, "agent").agrees(policy.After, "web-2")
		}, "start web-1@1", "UPDATE_BUDGET web-0"},
		{"minReadySeconds counts from the start", func(w *world) {
			w.Set.MinReadySeconds = 60
			w.marked("web:2", all...).atNewest("web-2").p("web-2").Containers.Containers[0].StartedAt = noon.Add(-time.Second)
		}, "", "POD_NOT_AVAILABLE web-2, " + budget},
		{"budgets of others are respected", func(w *world) { w.asks(policy.Budget, "Respect") }, "evict-pod web-2", budget},
		{"budgets are respected from now on", func(w *world) { arrived(w).asks(policy.Budget, "Respect") }, "finish web-2@1", budget},

		// What requires a new pod.
		{"no policy", func(w *world) { delete(w.Set.Annotations, policy.InPlace) }, "delete-pod web-2", budget},
		{"no policy any more", func(w *world) { delete(arrived(w).Set.Annotations, policy.InPlace) }, "delete-pod web-2@1", budget},
		{"an adapter that cannot", func(w *world) { w.Capabilities &^= model.CanUpdateImages }, "delete-pod web-2", budget},
		{"an adapter that cannot, only", func(w *world) { only(w).Capabilities &^= model.CanUpdateImages }, "", "UPDATE_NOT_IN_PLACE web-2"},
		{"an adapter that cannot mark", func(w *world) { w.Capabilities &^= model.CanPatchAnnotations }, "delete-pod web-2", budget},
		{"an adapter that can no more: what is under way ends", func(w *world) { arrived(w).Capabilities &^= model.CanUpdateImages }, "finish web-2@1", budget},
		{"an adapter that shows nothing any more", func(w *world) { arrived(w).p("web-2").Containers = nil }, "delete-pod web-2@1", budget},
		{"an adapter that shows nothing any more, only", func(w *world) { only(arrived(w)).p("web-2").Containers = nil }, "", "UPDATE_NOT_IN_PLACE web-2"},
		{"the pod lacks the container", func(w *world) { w.marked("web:1", "web-2").p("web-2").Containers.Containers[0].Name = "db" }, "delete-pod web-2", budget},
		{"the record cannot be read", func(w *world) { w.marked("web:1", "web-2").answers(inplace.AnnotationUpdate, "?", "web-2") }, "delete-pod web-2@1", budget},
		{"the record cannot be read, and the budget is spent", func(w *world) {
			w.atNewest("web-1").unready("web-1").marked("web:1", "web-2").answers(inplace.AnnotationUpdate, "?", "web-2")
		}, "", "POD_NOT_READY web-1, UPDATE_BUDGET web-2"},
		{"the record cannot be read, only", func(w *world) { only(w).marked("web:1", "web-2").answers(inplace.AnnotationUpdate, "?", "web-2") }, "", "UPDATE_NOT_IN_PLACE web-2"},
		{"the record of an updated pod cannot be read", func(w *world) {
			w.atNewest(all...).marked("web:2", "web-2").answers(inplace.AnnotationUpdate, "?", "web-2")
		}, "delete-pod web-2@1", ""},
		{"the command differs, too", func(w *world) {
			w.template(strings.Replace(template, `"image":"web:1"`, `"command":["serve"],"image":"web:3"`, 1)).revision(3, string(w.Set.PodTemplate))
		}, "delete-pod web-2", budget},
		{"the command differs, too, only", func(w *world) {
			only(w).template(strings.Replace(template, `"image":"web:1"`, `"command":["serve"],"image":"web:3"`, 1)).revision(3, string(w.Set.PodTemplate))
		}, "", "UPDATE_NOT_IN_PLACE web-2"},
		{"on its way, and the command differs then", func(w *world) {
			onItsWay(w).template(strings.Replace(template, `"image":"web:1"`, `"command":["serve"],"image":"web:2"`, 1)).revision(3, string(w.Set.PodTemplate))
		}, "delete-pod web-2@1", budget},
		{"on its way in vain, and the command differs then, OrderedReady", func(w *world) {
			onItsWay(w).fails("web-2").template(strings.Replace(template, `"image":"web:1"`, `"command":["serve"],"image":"web:2"`, 1)).revision(3, string(w.Set.PodTemplate))
			w.Set.PodManagementPolicy = ""
		}, "delete-pod web-2@1", notReady},
		{"a pod that a repair would replace", func(w *world) { w.marked("web:1", all...).unready("web-2").asks(policy.Repair, "Unready") }, "delete-pod web-2@1", notReady + ", " + budget},
		{"its revision is gone", func(w *world) { w.Revisions = w.Revisions[1:] }, "delete-pod web-2", budget},
		{"on its way from a revision that is gone", func(w *world) { arrived(w).Revisions = w.Revisions[1:] }, "finish web-2@1", budget},
		{"on its way, and somebody deletes the revision", func(w *world) { onItsWay(w).Revisions = w.Revisions[:1] }, "", budget + ", " + waits},
		{"on its way to a revision that is gone", func(w *world) {
			onItsWay(w).sent("web-gone", "web:3", "web-2")
		}, "delete-pod web-2@1", budget},
		{"it runs a revision that is gone", func(w *world) { onItsWay(w).sent("web-gone", "web:3", "web-2").runs("web-2") }, "delete-pod web-2@1", budget},
		{"somebody wants it recreated", func(w *world) { arrived(w).answers(state.AnnotationRecreate, "true", "web-2") }, "delete-pod web-2@1", budget},
		{"somebody wants another one recreated", func(w *world) { onItsWay(w).answers(state.AnnotationRecreate, "true", "web-0") }, "", "RECREATE_WAITS web-0, " + budget + ", " + waits},
		{"it starts, and somebody wants another one recreated", func(w *world) { w.marked("web:1", all...).answers(state.AnnotationRecreate, "true", "web-0") }, "start web-2@1", budget},

		// Back, and elsewhere.
		{"back", func(w *world) { back(w) }, "start web-2@1", ""},
		{"back, from what does not run", func(w *world) { back(w).fails("web-2") }, "start web-2@1", notReady},
		{"back, OrderedReady", func(w *world) { back(w).fails("web-2").Set.PodManagementPolicy = "" }, "start web-2@1", notReady},
		{"back, OrderedReady, only", func(w *world) { only(back(w)).fails("web-2").Set.PodManagementPolicy = "" }, "start web-2@1", notReady},
		{"back, OrderedReady, and nothing is repaired", func(w *world) { back(w).fails("web-2").asks(policy.Repair, "Never").Set.PodManagementPolicy = "" }, "start web-2@1", notReady},
		{"back, OrderedReady, nothing is repaired, and it requires a new pod", func(w *world) {
			w = back(w).fails("web-2").asks(policy.Repair, "Never")
			w.Set.PodManagementPolicy, w.Capabilities = "", w.Capabilities&^model.CanUpdateImages
		}, "", notReady},
		{"back, OrderedReady, it serves, and a lower one is broken", func(w *world) { back(w).unready("web-0").Set.PodManagementPolicy = "" }, "", "POD_NOT_READY web-0"},
		{"back, from what never ran", func(w *world) { back(w).fails("web-2").neverReady("web-2", firstImage) }, "delete-pod web-2@1", notReady},
		{"back, whatever is broken besides", func(w *world) { back(w).fails("web-2").unready("web-1") }, "start web-2@1", "POD_NOT_READY web-1"},
		{"back, by the rules of Kubernetes", func(w *world) { back(w).fails("web-2").Rules = model.Kubernetes136() }, "start web-2@1", notReady},
		{"back, without rollingUpdate", func(w *world) { back(w).fails("web-2").Set.RollingUpdate = nil }, "start web-2@1", notReady},
		{"back, by hand", func(w *world) { back(w).Set.StrategyType = "OnDelete" }, "", "ON_DELETE web-2, " + waits},
		{"back, without the policy: it is not what its label says", func(w *world) { delete(back(w).Set.Annotations, policy.InPlace) }, "delete-pod web-2@1", ""},
		{"back, and there", func(w *world) { back(w).sent(firstImage, "web:1", "web-2").runs("web-2") }, "finish web-2@1", ""},
		{"back, and not there", func(w *world) { back(w).sent(firstImage, "web:1", "web-2") }, "", waits},
		{"elsewhere", func(w *world) { onItsWay(w).image("web:3").revision(3, string(w.Set.PodTemplate)) }, "start web-2@1", budget},
		{"elsewhere, by ranks", func(w *world) {
			onItsWay(w).image("web:3").revision(3, string(w.Set.PodTemplate))
			w.asks(policy.Rank, primary).leads("web-0", primary)
		}, "start web-2@1", ""},
		{"elsewhere, and the partition was raised", func(w *world) {
			onItsWay(w).image("web:3").revision(3, string(w.Set.PodTemplate))
			w.Set.RollingUpdate.Partition = 3
		}, "", "PARTITION_HELD web-0, " + waits},
		{"elsewhere, and it has just arrived", func(w *world) { arrived(w).image("web:3").revision(3, string(w.Set.PodTemplate)) }, "finish web-2@1", ""},
		{"elsewhere, it has just arrived, and nobody overtakes it", func(w *world) {
			arrived(w).image("web:3").revision(3, string(w.Set.PodTemplate))
			w.budget("", 3)
		}, "finish web-2@1", ""},
		{"elsewhere, it has just arrived, and nobody overtakes it by rank", func(w *world) {
			arrived(w).image("web:3").revision(3, string(w.Set.PodTemplate))
			w.asks(policy.Rank, primary).leads("web-0", primary).budget("", 3)
		}, "finish web-2@1", ""},
		{"elsewhere, it has just arrived, and a broken one does not wait", func(w *world) {
			arrived(w).unready("web-0").image("web:3").revision(3, string(w.Set.PodTemplate))
		}, "finish web-2@1, start web-0@1", "POD_NOT_READY web-0"},
		{"elsewhere, as the labels differ", func(w *world) {
			onItsWay(w).template(strings.Replace(string(w.Set.PodTemplate), `"app":"web"`, `"app":"web","tier":"gold"`, 1)).revision(3, string(w.Set.PodTemplate))
		}, "start web-2@1", budget},
		{"repaired in its turn: Unready", func(w *world) { onItsWay(w).unready("web-2").asks(policy.Repair, "Unready") }, "", notReady + ", " + budget + ", " + waits},
	} {
		t.Run(test.name, func(t *testing.T) {
			w := imaged(3)
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

// TestTakenBack: somebody gives a pod that is on its way its old image again. Time proves nothing then, and the block says what helps.
func TestTakenBack(t *testing.T) {
	w := imaged(3).marked("web:1", "web-2").sent(secondImage, "web:2", "web-2").since("web-2", time.Hour)
	of := w.p("web-2").Containers
	of.Generation++
	of.ObservedGeneration, of.Containers[0] = of.Generation, running("web", "web:1", 1)
	plan := Decide(&w.settled().Snapshot)
	check(t, "taken back", "writes", writes(plan), "")
	for _, b := range plan.Blocks {
		if b.Code == model.BlockUpdateWaitsForPod {
			check(t, "taken back", "message", b.Message, "The pod is being updated in place to revision "+secondImage+": container web has the image of revision "+firstImage+" again, which no plan has written.")
			check(t, "taken back", "remedy", b.Remedy, "Set the image of revision "+secondImage+" in the pod, or recreate it: `kubectl -n default annotate pod web-2 setplan.io/recreate=true --overwrite`")
			return
		}
	}
	t.Error("no block says what the pod waits for")
}

// TestRoomForRecord: a pod whose annotations would leave no room for the record is recreated, or stays, and a block says why.
func TestRoomForRecord(t *testing.T) {
	for annotations, want := range map[int]string{state.MostAnnotations - state.RoomForRecord: "patch-annotations", state.MostAnnotations - state.RoomForRecord + 1: "delete-pod"} {
		w := newWorld(1).asks(policy.InPlace, "InPlaceIfPossible").crowded(annotations)
		w.Set.PodTemplate = []byte(strings.Replace(string(w.Set.PodTemplate), "web:1", "web:2", 1))
		w.revision(2, string(w.Set.PodTemplate))
		w.Revisions[0].Data = []byte(strings.Replace(string(w.Revisions[1].Data), "web:2", "web:1", 1))
		check(t, fmt.Sprint(annotations), "actions", actions(Decide(&w.Snapshot)), want+" web-0")
	}
}
