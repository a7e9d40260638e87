package why_test

import (
	"strings"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/setplan/setplan/adapters/kube"
	setplanv1 "github.com/setplan/setplan/proto/setplan/v1"
)

// rolling puts the scene in the middle of a rollout: web-0 is at the newest revision, and its image is bad.
func (s *scene) rolling(before ...string) {
	s.pod.Status.ContainerStatuses, s.current = waiting("ImagePullBackOff", "not found"), "web-old"
	for i, name := range append(before, "web-new") {
		s.revisions = append(s.revisions, &setplanv1.Revision{Name: name, Number: int64(i + 1)})
	}
}

// remedy is the text about what to do for web-0.
func (s *scene) remedy() string {
	for _, r := range s.explain().Reasons {
		if r.Subject == "Pod/web-0" {
			return strings.Join(append([]string{r.Remedy}, r.Commands...), "\n")
		}
	}
	return ""
}

// deletes makes the plan delete a pod.
func (s *scene) deletes(name string, cause setplanv1.CauseCode) {
	s.plan.Stages = append(s.plan.Stages, &setplanv1.Stage{Steps: []*setplanv1.Step{{Actions: []*setplanv1.Action{{Cause: &setplanv1.Cause{Code: cause},
		Target: &setplanv1.Target{Kind: "Pod", Name: name}, Operation: &setplanv1.Action_DeletePod{DeletePod: &setplanv1.DeletePod{}}}}}}})
}

// setsImages makes the plan change the images of a pod.
func (s *scene) setsImages(name string) {
	s.does(name, &setplanv1.Action{Cause: &setplanv1.Cause{Code: setplanv1.CauseCode_CAUSE_CODE_OUTDATED},
		Operation: &setplanv1.Action_UpdatePod{UpdatePod: &setplanv1.UpdatePod{Containers: []*setplanv1.ContainerImage{{Name: "nginx", Image: "nginx:2"}}}}})
}

// does lets the plan do something to a pod.
func (s *scene) does(name string, action *setplanv1.Action) {
	action.Target = &setplanv1.Target{Kind: "Pod", Name: name}
	s.plan.Stages = append(s.plan.Stages, &setplanv1.Stage{Steps: []*setplanv1.Step{{Actions: []*setplanv1.Action{action}}}})
}

func (s *scene) annotate(key, value string) {
	s.world.Sets.Items[0].SetAnnotations(map[string]string{key: value})
}

