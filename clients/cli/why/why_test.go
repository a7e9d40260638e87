package why_test

import (
	"strings"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"google.golang.org/protobuf/types/known/timestamppb"

	"github.com/setplan/setplan/adapters"
	"github.com/setplan/setplan/adapters/kube"
	"github.com/setplan/setplan/clients/cli/show"
	"github.com/setplan/setplan/clients/cli/why"
	"github.com/setplan/setplan/clients/cli/world"
	setplanv1 "github.com/setplan/setplan/proto/setplan/v1"
)

var now = time.Date(2026, 1, 31, 12, 0, 0, 0, time.UTC)

// scene is a set web whose plan has one block, on pod web-0, and what a cluster shows around it.
type scene struct {
	world world.World
	pod   *corev1.Pod
	plan  *setplanv1.Plan

	partition int32
	strategy  string
	flags     []string
	undated   bool            // the time of the objects is unknown
	before    *setplanv1.Plan // the plan a while ago; nil: the same plan
	silent    bool            // the planner does not return the earlier plan
	behavior  setplanv1.Behavior
	parallel  bool
	reserved  string // ordinals
	current   string // the revision of pods that a rollout has not reached
	revisions []*setplanv1.Revision
}

func newScene(code setplanv1.BlockCode) *scene {
	set := &unstructured.Unstructured{Object: map[string]any{"apiVersion": "apps/v1", "kind": "StatefulSet",
		"metadata": map[string]any{"name": "web", "namespace": "default", "uid": "s"}}}
	pod := &corev1.Pod{ObjectMeta: metav1.ObjectMeta{Name: "web-0", Namespace: "default", UID: "p", Labels: map[string]string{"controller-revision-hash": "web-new"}}}
	pod.Spec.NodeName, pod.Status.Phase = "node-1", corev1.PodRunning
	pod.Status.Conditions = []corev1.PodCondition{{Type: corev1.PodReady, Status: corev1.ConditionFalse, LastTransitionTime: metav1.NewTime(now.Add(-time.Minute))}}
	s := &scene{pod: pod, plan: &setplanv1.Plan{}}
	s.world.Kind = kube.StatefulSets()
	s.world.Nodes, s.world.Classes = map[string]*corev1.Node{}, map[string]bool{}
	s.world.Sets.Items = append(s.world.Sets.Items, set)
	s.world.Pods.Items = append(s.world.Pods.Items, pod)
	s.block(code, "Pod", "web-0", setplanv1.Severity_SEVERITY_WAIT)
	return s
}

func (s *scene) block(code setplanv1.BlockCode, kind, name string, severity setplanv1.Severity) {
	s.plan.Blocks = append(s.plan.Blocks, &setplanv1.Block{Code: code, Severity: severity, Message: "Planner.", Remedy: "Planner helps.",
		Subject: &setplanv1.Target{Kind: kind, Name: name}})
}

func (s *scene) event(reason, kind, name, message string, age time.Duration) {
	s.world.Events = append(s.world.Events, corev1.Event{Type: corev1.EventTypeWarning, Reason: reason, Message: message,
		InvolvedObject: corev1.ObjectReference{Kind: kind, Namespace: "default", Name: name}, LastTimestamp: metav1.NewTime(now.Add(-age))})
}

func (s *scene) creates(name string) {
	s.plan.Stages = append(s.plan.Stages, &setplanv1.Stage{Steps: []*setplanv1.Step{{Actions: []*setplanv1.Action{{
		Target: &setplanv1.Target{Kind: "Pod", Name: name}, Operation: &setplanv1.Action_CreatePod{CreatePod: &setplanv1.CreatePod{}}}}}}})
}

