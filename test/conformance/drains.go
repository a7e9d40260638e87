package conformance

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/setplan/setplan/adapters"
	setplanv1 "github.com/setplan/setplan/proto/setplan/v1"
)

// holdOther is a finalizer that is not ours.
const holdOther = "example.com/hold"

var drainCases = []conformanceCase{
	{"patch_annotations of a claim leaves the others", "patch_annotations", func(t reporter, b *bench) {
		claim := b.create(b.claimJSON("data-web-2", "[]"))
		b.done(annotate(kindClaim, claim, map[string]string{"example.com/a": "1", "example.com/b": "2"}))
		write := b.done(annotate(kindClaim, b.get(kindClaim, "data-web-2"), map[string]string{"example.com/b": "3"}, "example.com/a", "example.com/never"))
		after := b.get(kindClaim, "data-web-2")
		if _, left := after.Annotations["example.com/a"]; left || after.Annotations["example.com/b"] != "3" {
			t.Errorf("the annotations are %v", after.Annotations)
		}
		if write == nil || write.ResourceVersion != after.ResourceVersion {
			t.Errorf("the gate is told %+v, the claim is at %s", write, after.ResourceVersion)
		}
	}},
	{"patch_annotations of a pod", "patch_annotations", func(t reporter, b *bench) {
		pod := b.create(b.podJSON("web-1", "data-web-1", b.ownerJSON()))
		b.done(annotate(kindPod, pod, map[string]string{adapters.AnnotationDrainRequest: "1-q"}))
		if after := b.get(kindPod, "web-1"); after.Annotations[adapters.AnnotationDrainRequest] != "1-q" || after.Labels["app"] != pod.Labels["app"] {
			t.Errorf("the pod is %+v", after.ObjectMeta)
		}
	}},
	{"patch_annotations at another resource version is a conflict", "patch_annotations", func(_ reporter, b *bench) {
		claim := b.create(b.claimJSON("data-web-2", "[]"))
		b.done(annotate(kindClaim, claim, map[string]string{"example.com/a": "1"}))
		b.conflict(annotate(kindClaim, claim, map[string]string{"example.com/a": "2"}))
	}},
	{"patch_annotations that is gone is a conflict", "patch_annotations", func(_ reporter, b *bench) {
		claim := b.create(b.claimJSON("data-web-2", "[]"))
		b.Delete(kindClaim, "data-web-2")
		b.conflict(annotate(kindClaim, claim, map[string]string{"example.com/a": "1"}))
	}},
	{"delete_claim", "delete_claim", func(t reporter, b *bench) {
		claim := b.create(b.claimJSON("data-web-2", "[]"))
		write := b.done(deleteClaim(claim))
		if left := b.Get(kindClaim, "data-web-2"); left != nil && b.parse(left).DeletionTimestamp == nil {
			t.Error("the claim is there and not being deleted")
		}
		if write == nil || !write.Deleted || write.UID != string(claim.UID) {
			t.Errorf("the gate is told %+v", write)
		}
	}},
	{"delete_claim with another uid is a conflict", "delete_claim", func(t reporter, b *bench) {
		earlier := b.create(b.claimJSON("data-web-2", "[]"))
		b.Delete(kindClaim, "data-web-2")
		b.create(b.claimJSON("data-web-2", "[]"))
		b.conflict(deleteClaim(earlier))
		if b.get(kindClaim, "data-web-2").DeletionTimestamp != nil {
			t.Error("data that nobody drained is being deleted")
		}
	}},
	{"delete_claim that is gone is success", "delete_claim", func(_ reporter, b *bench) {
		claim := b.create(b.claimJSON("data-web-2", "[]"))
		b.Delete(kindClaim, "data-web-2")
		b.done(deleteClaim(claim))
	}},
	{"set_finalizer adds one, removes one, and leaves the others", "set_finalizer", func(t reporter, b *bench) {
		b.done(finalizer(b.set, holdOther, true))
		b.done(finalizer(b.set, "setplan.io/drain", true))
		b.done(finalizer(b.set, "setplan.io/drain", true)) // a second time changes nothing
		if after := b.get(kindSet, "web"); !slices.Equal(after.Finalizers, []string{holdOther, "setplan.io/drain"}) {
			t.Errorf("the finalizers are %v", after.Finalizers)
		}
		b.done(finalizer(b.set, "setplan.io/drain", false))
		if after := b.get(kindSet, "web"); !slices.Equal(after.Finalizers, []string{holdOther}) {
			t.Errorf("the finalizers are %v", after.Finalizers)
		}
		b.done(finalizer(b.set, holdOther, false))
	}},
	{"set_finalizer of another set of the name is a conflict", "set_finalizer", func(t reporter, b *bench) {
		b.Delete(kindSet, "web")
		b.create(b.setJSON("web"))
		b.conflict(finalizer(b.set, "setplan.io/drain", true))
		if after := b.get(kindSet, "web"); len(after.Finalizers) > 0 {
			t.Errorf("the finalizers are %v", after.Finalizers)
		}
	}},
	{"set_finalizer of a set that is gone", "set_finalizer", func(_ reporter, b *bench) {
		b.Delete(kindSet, "web")
		b.conflict(finalizer(b.set, "setplan.io/drain", true))
		b.done(finalizer(b.set, "setplan.io/drain", false))
	}},
	{"a snapshot has the annotations under setplan.io/ of pods and claims as they are, and no others", "", func(t reporter, b *bench) {
		claim := b.create(b.claimJSON("data-web-2", "[]"))
		pod := b.create(b.podJSON("web-2", "data-web-2", "[]"))
		mark := "web/" + string(b.set.UID)
		b.done(annotate(kindClaim, claim, map[string]string{adapters.AnnotationDrainSet: mark,
			adapters.AnnotationDrainAttempts: "many", "setplan.io/of-a-later-release": "", "example.com/other": "x"}))
		b.done(annotate(kindPod, pod, map[string]string{adapters.AnnotationDrainSet: mark, adapters.AnnotationDrainClaims: string(claim.UID) + ",,other",
			adapters.AnnotationDrainRequest: "1-q", adapters.AnnotationDrainAnswer: "1-a"}))
		b.done(finalizer(b.set, "setplan.io/drain", true))
		snapshot := b.snapshot()
		if got := snapshot.GetSet().GetFinalizers(); !slices.Equal(got, []string{"setplan.io/drain"}) {
			t.Errorf("finalizers %v", got)
		}
		if len(snapshot.GetClaims()) != 1 || len(snapshot.GetPods()) != 1 {
			t.Fatalf("claims %v, pods %v", snapshot.GetClaims(), snapshot.GetPods())
		}
		want := map[string]string{adapters.AnnotationDrainSet: mark, adapters.AnnotationDrainAttempts: "many", "setplan.io/of-a-later-release": ""}
		if got := annotationsAt(snapshot, snapshot.GetClaims()[0].GetAnnotationSetIndex()); !maps.Equal(got, want) {
			t.Errorf("the claim has %v, want %v", got, want)
		}
		want = map[string]string{adapters.AnnotationDrainSet: mark, adapters.AnnotationDrainClaims: string(claim.UID) + ",,other",
			adapters.AnnotationDrainRequest: "1-q", adapters.AnnotationDrainAnswer: "1-a"}
		if got := annotationsAt(snapshot, snapshot.GetPods()[0].GetAnnotationSetIndex()); !maps.Equal(got, want) {
			t.Errorf("the pod has %v, want %v", got, want)
		}
		b.done(annotate(kindClaim, b.get(kindClaim, "data-web-2"), map[string]string{adapters.AnnotationDrainAttempts: "3"}))
		snapshot = b.snapshot()
		if got := annotationsAt(snapshot, snapshot.GetClaims()[0].GetAnnotationSetIndex())[adapters.AnnotationDrainAttempts]; got != "3" {
			t.Errorf("after a change the claim has %q", got)
		}
		b.done(finalizer(b.set, "setplan.io/drain", false))
	}},
	{"a snapshot has what a pod's containers with a token have handed back", "", func(t reporter, b *bench) {
		b.create(b.proofPodJSON("web-2", adapters.DrainTokenVariable))
		b.create(b.proofPodJSON("web-3", "OTHER"))
		if pods := podsByName(b.snapshot()); pods["web-2"].GetDisrupted() || !slices.Equal(pods["web-2"].GetTerminationMessages(), []string{""}) {
			t.Errorf("before it has ended: %v", pods["web-2"])
		}
		long := strings.Repeat("x", 4095) + "é" // cut in the middle of a letter
		for _, pod := range []string{"web-2", "web-3"} {
			b.PatchStatus(kindPod, pod, []byte(`{"conditions":[{"type":"DisruptionTarget","status":"True"}],"containerStatuses":[`+
				ended("helper", "not asked")+`,`+ended("drain", long)+`]}`))
		}
		pods := podsByName(b.snapshot())
		if got := pods["web-2"].GetTerminationMessages(); len(got) != 1 || got[0] != strings.Repeat("x", 4095) || !pods["web-2"].GetDisrupted() {
			t.Errorf("disrupted %t, messages %.20q", pods["web-2"].GetDisrupted(), got)
		}
		if !pods["web-3"].GetDisrupted() || pods["web-3"].GetTerminationMessages() != nil {
			t.Errorf("a pod without a token has nothing to hand back, and is disrupted all the same: %v", pods["web-3"])
		}
	}},
}