// TestBadRollout: a rollout that goes wrong can be undone, and no text asks a user to delete what the set's repair deletes.
func TestBadRollout(t *testing.T) {
	const remove, recreate, undo = "delete pod web-0", "annotate pod web-0 setplan.io/recreate=true --overwrite", "kubectl -n default rollout undo statefulset/web"
	tests := map[string]struct {
		build      func(*scene)
		want, miss []string
	}{
		"undo": {func(s *scene) { s.rolling("web-old") }, []string{undo, "Or undo the rollout. Setplan replaces the pod once"}, []string{remove, "--to-revision"}},
		"undo of another kind": {func(s *scene) {
			s.world.Kind = kube.SetKind{GroupVersionKind: schema.GroupVersionKind{Group: "example.com", Version: "v1", Kind: "Database"}, Resource: "databases"}
			s.rolling("web-old")
		}, []string{"setplan -n default rollout undo databases.example.com/web"}, []string{"kubectl -n default rollout"}},
		"undo more than one":    {func(s *scene) { s.rolling("web-old", "web-bad") }, []string{undo + " --to-revision=1"}, nil},
		"nothing to go back to": {func(s *scene) { s.rolling() }, []string{"set image"}, []string{"undo"}},
		"no rollout":            {func(s *scene) { s.rolling("web-old"); s.current = "web-new" }, []string{"set image"}, []string{"undo"}},
		"of another revision":   {func(s *scene) { s.rolling("web-old"); s.at("web-old") }, []string{recreate}, []string{"undo", remove}},
		"never repaired":        {func(s *scene) { s.rolling("web-old"); s.annotate("setplan.io/repair", "Never") }, []string{undo, "Then have the pod recreated", recreate}, []string{"Setplan replaces", remove}},
		"repaired whenever":     {func(s *scene) { s.rolling("web-old"); s.annotate("setplan.io/repair", "Unready") }, []string{"Setplan replaces the pod once the template is changed."}, []string{remove}},
		"Kubernetes' rules":     {func(s *scene) { s.rolling("web-old"); s.behavior = setplanv1.Behavior_BEHAVIOR_KUBERNETES_1_36 }, []string{recreate}, nil},
		"another controller's set": {func(s *scene) {
			s.rolling("web-old")
			s.writes("kube-controller-manager", time.Minute)
			s.member("web-1", corev1.ConditionTrue, 0)
		}, []string{"Then delete the pod", remove}, []string{recreate}},
		"another controller's, beside a broken one": {func(s *scene) {
			s.rolling("web-old")
			s.at("web-old")
			s.writes("kube-controller-manager", time.Minute)
			s.member("web-1", corev1.ConditionFalse, time.Minute)
		}, []string{"Delete the pod", remove}, nil},
		"another controller's, beside one that is on its way": {func(s *scene) {
			s.rolling("web-old")
			s.at("web-old")
			s.writes("kube-controller-manager", time.Minute)
			s.member("web-1", corev1.ConditionFalse, 59*time.Second)
		}, []string{"Another pod of the set is missing, starting or being deleted."}, []string{remove, recreate}},
		"another controller's, beside a missing one": {func(s *scene) {
			s.rolling("web-old")
			s.at("web-old")
			s.writes("kube-controller-manager", time.Minute)
		},
			[]string{"Another pod of the set is missing"}, []string{remove, recreate}},
		"a moment": {func(s *scene) { s.rolling("web-old"); s.at("web-old"); s.unready(59 * time.Second) },
			[]string{"If it is still not ready in a minute"}, []string{remove, recreate}},
		"a moment, with a template to come": {func(s *scene) {
			s.rolling("web-old")
			s.annotate("setplan.io/repair", "Never")
			s.unready(59 * time.Second)
		}, []string{"If it is still not ready in a minute"}, []string{remove, recreate}},
		"a moment of a running one": {func(s *scene) { s.rolling("web-old"); s.runs(); s.at("web-old"); s.unready(59 * time.Second) },
			[]string{"If it is still not ready in a minute"}, []string{remove, recreate}},
		"nobody knows since when":  {func(s *scene) { s.rolling("web-old"); s.at("web-old"); s.pod.Status.Conditions = nil }, nil, []string{remove, recreate}},
		"by a clock that is ahead": {func(s *scene) { s.rolling("web-old"); s.at("web-old"); s.unready(-time.Hour) }, nil, []string{remove, recreate}},
		"paused": {func(s *scene) {
			s.rolling("web-old")
			s.at("web-old")
			s.block(setplanv1.BlockCode_BLOCK_CODE_PAUSED, "StatefulSet", "web", setplanv1.Severity_SEVERITY_INFO)
		}, []string{"The change reaches the pod once the set, which is paused, is resumed."}, []string{remove, recreate}},
		"before anybody agrees": {func(s *scene) {
			s.rolling("web-old")
			s.at("web-old")
			s.annotate("setplan.io/before-update", "backup")
		},
			[]string{"Once backup approves (setplan.io/before-update)"}, []string{remove, recreate}},
		"Parallel": {func(s *scene) { s.rolling("web-old"); s.at("web-old"); s.parallel = true },
			[]string{"Setplan replaces the pod in its turn."}, []string{remove, recreate, "says what"}},
		"Parallel, and held": {func(s *scene) {
			s.rolling("web-old")
			s.at("web-old")
			s.parallel = true
			s.block(setplanv1.BlockCode_BLOCK_CODE_UPDATE_BUDGET, "Pod", "web-1", setplanv1.Severity_SEVERITY_WAIT)
		}, []string{"Setplan replaces the pod in its turn. UPDATE_BUDGET says what that waits for."}, []string{remove, recreate}},
		"Parallel, never repaired, with a template to come": {func(s *scene) { s.rolling("web-old"); s.parallel = true; s.annotate("setplan.io/repair", "Never") },
			[]string{"Setplan replaces the pod once the template is changed."}, []string{remove, recreate}},
		"Recreate": {func(s *scene) { s.rolling("web-old"); s.at("web-old"); s.strategy = "Recreate" },
			[]string{"Setplan replaces the pod in its turn."}, []string{remove, recreate}},
		"Parallel, OnDelete": {func(s *scene) { s.rolling("web-old"); s.at("web-old"); s.parallel, s.strategy = true, "OnDelete" }, []string{recreate}, []string{remove}},
		"never ready, by its times": {func(s *scene) {
			s.rolling("web-old")
			s.at("web-old")
			s.pod.Status.StartTime = new(metav1.NewTime(now.Add(-time.Minute)))
		}, []string{"Setplan replaces the pod in its turn."}, []string{remove, recreate}},
		"the plan replaces it": {func(s *scene) {
			s.rolling("web-old")
			s.at("web-old")
			s.deletes("web-0", setplanv1.CauseCode_CAUSE_CODE_REPAIR)
		},
			[]string{"There is nothing to do", "the plan replaces the pod"}, []string{remove, "kubectl"}},
		"it is replaced soon": {func(s *scene) {
			s.rolling("web-old")
			s.at("web-old")
			s.block(setplanv1.BlockCode_BLOCK_CODE_REPAIR_WAITS, "Pod", "web-0", setplanv1.Severity_SEVERITY_WAIT)
		}, []string{"There is nothing to do"}, []string{remove}},
		"its images change in place": {func(s *scene) {
			s.rolling("web-old")
			s.at("web-old")
			s.pod.Annotations = map[string]string{"setplan.io/in-place-update": `{"containers":{},"revision":"web-new"}`}
		}, []string{undo, "Or undo the rollout. Setplan gives the pod its new image"}, []string{remove}},
		"the plan changes its images": {func(s *scene) {
			s.rolling("web-old")
			s.at("web-old")
			s.setsImages("web-0")
		}, []string{"There is nothing to do", "changes the pod's images"}, []string{remove, "kubectl"}},
		"the plan marks it": {func(s *scene) {
			s.rolling("web-old")
			s.at("web-old")
			s.does("web-0", &setplanv1.Action{Operation: &setplanv1.Action_PatchAnnotations{PatchAnnotations: &setplanv1.PatchAnnotations{Set: map[string]string{"setplan.io/in-place-update": "{}"}}}})
		}, []string{"There is nothing to do", "changes the pod in place"}, []string{remove, "kubectl"}},
		"the plan gives it other resources": {func(s *scene) {
			s.rolling("web-old")
			s.at("web-old")
			s.does("web-0", &setplanv1.Action{Operation: &setplanv1.Action_ResizePod{ResizePod: &setplanv1.ResizePod{}}})
		}, []string{"There is nothing to do", "changes the pod in place"}, []string{remove, "kubectl"}},
		"the plan asks whether it may go": {func(s *scene) {
			s.rolling("web-old")
			s.at("web-old")
			s.does("web-0", &setplanv1.Action{Operation: &setplanv1.Action_PatchAnnotations{PatchAnnotations: &setplanv1.PatchAnnotations{Set: map[string]string{"setplan.io/drain-request": "1"}}}})
		}, []string{recreate}, []string{"There is nothing to do"}},
		"its images change in place, by another controller": {func(s *scene) {
			s.rolling("web-old")
			s.writes("kube-controller-manager", time.Minute)
			s.pod.Annotations = map[string]string{"setplan.io/in-place-update": "{}"}
			s.member("web-1", corev1.ConditionTrue, 0)
		}, []string{remove}, []string{"its new image"}},
		"the plan changes another one's images": {func(s *scene) {
			s.rolling("web-old")
			s.at("web-old")
			s.setsImages("web-1")
		}, []string{recreate}, []string{"There is nothing to do"}},
		"unready": {func(s *scene) { s.rolling("web-old"); s.runs() }, []string{undo, "Or undo the rollout."}, []string{remove}},
		"unready, and replaced": {func(s *scene) {
			s.rolling("web-old")
			s.runs()
			s.at("web-old")
			s.deletes("web-0", setplanv1.CauseCode_CAUSE_CODE_REPAIR)
		}, []string{"the plan replaces the pod"}, []string{remove}},
	}
	for name, test := range tests {
		s := newScene(setplanv1.BlockCode_BLOCK_CODE_POD_NOT_READY)
		test.build(s)
		text := s.remedy()
		for _, want := range test.want {
			if !strings.Contains(text, want) {
				t.Errorf("%s: %q is not in\n%s", name, want, text)
			}
		}
		for _, miss := range test.miss {
			if strings.Contains(text, miss) {
				t.Errorf("%s: %q is in\n%s", name, miss, text)
			}
		}
	}
}