func (s *scene) explain() *why.Report {
	return why.Explain(&why.Case{Program: "setplan", Flags: s.flags, World: &s.world, Key: adapters.Key{Namespace: "default", Name: "web"}, Plan: s.plan, Dated: !s.undated, PlanAt: s.planAt,
		Snapshot: &setplanv1.Snapshot{ObservedAt: timestamppb.New(now), Set: &setplanv1.StatefulSet{Name: "web", Namespace: "default", Annotations: map[string]string{"setplan.io/reserved-ordinals": s.reserved}, PodManagementPolicy: map[bool]string{true: "Parallel"}[s.parallel],
			UpdateStrategy: &setplanv1.UpdateStrategy{Type: s.strategy, RollingUpdate: &setplanv1.RollingUpdate{Partition: s.partition}},
			Replicas:       new(int32(2)), Status: &setplanv1.StatefulSetStatus{UpdateRevision: new("web-new"), CurrentRevision: new(s.current)}},
			Policy: &setplanv1.Policy{Behavior: s.behavior}, Claims: s.claims(), Revisions: s.revisions, Pods: s.members()}})
}

// members are web-0, even if the world no longer has it, and the world's other pods.
func (s *scene) members() []*setplanv1.Pod {
	pods := []*setplanv1.Pod{{Name: "web-0", Uid: "p"}}
	for _, pod := range s.world.Pods.Items {
		if pod.Name != "web-0" {
			pods = append(pods, &setplanv1.Pod{Name: pod.Name})
		}
	}
	return pods
}

func (s *scene) claims() (claims []*setplanv1.Claim) {
	for _, claim := range s.world.Claims.Items {
		claims = append(claims, &setplanv1.Claim{Name: claim.Name})
	}
	return claims
}

func (s *scene) planAt(time.Time) *setplanv1.Plan {
	switch {
	case s.silent:
		return nil
	case s.before != nil:
		return s.before
	default:
		return s.plan
	}
}

func waiting(reason, message string) []corev1.ContainerStatus {
	return []corev1.ContainerStatus{{Name: "nginx", Image: "img:1", RestartCount: 3,
		State:                corev1.ContainerState{Waiting: &corev1.ContainerStateWaiting{Reason: reason, Message: message}},
		LastTerminationState: corev1.ContainerState{Terminated: &corev1.ContainerStateTerminated{ExitCode: 137, Reason: "OOMKilled"}}}}
}

