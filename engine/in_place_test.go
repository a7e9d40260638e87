package engine

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/setplan/setplan/engine/inplace"
	"github.com/setplan/setplan/engine/model"
	"github.com/setplan/setplan/engine/policy"
	"github.com/setplan/setplan/engine/state"
)

// relabelled is a set whose template has another label, and an annotation more, than the revision of its pods.
func relabelled(replicas int) *world {
	w := newWorld(replicas).parallel().asks(policy.InPlace, "InPlaceIfPossible")
	w.Set.PodTemplate = []byte(strings.Replace(template, `"labels":{"app":"web"}`, `"annotations":{"plan":"daily"},"labels":{"app":"web","tier":"gold"}`, 1))
	w.Set.Generation++
	w.revision(2, string(w.Set.PodTemplate))
	return w
}

// TestInPlace: the update of pods whose labels and annotations alone differ.
func TestInPlace(t *testing.T) {
	const primary = "role=primary"
	command := func(w *world) *world {
		w.Set.PodTemplate = []byte(strings.Replace(string(w.Set.PodTemplate), `"name":"web"`, `"command":["serve"],"name":"web"`, 1))
		w.revision(3, string(w.Set.PodTemplate))
		return w
	}
	only := func(w *world) *world { return w.asks(policy.InPlace, "InPlaceOnly") }
	tests := []struct {
		name         string
		edit         func(w *world)
		want, blocks string
	}{
		{"all at once", func(w *world) {}, "update-pod web-2@1, update-pod web-1@1, update-pod web-0@1", ""},
		{"no policy", func(w *world) { delete(w.Set.Annotations, policy.InPlace) }, "delete-pod web-2", "UPDATE_BUDGET web-1"},
		{"Recreate", func(w *world) { w.asks(policy.InPlace, "Recreate") }, "delete-pod web-2", "UPDATE_BUDGET web-1"},
		{"an unknown text counts as InPlaceOnly", func(w *world) { command(w).asks(policy.InPlace, "InPlace") }, "", "INVALID_POLICY web, UPDATE_NOT_IN_PLACE web-2"},
		{"the command, too", func(w *world) { command(w) }, "delete-pod web-2", "UPDATE_BUDGET web-1"},
		{"the command, too, only", func(w *world) { command(only(w)) }, "", "UPDATE_NOT_IN_PLACE web-2"},
		{"only", func(w *world) { only(w) }, "update-pod web-2@1, update-pod web-1@1, update-pod web-0@1", ""},
		{"a spent budget", func(w *world) { w.unready("web-1") }, "update-pod web-2@1, update-pod web-1@1, update-pod web-0@1", "POD_NOT_READY web-1"},
		{"a spent budget, and the command", func(w *world) { command(w).unready("web-1") }, "delete-pod web-1@1", "POD_NOT_READY web-1, UPDATE_BUDGET web-2"},
		{"a spent budget, and the command, only", func(w *world) { command(only(w)).unready("web-0") }, "", "POD_NOT_READY web-0, UPDATE_NOT_IN_PLACE web-2"},
		{"one above waits for the budget", func(w *world) {
			w.p("web-1").Revision = command(w).Revisions[1].Name // its command is there already, and its labels
			w.Set.PodTemplate = []byte(strings.Replace(string(w.Set.PodTemplate), "gold", "silver", 1))
			w.p("web-1").Revision = w.Revisions[2].Name
			w.revision(4, string(w.Set.PodTemplate))
			w.unready("web-0")
		}, "delete-pod web-0@1", "POD_NOT_READY web-0, UPDATE_BUDGET web-2"},
		{"those above wait", func(w *world) {
			w.p("web-0").Revision = command(only(w)).Revisions[1].Name // its labels are there already
		}, "", "UPDATE_NOT_IN_PLACE web-2"},
		{"a pod that is going", func(w *world) { w.p("web-1").DeletedAt = noon }, "update-pod web-2@1, update-pod web-0@1", "POD_TERMINATING web-1"},
		{"a pod that is adopted", func(w *world) { w.p("web-1").Owners = nil }, "update-pod web-2@1", ""},
		{"the partition", func(w *world) { w.Set.RollingUpdate.Partition = 2 }, "update-pod web-2@1", "PARTITION_HELD web-0"},
		{"by hand", func(w *world) { w.Set.StrategyType = "OnDelete" }, "", "ON_DELETE web-0"},
		{"paused", func(w *world) { w.asks(policy.Pause, "Updates") }, "", "PAUSED web"},
		{"the revision is gone", func(w *world) { w.Revisions = w.Revisions[1:] }, "delete-pod web-2", "UPDATE_BUDGET web-1"},
		{"the revision is gone, only", func(w *world) { only(w).Revisions = w.Revisions[1:] }, "", "UPDATE_NOT_IN_PLACE web-2"},
		{"the revision cannot be read, only", func(w *world) { only(w).Revisions[0].Data = []byte("{") }, "", "UPDATE_NOT_IN_PLACE web-2"},
		{"somebody's choice", func(w *world) { w.answers(state.AnnotationRecreate, "true", "web-2") }, "delete-pod web-2, update-pod web-1@1, update-pod web-0@1", ""},
		{"somebody's choice, only", func(w *world) { only(command(w)).answers(state.AnnotationRecreate, "true", "web-2") }, "delete-pod web-2", "UPDATE_NOT_IN_PLACE web-1"},
		{"an adapter that cannot", func(w *world) { w.Capabilities &^= model.CanUpdatePod }, "", "CAPABILITY_MISSING web-2"},
		{"before", func(w *world) { w.asks(policy.Before, "agent") }, "", "UPDATE_GATED web-2"},
		{"before, agreed", func(w *world) { w.asks(policy.Before, "agent").agrees(policy.Before, "web-2") }, "update-pod web-2@1", "UPDATE_GATED web-1"},
		{"after, at first", func(w *world) { w.asks(policy.After, "agent") }, "update-pod web-2@1", "UPDATE_BUDGET web-1"},
		{"after", func(w *world) { w.asks(policy.After, "agent").atNewest("web-2") }, "", "UPDATE_GATED web-2"},
		{"after, agreed", func(w *world) { w.asks(policy.After, "agent").atNewest("web-2").agrees(policy.After, "web-2") }, "update-pod web-1@1", "UPDATE_BUDGET web-0"},
		{"by ranks", func(w *world) { w.asks(policy.Rank, primary).leads("web-2", primary) }, "update-pod web-1@1", ""},
		{"by ranks, a spent budget", func(w *world) {
			w.asks(policy.Rank, primary).leads("web-2", primary).atNewest("web-0").unready("web-0")
		}, "update-pod web-1@1", "POD_NOT_READY web-0"},
		{"by ranks, the leader", func(w *world) { w.asks(policy.Rank, primary).leads("web-2", primary).atNewest("web-0", "web-1") }, "update-pod web-2@1", ""},
		{"by ranks, the leader waits", func(w *world) {
			w.asks(policy.Rank, primary).leads("web-2", primary).atNewest("web-0", "web-1").unready("web-0")
		}, "", "LEADER_WAITS web-2, POD_NOT_READY web-0"},
		{"without maxUnavailable", func(w *world) { w.Rules.MaxUnavailable = false }, "update-pod web-2@1", ""},
		{"without maxUnavailable, one above is not available", func(w *world) { w.Rules.MaxUnavailable = false; w.atNewest("web-2").unready("web-2") }, "",
			"POD_NOT_READY web-2, UPDATE_WAITS_FOR_POD web-2"},
		{"minReadySeconds, without maxUnavailable", func(w *world) {
			w.Rules.MaxUnavailable = false
			w.Set.MinReadySeconds = 60
			w.atNewest("web-2").p("web-2").ReadyChangedAt = noon
		}, "", "POD_NOT_AVAILABLE web-2, UPDATE_WAITS_FOR_POD web-2"},
		{"OrderedReady", func(w *world) { w.Set.PodManagementPolicy = "" }, "update-pod web-2@1, update-pod web-1@1, update-pod web-0@1", ""},
		{"OrderedReady, one is not ready", func(w *world) { w.Set.PodManagementPolicy = ""; w.unready("web-1") }, "", "POD_NOT_READY web-1"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			w := relabelled(3)
			test.edit(w)
			plan := Decide(&w.settled().Snapshot)
			check(t, test.name, "actions", strings.Join(updates(plan), ", "), test.want)
			check(t, test.name, "blocks", sortedBlocks(plan), test.blocks)
		})
	}
}