// TestDeletedByHand: nobody is asked to delete a pod while another one is not ready.
func TestDeletedByHand(t *testing.T) {
	for _, code := range []setplanv1.BlockCode{setplanv1.BlockCode_BLOCK_CODE_ON_DELETE, setplanv1.BlockCode_BLOCK_CODE_IDENTITY_MISMATCH} {
		for ready, want := range map[corev1.ConditionStatus]string{
			corev1.ConditionTrue:  "Planner helps. kubectl -n default delete pod web-0",
			corev1.ConditionFalse: "Wait until every other pod is ready. Planner helps.",
		} {
			s := newScene(code)
			s.member("web-1", ready, time.Hour)
			r := s.explain().Reasons[0]
			if got := strings.Join(append([]string{r.Remedy}, r.Commands...), " "); got != want {
				t.Errorf("%v, web-1 ready %s: %s", code, ready, got)
			}
		}
	}
}

// at gives web-0 a revision.
func (s *scene) at(revision string) {
	s.pod.Labels = map[string]string{"controller-revision-hash": revision}
}

// unready has web-0 be not ready for a time.
func (s *scene) unready(age time.Duration) {
	s.pod.Status.Conditions[0].LastTransitionTime = metav1.NewTime(now.Add(-age))
}

// member adds another pod, which is ready or not for a time.
func (s *scene) member(name string, ready corev1.ConditionStatus, age time.Duration) {
	s.world.Pods.Items = append(s.world.Pods.Items, &corev1.Pod{ObjectMeta: metav1.ObjectMeta{Name: name, Namespace: "default"},
		Status: corev1.PodStatus{Conditions: []corev1.PodCondition{{Type: corev1.PodReady, Status: ready, LastTransitionTime: metav1.NewTime(now.Add(-age))}}}})
}