// TestCauses checks the causes found behind an unready pod, and the suggested remedies.
func TestCauses(t *testing.T) {
	tests := map[string]struct {
		build  func(*scene)
		cause  string
		want   []string // in evidence, remedy and commands
		reason string
	}{
		"bad image": {func(s *scene) { s.pod.Status.ContainerStatuses = waiting("ErrImagePull", "no such host") },
			"The image img:1 of container nginx cannot be pulled.", []string{"no such host", "set image statefulset/web nginx=IMAGE", "Setplan replaces the pod once the template is changed"}, ""},
		"bad image, corrected template": {func(s *scene) {
			s.pod.Status.ContainerStatuses, s.pod.Labels = waiting("ErrImagePull", ""), map[string]string{"controller-revision-hash": "web-old"}
		}, "The image img:1 of container nginx cannot be pulled.", []string{"has changed since this pod was created", "annotate pod web-0 setplan.io/recreate=true"}, ""},
		"bad image below the partition": {func(s *scene) {
			s.pod.Status.ContainerStatuses, s.partition = waiting("ErrImagePull", ""), 1
		}, "The image img:1 of container nginx cannot be pulled.", []string{"The partition keeps this pod at its revision: ", `"partition":0`}, ""},
		"crash loop": {func(s *scene) {
			s.pod.Status.ContainerStatuses = waiting("CrashLoopBackOff", "back-off 5m")
			s.limits("nginx")
		},
			"Container nginx keeps ending, the last time because it used more memory than its limit. It has been restarted 3 times.", []string{"exit code 137 (OOMKilled)", "logs web-0 -c nginx --previous"}, ""},
		"missing secret": {func(s *scene) {
			s.pod.Status.ContainerStatuses = waiting("CreateContainerConfigError", `secret "db" not found`)
		}, "The Secret db does not exist, and container nginx needs it.", []string{`secret "db" not found`, "Create it"}, ""},
		"init container": {func(s *scene) {
			s.pod.Status.InitContainerStatuses, s.pod.Status.ContainerStatuses = waiting("ErrImagePull", ""), waiting("PodInitializing", "")
			s.pod.Status.InitContainerStatuses[0].Name = "setup"
		}, "The image img:1 of container setup cannot be pulled.", nil, "it comes first on the node"},
		"lost node": {func(s *scene) {
			s.world.Nodes["node-1"] = &corev1.Node{Status: corev1.NodeStatus{Conditions: []corev1.NodeCondition{{Type: corev1.NodeReady, Status: corev1.ConditionUnknown, Message: "stopped posting"}}}}
			s.pod.Status.ContainerStatuses = waiting("CrashLoopBackOff", "")
		}, "Its node node-1 is not ready and does not report, so the state of the pod is not known.", []string{"stopped posting", "taint nodes node-1"}, "what containers said before is old"},
		"node gone": {func(s *scene) { s.world.Nodes["node-1"] = nil }, "Its node node-1 no longer exists.", []string{"--force"}, ""},
		"no room": {func(s *scene) {
			s.pod.Spec.NodeName, s.pod.Status.Phase = "", corev1.PodPending
			s.pod.Status.Conditions = []corev1.PodCondition{{Type: corev1.PodScheduled, Status: corev1.ConditionFalse, Reason: "Unschedulable", Message: "Insufficient cpu"}}
		}, "No node fits the pod: not enough room.", []string{"Insufficient cpu", "Make room"}, ""},
		"gate": {func(s *scene) {
			s.pod.Spec.NodeName, s.pod.Spec.SchedulingGates = "", []corev1.PodSchedulingGate{{Name: "example.com/wait"}}
		}, "The scheduling gate example.com/wait keeps the pod from being scheduled.", nil, ""},
		"no class": {func(s *scene) { s.claim("fast"); s.world.Classes["fast"] = false },
			"Its claim www-web-0 has no volume, because the storage class fast does not exist.", []string{"Create the storage class fast"}, ""},
		"no class, known from an event": {func(s *scene) {
			s.claim("fast")
			s.event("ProvisioningFailed", "PersistentVolumeClaim", "www-web-0", `storageclass.storage.k8s.io "fast" not found`, time.Minute)
		}, "Its claim www-web-0 has no volume, because the storage class fast does not exist.", nil, "a file seldom holds classes"},
		"provisioner fails": {func(s *scene) {
			s.claim("fast")
			s.world.Classes["fast"] = true
			s.event("ProvisioningFailed", "PersistentVolumeClaim", "www-web-0", "out of disks", time.Minute)
		}, "Its claim www-web-0 has no volume, because the provisioner of storage class fast fails.", []string{"out of disks"}, ""},
		"no class named": {func(s *scene) { s.claim("") },
			"Its claim www-web-0 has no volume, and it names no storage class that could provide one.", nil, ""},
		"mount": {func(s *scene) {
			s.pod.Status.Phase = corev1.PodPending
			s.event("FailedAttachVolume", "Pod", "web-0", "Multi-Attach error", time.Minute)
		}, "The node cannot attach or mount a volume of the pod.", []string{"Multi-Attach error"}, ""},
		"readiness gate": {func(s *scene) { s.pod.Spec.ReadinessGates = []corev1.PodReadinessGate{{ConditionType: "lb"}} },
			"Every container is ready, and no controller has set these conditions of its readiness gates to True: lb.", nil, ""},
		"probe": {func(s *scene) {
			s.pod.Status.ContainerStatuses = []corev1.ContainerStatus{{Name: "nginx", State: corev1.ContainerState{Running: &corev1.ContainerStateRunning{}}}}
			s.event("Unhealthy", "Pod", "web-0", "Readiness probe failed: 503", time.Minute)
		}, "The pod is running, but not ready: container nginx.", []string{"Readiness probe failed: 503", "logs web-0"}, ""},
		"nothing to see": {func(s *scene) { s.world.Pods.Items = nil }, "", []string{"Planner helps."}, "the planner's words stand"},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			s := newScene(setplanv1.BlockCode_BLOCK_CODE_POD_NOT_READY)
			test.build(s)
			r := s.explain().Reasons[0]
			if r.Cause != test.cause {
				t.Errorf("%s: the cause is %q", test.reason, r.Cause)
			}
			text := strings.Join(append(append(r.Evidence, r.Remedy), r.Commands...), "\n")
			for _, want := range test.want {
				if !strings.Contains(text, want) {
					t.Errorf("%q is not in\n%s", want, text)
				}
			}
		})
	}
}