// annotationsAt are those that an index of a pod or a claim stands for.
func annotationsAt(s *setplanv1.Snapshot, index uint32) map[string]string {
	if index == 0 || int(index) >= len(s.GetTables().GetAnnotationSets()) {
		return nil
	}
	return s.GetTables().GetAnnotationSets()[index].GetAnnotations()
}

func podsByName(s *setplanv1.Snapshot) map[string]*setplanv1.Pod {
	pods := map[string]*setplanv1.Pod{}
	for _, pod := range s.GetPods() {
		pods[pod.GetName()] = pod
	}
	return pods
}

// ended is the status of a container that has ended with 0 and left a message.
func ended(container, message string) string {
	return fmt.Sprintf(`{"name":%q,"image":"example.com/main:1","imageID":"","ready":false,"restartCount":0,"state":{"terminated":{"exitCode":0,"message":%q}}}`,
		container, message)
}

// proofPodJSON is a pod with two containers, the second of which was given a token in a variable of this name.
func (b *bench) proofPodJSON(name, variable string) string {
	return fmt.Sprintf(`{"apiVersion":"v1","kind":"Pod","metadata":{"name":%q,"namespace":%q},
"spec":{"containers":[
{"name":"helper","image":"example.com/main:1","env":[{"name":"OTHER","value":"o"}]},
{"name":"drain","image":"example.com/main:1","env":[{"name":%q,"value":"t"}]}]}}`, name, b.key.Namespace, variable)
}

func annotate(kind string, object meta, set map[string]string, remove ...string) *setplanv1.Action {
	action := on(kind, object)
	action.Operation = &setplanv1.Action_PatchAnnotations{PatchAnnotations: &setplanv1.PatchAnnotations{Set: set, Remove: remove}}
	return action
}

func deleteClaim(claim meta) *setplanv1.Action {
	action := on(kindClaim, claim)
	action.Precondition.ResourceVersion = ""
	action.Operation = &setplanv1.Action_DeleteClaim{DeleteClaim: &setplanv1.DeleteClaim{}}
	return action
}

// finalizer has the uid alone as its precondition: whatever else has changed in the set, this is about one finalizer.
func finalizer(set meta, name string, present bool) *setplanv1.Action {
	action := on(kindSet, set)
	action.Precondition.ResourceVersion = ""
	action.Operation = &setplanv1.Action_SetFinalizer{SetFinalizer: &setplanv1.SetFinalizer{Finalizer: name, Present: present}}
	return action
}