// updates lists the pods that a plan deletes or updates in place, with the resource version where it names one.
func updates(p *model.Plan) (list []string) {
	for _, a := range allActions(p) {
		switch a.Op.(type) {
		case model.DeletePod, model.UpdatePod:
			text := a.Op.Traits().Name + " " + a.Name
			if a.ResourceVersion != "" {
				text += "@" + a.ResourceVersion
			}
			list = append(list, text)
		}
	}
	return list
}

// TestInPlaceWrite: one write has the labels, the annotations and the revision; whoever else changed the pod is not undone.
func TestInPlaceWrite(t *testing.T) {
	w := relabelled(1)
	w.p("web-0").Labels = &model.Labels{Values: map[string]string{"app": "web", "theirs": "1"}} // a webhook's
	want := fmt.Sprintf("update-pod web-0 [controller-revision-hash=%s tier=gold plan:daily]", w.Revisions[1].Name)
	got := ""
	for _, a := range allActions(Decide(&w.Snapshot)) {
		if _, ok := a.Op.(model.UpdatePod); ok {
			got = a.Op.Traits().Name + " " + a.Name + detailOf(a.Op)
		}
	}
	check(t, "there", "write", got, want)
	w.atNewest("web-0")
	w.Set.PodTemplate = []byte(template)
	for _, a := range allActions(Decide(&w.Snapshot)) {
		if _, ok := a.Op.(model.UpdatePod); ok {
			got = a.Op.Traits().Name + " " + a.Name + detailOf(a.Op)
		}
	}
	check(t, "and back", "write", got, fmt.Sprintf("update-pod web-0 [controller-revision-hash=%s tier- plan:-]", w.Revisions[0].Name))
}