// claim gives the pod a pending claim and removes its node.
func (s *scene) claim(class string) {
	s.pod.Spec.NodeName, s.pod.Status.Phase = "", corev1.PodPending
	s.pod.Spec.Volumes = []corev1.Volume{{Name: "www", VolumeSource: corev1.VolumeSource{PersistentVolumeClaim: &corev1.PersistentVolumeClaimVolumeSource{ClaimName: "www-web-0"}}}}
	s.world.Claims.Items = append(s.world.Claims.Items, &corev1.PersistentVolumeClaim{ObjectMeta: metav1.ObjectMeta{Name: "www-web-0", Namespace: "default", UID: "c"},
		Spec: corev1.PersistentVolumeClaimSpec{StorageClassName: &class}, Status: corev1.PersistentVolumeClaimStatus{Phase: corev1.ClaimPending}})
}

// TestRefusals checks the reasons made from the API's answers to the plan's actions.
func TestRefusals(t *testing.T) {
	tests := map[string]struct {
		answer      string
		age         time.Duration
		cause, help string // no cause: the event is no reason
	}{
		"quota": {`pods "web-1" is forbidden: exceeded quota: q, requested: cpu=500m,pods=1, used: cpu=2,pods=3, limited: cpu=2,pods=3`, 0,
			"The quota q is used up: requested cpu=500m,pods=1, used cpu=2,pods=3, limited to cpu=2,pods=3.", `{"cpu":"2500m","pods":"4"}`},
		"webhook":        {`admission webhook "a.example" denied the request: no label`, 0, "The admission webhook a.example denies it: no label.", "edit statefulset web"},
		"silent webhook": {`admission webhook "a.example" denied the request without explanation`, 0, "The admission webhook a.example denies it, and does not say why.", "edit statefulset web"},
		"conflict":       {`Operation cannot be fulfilled on pods "web-1": the object has been modified; please apply your changes to the latest version and try again`, 0, "Someone else changed the object at the same time.", "tried again"},
		"dead webhook":   {`Internal error occurred: failed calling webhook "a.example": connection refused`, 0, "The API server cannot call the admission webhook a.example, and accepts nothing without its answer: connection refused.", "Restore the webhook's service"},
		"pod security":   {`pods "web-1" is forbidden: violates PodSecurity "restricted:latest"`, 0, `The namespace enforces the Pod Security Standard restricted:latest, and the pod violates it.`, "get namespace default --show-labels"},
		"rights": {`pods is forbidden: User "system:serviceaccount:x:y" cannot create resource "pods" in API group "" in the namespace "default"`, 0, "system:serviceaccount:x:y may not create pods.",
			"kubectl -n default auth can-i create pods --as=system:serviceaccount:x:y"},
		"right of a part": {`pods "web-1" is forbidden: User "x" cannot create resource "pods/eviction" in API group "" in the namespace "default"`, 0, "x may not create pods/eviction.",
			"kubectl -n default auth can-i create pods --as=x --subresource=eviction"},
		"right of a group": {`User "x" cannot update resource "statefulsets" in API group "apps" in the namespace "default"`, 0, "x may not update statefulsets.",
			"kubectl -n default auth can-i update statefulsets.apps --as=x"},
		"budget": {"Cannot evict pod as it would violate the pod's disruption budget. The disruption budget guard needs 3 healthy pods and has 3 currently", 0,
			"The disruption budget guard does not allow the pod to be evicted now.", "describe poddisruptionbudget guard"},
		"budgets": {"This pod has more than one PodDisruptionBudget, which the eviction subresource does not support.", 0,
			"More than one disruption budget selects the pod, and the API server does not evict such pods.", "get poddisruptionbudgets"},
		"slow webhook": {`Internal error occurred: failed calling webhook "a.example": failed to call webhook: Post "https://a.b.svc:443/?timeout=10s": context deadline exceeded`, 0,
			`The API server cannot call the admission webhook a.example, and accepts nothing without its answer: failed to call webhook: Post "https://a.b.svc:443/?timeout=10s": context deadline exceeded.`, "webhook's service"},
		"policy":                    {`pods "web-1" is forbidden: ValidatingAdmissionPolicy 'p' with binding 'b' denied request: no tag`, 0, "The admission policy p denies it: no tag.", "get validatingadmissionpolicy p"},
		"limits":                    {`pods "web-1" is forbidden: maximum cpu usage per Container is 1, but limit is 2`, 0, "A LimitRange of the namespace refuses it: maximum cpu usage per Container is 1, but limit is 2.", "describe limitrange"},
		"quota that must be stated": {`pods "web-1" is forbidden: failed quota: q: must specify cpu for: db`, 0, "The quota q takes only pods that specify cpu for: db.", "edit statefulset web"},
		"account":                   {`pods "web-1" is forbidden: error looking up service account default/db: serviceaccount "db" not found`, 0, "The service account db does not exist.", "create serviceaccount db"},
		"ending":                    {`pods "web-1" is forbidden: unable to create new content in namespace default because it is being terminated`, 0, "The namespace is being deleted, so nothing is created in it.", "get namespace default"},
		"other":                     {`Pod "web-1" is invalid: spec.hostname: Invalid value`, 0, `The API server says: Pod "web-1" is invalid: spec.hostname: Invalid value.`, "objects to"},
		"long ago":                  {"quota", time.Hour, "", ""},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			s := newScene(setplanv1.BlockCode_BLOCK_CODE_POD_NOT_AVAILABLE)
			s.plan.Blocks = nil
			s.creates("web-1")
			s.event("FailedCreate", "StatefulSet", "web", "Create Pod web-1 in StatefulSet web failed error: "+test.answer, test.age)
			s.event("FailedCreate", "StatefulSet", "web", "Create Pod web-12 in StatefulSet web failed error: another pod's", 0)
			report := s.explain()
			if test.cause == "" {
				if len(report.Reasons) > 0 {
					t.Errorf("%+v", report.Reasons[0])
				}
				return
			}
			if len(report.Reasons) != 1 {
				t.Fatalf("%d reasons", len(report.Reasons))
			}
			r := report.Reasons[0]
			if r.Code != why.CodeRefused || r.Cause != test.cause || !strings.Contains(r.Remedy+strings.Join(r.Commands, " "), test.help) {
				t.Errorf("%+v", *r)
			}
		})
	}
}