// runs makes the container of web-0 run, but not be ready.
func (s *scene) runs() {
	s.pod.Status.ContainerStatuses = []corev1.ContainerStatus{{Name: "nginx", State: corev1.ContainerState{Running: &corev1.ContainerStateRunning{}}}}
}

// TestRolloutBehind: the text about a pod that holds up a rollout names the pods that wait for it.
func TestRolloutBehind(t *testing.T) {
	build := func(code setplanv1.BlockCode) *scene {
		s := newScene(setplanv1.BlockCode_BLOCK_CODE_POD_NOT_READY)
		s.rolling("web-old")
		s.block(code, "Pod", "web-9", setplanv1.Severity_SEVERITY_WAIT)
		for name, revision := range map[string]string{"web-9": "web-old", "web-10": "web-old", "web-11": "web-new"} {
			s.world.Pods.Items = append(s.world.Pods.Items, &corev1.Pod{ObjectMeta: metav1.ObjectMeta{Name: name, Namespace: "default",
				Labels: map[string]string{"controller-revision-hash": revision}}})
		}
		return s
	}
	held := build(setplanv1.BlockCode_BLOCK_CODE_UPDATE_BUDGET)
	going := build(setplanv1.BlockCode_BLOCK_CODE_UPDATE_BUDGET)
	going.deletes("web-10", setplanv1.CauseCode_CAUSE_CODE_OUTDATED)
	reserved := build(setplanv1.BlockCode_BLOCK_CODE_PARTITION_HELD)
	reserved.reserved = "1-2"
	for name, test := range map[string]struct {
		scene *scene
		want  string
	}{
		"held by a budget":  {held, "web-1 web-10 web-9"},
		"held by a pod":     {build(setplanv1.BlockCode_BLOCK_CODE_UPDATE_WAITS_FOR_POD), "web-1 web-10 web-9"},
		"going on":          {going, "web-1"},
		"no rollout held":   {build(setplanv1.BlockCode_BLOCK_CODE_PARTITION_HELD), "web-1"},
		"reserved ordinals": {reserved, "web-3"},
	} {
		for _, r := range test.scene.explain().Reasons {
			if got := strings.Join(r.Waiting, " "); r.Subject == "Pod/web-0" && got != test.want {
				t.Errorf("%s: behind web-0 wait %q, want %q", name, got, test.want)
			}
		}
	}
}

// TestUpdateTurn: a budget that only the plan's own deletions use up is reported as such.
func TestUpdateTurn(t *testing.T) {
	s := newScene(setplanv1.BlockCode_BLOCK_CODE_UPDATE_BUDGET)
	if got := s.explain().Reasons[0].Message; got != "Planner." {
		t.Errorf("without a deletion the planner's words are replaced by %q", got)
	}
	s.deletes("web-2", setplanv1.CauseCode_CAUSE_CODE_OUTDATED)
	want := "The pod is outdated and waits for its turn: the plan deletes web-2 first, and maxUnavailable allows no more at once."
	if got := s.explain().Reasons[0].Message; got != want {
		t.Errorf("got %q", got)
	}
	s = newScene(setplanv1.BlockCode_BLOCK_CODE_UPDATE_BUDGET)
	s.setsImages("web-2")
	if got := s.explain().Reasons[0].Message; got != strings.Replace(want, "deletes", "updates", 1) {
		t.Errorf("where images change: %q", got)
	}
	for note, restarts := range map[string]bool{`{"resize":{},"restarts":true}`: true, `{"resize":{}}`: false, `{"restarts":true,"seen":true}`: false, `{`: false} {
		s = newScene(setplanv1.BlockCode_BLOCK_CODE_UPDATE_BUDGET)
		s.setsImages("web-2")
		s.plan.Stages[0].Steps[0].Actions[0].Operation = &setplanv1.Action_UpdatePod{UpdatePod: &setplanv1.UpdatePod{Annotations: map[string]string{"setplan.io/in-place-update": note}}}
		if got := s.explain().Reasons[0].Message; (got == strings.Replace(want, "deletes", "updates", 1)) != restarts {
			t.Errorf("where resources change, with the note %s: %q", note, got)
		}
	}
}