// TestInPlaceOfItself: what others make of a pod at the update revision is no reason to change it.
func TestInPlaceOfItself(t *testing.T) {
	w := relabelled(2).atNewest("web-0", "web-1")
	w.p("web-0").Labels = &model.Labels{Values: map[string]string{"app": "web", "tier": "silver", "theirs": "1"}}
	plan := Decide(&w.settled().Snapshot)
	check(t, "mutated", "actions", actions(plan), "")
	if !plan.Converged {
		t.Error("it is not in the desired state")
	}
}

// TestInPlaceBlock: the block names the field, or says why nobody can tell, and the ways out.
func TestInPlaceBlock(t *testing.T) {
	w := newWorld(1).asks(policy.InPlace, "InPlaceOnly").edited()
	w.Capabilities &^= model.CanUpdateImages
	old, edited := w.Revisions[0].Name, w.Revisions[1].Name
	told := func() model.Block { return Decide(&w.settled().Snapshot).Blocks[0] }
	check(t, "image", "message", told().Message, "The pod stays at revision "+old+": it differs from revision "+edited+
		" in spec.containers[web].image, which requires a new pod, and setplan.io/in-place is InPlaceOnly.")
	check(t, "image", "remedy", told().Remedy, "Revert the change, set the annotation setplan.io/in-place to InPlaceIfPossible, or recreate this pod: "+
		"`kubectl -n default annotate pod web-0 setplan.io/recreate=true --overwrite`")
	r := resized(1, sized("1"), sized("2")).asks(policy.InPlace, "InPlaceOnly").have("1", "web-0")
	r.p("web-0").Containers.Containers[0].StatusResources = nil
	const cannot = " without a restart, because the API server would refuse them or its kubelet would never confirm them, and setplan.io/in-place is InPlaceOnly."
	check(t, "an old kubelet", "message", Decide(&r.settled().Snapshot).Blocks[0].Message, "The pod stays as it is: it cannot get the resources of revision "+named(sized("2"))+cannot)
	w.Revisions = w.Revisions[1:]
	check(t, "gone", "message", told().Message, "The pod stays at revision "+old+": how it differs from revision "+edited+
		" is not known, because one of the two revisions is missing or cannot be read, and setplan.io/in-place is InPlaceOnly.")
	w.marked("web:1", "web-0").answers(inplace.AnnotationUpdate, "?", "web-0")
	check(t, "unreadable", "message", told().Message, "The pod stays as it is: what its containers run is not known, because the adapter does not report it "+
		"or the pod's annotation setplan.io/in-place-update cannot be read or was written for another pod, and setplan.io/in-place is InPlaceOnly.")
}

// TestInPlaceAndRepair: a pod that a repair would replace is replaced, unless the set keeps its pods.
func TestInPlaceAndRepair(t *testing.T) {
	for _, test := range []struct{ policy, edit, want, blocks string }{
		{"", "", "delete-pod web-2@1", ""},
		{"InPlaceIfPossible", "", "delete-pod web-2@1", ""},
		{"InPlaceOnly", "", "update-pod web-2@1", ""},
		{"InPlaceOnly", "command", "", "UPDATE_NOT_IN_PLACE web-2"},
	} {
		w := relabelled(3).asks(policy.InPlace, test.policy).atNewest("web-0", "web-1")
		w.Set.PodManagementPolicy = ""
		if test.edit != "" {
			w.Set.PodTemplate = []byte(strings.Replace(string(w.Set.PodTemplate), `"name":"web"`, `"command":["serve"],"name":"web"`, 1))
			w.revision(3, string(w.Set.PodTemplate))
		}
		w.neverReady("web-2", w.Revisions[0].Name)
		plan := Decide(&w.settled().Snapshot)
		check(t, test.policy+test.edit, "actions", strings.Join(updates(plan), ", "), test.want)
		if told := sortedBlocks(plan); !strings.Contains(told, test.blocks) {
			t.Errorf("%+v: the blocks are %s", test, told)
		}
	}
}