// TestPaused: an adapter that reported that it leaves the set alone does so until something shows that it continued.
func TestPaused(t *testing.T) {
	tests := map[string]struct {
		event  string
		change func(*scene)
		paused bool
	}{
		"foreign writer": {"ForeignWriter", func(*scene) {}, true},
		"given back": {"ForeignWriter", func(s *scene) {
			s.world.Sets.Items[0].SetAnnotations(map[string]string{"setplan.io/taken-over-at": now.Format(time.RFC3339)})
		}, false},
		"given back before": {"ForeignWriter", func(s *scene) {
			s.world.Sets.Items[0].SetAnnotations(map[string]string{"setplan.io/taken-over-at": now.Add(-time.Hour).Format(time.RFC3339)})
		}, true},
		"given back in the future": {"ForeignWriter", func(s *scene) {
			s.world.Sets.Items[0].SetAnnotations(map[string]string{"setplan.io/taken-over-at": now.Add(time.Hour).Format(time.RFC3339)})
		}, true},
		"wrote since": {"ForeignWriter", func(s *scene) {
			at := metav1.NewTime(now)
			s.world.Sets.Items[0].SetManagedFields([]metav1.ManagedFieldsEntry{{Manager: "setplan-adapter", Time: &at}})
		}, false},
		"no planner":                {"PlannerUnreachable", func(s *scene) { s.creates("web-1") }, true},
		"no planner, nothing to do": {"PlannerUnreachable", func(*scene) {}, false},
		"another event":             {"Something", func(*scene) {}, false},
	}
	for name, test := range tests {
		s := newScene(setplanv1.BlockCode_BLOCK_CODE_POD_NOT_AVAILABLE)
		s.event(test.event, "StatefulSet", "web", "Nothing is changed: x", time.Minute)
		test.change(s)
		if first := s.explain().Reasons[0]; (first.Code == why.CodePaused) != test.paused {
			t.Errorf("%s: the first reason is %s", name, first.Code)
		}
	}
}