// TestKeysThatTakeAnotherPod: some keys are refused by the API server, or belong to somebody else than the template.
func TestKeysThatTakeAnotherPod(t *testing.T) {
	for name, row := range map[string]struct{ old, added, want string }{
		"AppArmor":          {`"labels"`, `"annotations":{"container.apparmor.security.beta.kubernetes.io/web":"runtime/default"},"labels"`, "delete-pod web-0"},
		"a mirror":          {`"labels"`, `"annotations":{"kubernetes.io/config.mirror":"x"},"labels"`, "delete-pod web-0"},
		"who leads":         {`"app":"web"`, `"app":"web","role":"replica"`, "delete-pod web-0@1"},
		"any other label":   {`"app":"web"`, `"app":"web","tier":"gold"`, "update-pod web-0@1"},
		"another, and rank": {`"app":"web"`, `"app":"web","tier":"silver"`, "update-pod web-0@1"},
	} {
		w := newWorld(1).parallel().asks(policy.InPlace, "InPlaceIfPossible")
		if name == "who leads" || name == "another, and rank" {
			w.asks(policy.Rank, "role=primary").leads("web-0", "role=primary")
		}
		w.Set.PodTemplate = []byte(strings.Replace(template, row.old, row.added, 1))
		w.Set.Generation++
		w.revision(2, string(w.Set.PodTemplate))
		check(t, name, "actions", strings.Join(updates(Decide(&w.settled().Snapshot)), ", "), row.want)
	}
}

// TestGrowthKeepsPods: a pod that the set keeps is not recreated for its file system, since it would come back with the image that is held back.
func TestGrowthKeepsPods(t *testing.T) {
	for way, want := range map[string]bool{"InPlaceOnly": false, "InPlaceIfPossible": true} {
		w := disks(3).parallel().asks(policy.InPlace, way).asks(policy.ClaimPolicy, "InPlaceOrRecreate").image("web:2")
		w.revision(2, string(w.Set.PodTemplate))
		w.c("www-web-0").Storage.Conditions = []model.Condition{{Type: "FileSystemResizePending", Status: "True", ChangedAt: noon.Add(-time.Hour)}}
		got := strings.Join(updates(Decide(&w.settled().Snapshot)), ", ")
		if strings.Contains(got, "delete-pod") != want {
			t.Errorf("%s: %s", way, got)
		}
	}
}

// TestGrowthInsteadOfImages: where pods are recreated for their file systems, such a pod gets its image then, and no other one is recreated.
func TestGrowthInsteadOfImages(t *testing.T) {
	for replicas, want := range map[int]string{1: "delete-pod web-0", 2: "mark web-1@1, delete-pod web-0@1"} {
		w := disks(replicas).parallel().asks(policy.InPlace, "InPlaceIfPossible").asks(policy.ClaimPolicy, "InPlaceOrRecreate").image("web:2")
		w.revision(2, string(w.Set.PodTemplate))
		w.c("www-web-0").Storage.Conditions = []model.Condition{{Type: "FileSystemResizePending", Status: "True", ChangedAt: noon.Add(-time.Hour)}}
		check(t, fmt.Sprint(replicas, " pods"), "writes", writes(Decide(&w.settled().Snapshot)), want)
	}
}

// TestGrowthWaitsForImages: so is a pod that is on its way back to what its label says, since it would come back without them.
func TestGrowthWaitsForImages(t *testing.T) {
	w := disks(1).parallel().asks(policy.InPlace, "InPlaceOnly").asks(policy.ClaimPolicy, "InPlaceOrRecreate").marked("web:1", "web-0")
	w.c("www-web-0").Storage.Conditions = []model.Condition{{Type: "FileSystemResizePending", Status: "True", ChangedAt: noon.Add(-time.Hour)}}
	check(t, "at rest", "writes", writes(Decide(&w.settled().Snapshot)), "delete-pod web-0@1")
	w.sent(w.p("web-0").Revision, "web:1", "web-0")
	check(t, "on its way back", "writes", writes(Decide(&w.settled().Snapshot)), "")
}

// TestInPlaceIsTheStoredRevision: a set may say more than its newest revision, such as what a webhook has added. The pod gets what the revision says.
func TestInPlaceIsTheStoredRevision(t *testing.T) {
	w := relabelled(1).settled()
	w.Set.PodTemplate = []byte(strings.Replace(string(w.Set.PodTemplate), `"tier":"gold"`, `"tier":"gold","injected":"1"`, 1))
	for _, a := range allActions(Decide(&w.Snapshot)) {
		if strings.Contains(detailOf(a.Op), "injected") {
			t.Error("the revision does not say this label")
		}
	}
}