// TestOrder: a reason that others wait for comes first.
func TestOrder(t *testing.T) {
	s := newScene(setplanv1.BlockCode_BLOCK_CODE_PARTITION_HELD)
	s.plan.Blocks[0].Severity = setplanv1.Severity_SEVERITY_INFO
	for _, code := range []string{"UPDATE_BUDGET", "POD_NOT_READY", "CLAIM_TERMINATING", "POD_NOT_AVAILABLE", "INVALID_SPEC"} {
		s.block(setplanv1.BlockCode(setplanv1.BlockCode_value["BLOCK_CODE_"+code]), "Pod", "web-7", setplanv1.Severity_SEVERITY_WAIT)
	}
	s.block(setplanv1.BlockCode_BLOCK_CODE_POD_NAME_TAKEN, "Pod", "web-8", setplanv1.Severity_SEVERITY_ATTENTION)
	var got []string
	for _, r := range s.explain().Reasons {
		got = append(got, r.Code)
	}
	want := "INVALID_SPEC POD_NAME_TAKEN CLAIM_TERMINATING POD_NOT_READY POD_NOT_AVAILABLE UPDATE_BUDGET PARTITION_HELD"
	if strings.Join(got, " ") != want {
		t.Errorf("got  %v\nwant %s", got, want)
	}
}

// TestPlainWords: for a set that waits for nothing, the text says so.
func TestPlainWords(t *testing.T) {
	s := newScene(setplanv1.BlockCode_BLOCK_CODE_POD_NOT_AVAILABLE)
	s.plan = &setplanv1.Plan{}
	s.creates("web-1")
	text := &strings.Builder{}
	if err := why.Text(text, show.Style{}, s.explain()); err != nil {
		t.Fatal(err)
	}
	want := `default/web waits for nothing.
Next: create pod web-1.
If that does not happen, no adapter acts on the set: check that one runs with --own apps/v1.
`
	if text.String() != want {
		t.Errorf("got\n%swant\n%s", text, want)
	}
	s.plan = &setplanv1.Plan{Blocks: []*setplanv1.Block{{Code: setplanv1.BlockCode_BLOCK_CODE_PAUSED, Severity: setplanv1.Severity_SEVERITY_INFO,
		Message: "Updates are paused.", Subject: &setplanv1.Target{Kind: "StatefulSet", Name: "web"}}}}
	text.Reset()
	if err := why.Text(text, show.Style{}, s.explain()); err != nil || !strings.HasPrefix(text.String(), "default/web is not in the desired state, and nothing is planned.\n") {
		t.Errorf("paused: %v\n%s", err, text)
	}
}
