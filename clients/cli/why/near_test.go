package why_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"google.golang.org/protobuf/proto"
	corev1 "k8s.io/api/core/v1"
	storagev1 "k8s.io/api/storage/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/setplan/setplan/clients/cli/why"
	setplanv1 "github.com/setplan/setplan/proto/setplan/v1"
)

// TestNearMisses: each cause is told where it holds, and not where something like it is the case. Text in want and in miss is looked for in the
// cause, the remedy and the commands.
func TestNearMisses(t *testing.T) {
	const claimWaits, replaces = "waits for the pod's node", "Setplan replaces the pod once the template is changed"
	kubelet := func(reason, message string) func(*scene) {
		return func(s *scene) {
			s.pod.Status.ContainerStatuses = waiting(reason, message)
			s.pod.Status.Phase = corev1.PodPending
		}
	}
	pending := func(more func(*scene)) func(*scene) {
		return func(s *scene) { s.pod.Status.Phase = corev1.PodPending; more(s) }
	}
	mount := func(reason, message string) func(*scene) {
		return pending(func(s *scene) { s.event(reason, "Pod", "web-0", message, time.Minute) })
	}
	earlier := func(reason, message string, age time.Duration) func(*scene) {
		return pending(func(s *scene) {
			s.pod.CreationTimestamp = metav1.NewTime(now.Add(-time.Second))
			s.event(reason, "Pod", "web-0", message, age)
			s.world.Events[0].InvolvedObject.UID = "gone"
		})
	}
	type row struct {
		build      func(*scene)
		want, miss string
	}
	for name, rows := range map[string][]row{
		"a claim that waits for the pod": {
			{func(s *scene) {
				s.claim("std")
				s.binds("std", true)
				s.unschedulable("0/3 nodes are available: 3 Insufficient memory.")
			}, "not enough room (3 nodes). Its claim www-web-0 has no volume yet because its class " + claimWaits, "provisioner"},
			{func(s *scene) {
				s.claim("std")
				s.binds("std", false)
				s.unschedulable("0/3 nodes are available: pod has unbound immediate PersistentVolumeClaims.")
			}, "Its claim www-web-0 has no volume yet", claimWaits},
			{func(s *scene) {
				s.claim("std")
				s.waitsForConsumer()
				s.unschedulable("0/3 nodes are available: 3 Too many pods.")
			}, claimWaits, "provisioner"},
			{func(s *scene) { s.claim("std"); s.unschedulable("0/3 nodes are available: 3 Too many pods.") }, "not enough room", claimWaits},
			{func(s *scene) { s.claim("std"); s.binds("std", true) }, "No scheduler has handled the pod yet", "has no volume"},
			{func(s *scene) {
				s.claim("std")
				s.binds("std", true)
				s.unschedulable(`running PreBind plugin "VolumeBinding": binding volumes: context deadline exceeded`)
			}, "Its claim www-web-0 has no volume", "not enough room"},
			{func(s *scene) {
				s.claim("std")
				s.binds("std", true)
				s.unschedulable(`0/3 nodes are available: persistentvolumeclaim "shared-conf" not found.`)
			}, "The claim shared-conf does not exist, and the pod uses it.", "provisioner"},
			{func(s *scene) {
				s.claim("std")
				s.binds("std", true)
				s.world.Claims.Items = append(s.world.Claims.Items, &corev1.PersistentVolumeClaim{ObjectMeta: metav1.ObjectMeta{Name: "shared-conf", Namespace: "default"}})
				s.unschedulable(`0/3 nodes are available: persistentvolumeclaim "shared-conf" is being deleted.`)
			}, `The scheduler says: 0/3 nodes are available: persistentvolumeclaim "shared-conf" is being deleted.`, "provisioner"},
			{func(s *scene) {
				s.claim("std")
				s.binds("std", true)
				s.claim("now")
				s.world.Claims.Items[1].Name, s.pod.Spec.Volumes = "now-web-0", append(s.pod.Spec.Volumes, *s.pod.Spec.Volumes[0].DeepCopy())
				s.pod.Spec.Volumes[0].PersistentVolumeClaim = &corev1.PersistentVolumeClaimVolumeSource{ClaimName: "www-web-0"}
				s.pod.Spec.Volumes[1].PersistentVolumeClaim.ClaimName = "now-web-0"
				s.binds("now", false)
				s.unschedulable("0/3 nodes are available: pod has unbound immediate PersistentVolumeClaims.")
			}, "Its claim now-web-0 has no volume yet.", "www-web-0"},
			{func(s *scene) { s.claim("") }, "names no storage class", "no volume of its size is free"},
			{func(s *scene) { s.claim("std"); s.binds("std", false) }, "Its claim www-web-0 has no volume yet. Its storage class is std", "No scheduler"},
			{func(s *scene) {
				s.claim("std")
				s.binds("std", false)
				s.unschedulable("0/3 nodes are available: 3 Too many pods.")
			}, "not enough room", claimWaits},
		},
		"no scheduler": {
			{func(s *scene) { s.gated() }, "No scheduler has handled the pod yet", "No node fits"},
			{func(s *scene) {
				s.gated()
				s.event("FailedScheduling", "Pod", "web-0", "0/3 nodes are available: 3 Insufficient cpu.", time.Minute)
			}, "not enough room (3 nodes)", "No scheduler"},
		},
		"gates": {
			{func(s *scene) { s.gated("a.example/one", "b.example/two") }, "The scheduling gates a.example/one, b.example/two keep", ""},
			{func(s *scene) { s.gated("a.example/one"); s.claim("std") }, "The scheduling gate a.example/one keeps", "claim"},
		},
		"a configuration that the kubelet refuses": {
			{kubelet("CreateContainerConfigError", `secret "db" not found`), "The Secret db does not exist, and container nginx needs it.", "ConfigMap"},
			{kubelet("CreateContainerConfigError", `configmap "db" not found`), "The ConfigMap db does not exist", "Secret"},
			{kubelet("CreateContainerConfigError", "container has runAsNonRoot and image will run as root (pod: \"web-0\")"), "The kubelet cannot configure container nginx: container has runAsNonRoot", "does not exist"},
			{kubelet("CreateContainerConfigError", "couldn't find key password in Secret default/db"), "couldn't find key password in Secret default/db.", "does not exist"},
			{kubelet("CreateContainerConfigError", `failed to sync secret cache: timed out`), "failed to sync secret cache", "does not exist"},
			{kubelet("RunContainerError", "exec: no such file"), "RunContainerError: exec: no such file.", "does not exist"},
		},
		"images": {
			{kubelet("ErrImageNeverPull", "not present with pull policy of Never"), "is not on the node, and imagePullPolicy Never", "cannot be pulled"},
			{kubelet("ImagePullBackOff", "Back-off pulling image"), "cannot be pulled", "Never"},
			{kubelet("InvalidImageName", "couldn't parse image"), "is not a valid image name", "cannot be pulled"},
			{kubelet("ImageInspectError", "context deadline exceeded"), "ImageInspectError: context deadline exceeded.", "cannot be pulled"},
		},
		"ends": {
			{func(s *scene) { s.ended("OOMKilled", 137); s.limits("nginx") }, "used more memory than its limit. It has been restarted 1 time.", "the last time with"},
			{func(s *scene) { s.ended("OOMKilled", 137); s.limits("other") }, "killed for lack of memory (OOMKilled), and it has no memory limit. It has been restarted 1 time.", "Raise"},
			{func(s *scene) { s.ended("Error", 137) }, "the last time with exit code 137", "memory"},
			{func(s *scene) { s.ended("Completed", 0) }, "by itself with exit code 0", "memory"},
			{func(s *scene) { s.ended("Error", 1); s.inPlace("img:2") }, "The image of container nginx was changed in place to img:2, and the kubelet has not started it", ""},
			{func(s *scene) { s.ended("Error", 1); s.inPlace("img:1") }, "The image of container nginx was changed in place to img:1. Container nginx keeps ending", "has not started it"},
			{func(s *scene) {
				s.ended("Error", 1)
				s.inPlace("img:1")
				s.pod.Annotations["setplan.io/in-place-update"] = `{"containers":{"side":{}},"revision":"web-new"}`
			}, "exit code 1", "in place to"},
			{func(s *scene) { s.ended("Error", 1); s.inPlace("img:2"); s.pod.Annotations = nil }, "exit code 1", "in place to"},
		},
		"init containers": {
			{func(s *scene) {
				s.inits("setup", false, corev1.ContainerState{Running: &corev1.ContainerStateRunning{}})
			}, "Init container setup still runs", "keeps ending"},
			{func(s *scene) {
				s.inits("proxy", true, corev1.ContainerState{Running: &corev1.ContainerStateRunning{}})
			}, "Sidecar proxy has not passed its startup probe", "Init container"},
			{func(s *scene) {
				s.inits("setup", false, corev1.ContainerState{Terminated: &corev1.ContainerStateTerminated{ExitCode: 2}})
			}, "Init container setup has ended with exit code 2; the containers after it wait", ""},
			{func(s *scene) {
				s.inits("setup", false, corev1.ContainerState{Terminated: &corev1.ContainerStateTerminated{}})
			}, "has not started its containers yet", "setup"},
		},
		"volumes": {
			{mount("FailedAttachVolume", `Multi-Attach error for volume "pvc-1" Volume is already exclusively attached to one node`), "The volume pvc-1 is still attached to another node.", "does not exist"},
			{mount("FailedAttachVolume", `AttachVolume.Attach failed for volume "pvc-1" : rpc error: not found`), "The volume pvc-1 cannot be attached to the node: rpc error: not found.", "another node"},
			{mount("FailedMount", `MountVolume.MountDevice failed for volume "pvc-1" : rpc error: no space`), "The node cannot mount the volume pvc-1: rpc error: no space.", "attach or mount"},
			{mount("FailedMount", "Unable to attach or mount volumes: timed out"), "cannot attach or mount", "another node"},
			{mount("FailedMount", `MountVolume.SetUp failed for volume "cfg" : configmap "db" not found`), "The ConfigMap db does not exist, and volume cfg is made from it.", "another node"},
			{mount("FailedMount", `MountVolume.SetUp failed for volume "d" : mount failed: exit status 32`), "cannot mount the volume d: mount failed: exit status 32.", "does not exist"},
			{pending(func(s *scene) {
				s.event("FailedMount", "Pod", "web-0", "x", time.Minute)
				s.condition(corev1.PodReadyToStartContainers, corev1.ConditionTrue, "", "")
			}), "has not started its containers", "mount a volume"},
			{pending(func(s *scene) {
				s.event("FailedMount", "Pod", "web-0", "x", time.Hour)
				s.pod.CreationTimestamp = metav1.NewTime(now.Add(-time.Minute))
			}), "has not started its containers", "mount a volume"},
			{pending(func(s *scene) {
				s.event("FailedAttachVolume", "Pod", "web-0", `Multi-Attach error for volume "pvc-1" Volume is already`, time.Minute)
				s.normal("SuccessfulAttachVolume", "Pod", "web-0", `AttachVolume.Attach succeeded for volume "pvc-1"`, 0)
			}), "has not started its containers", "another node"},
			{pending(func(s *scene) {
				s.event("FailedAttachVolume", "Pod", "web-0", `Multi-Attach error for volume "pvc-1" Volume is already`, time.Minute)
				s.normal("SuccessfulAttachVolume", "Pod", "web-0", `AttachVolume.Attach succeeded for volume "pvc-2"`, 0)
			}), "The volume pvc-1 is still attached", ""},
			{pending(func(s *scene) {
				s.event("FailedMount", "Pod", "web-0", "x", time.Minute)
				s.normal("SuccessfulAttachVolume", "Pod", "web-0", `AttachVolume.Attach succeeded for volume "pvc-1"`, 0)
			}), "cannot attach or mount", ""},
			{pending(func(s *scene) {
				s.event("FailedMount", "Pod", "web-0", "x", time.Minute)
				s.normal("Pulling", "Pod", "web-0", "Pulling image", 0)
			}), "has not started its containers", "mount"},
			{pending(func(s *scene) {
				s.event("FailedMount", "Pod", "web-0", "x", time.Minute)
				s.normal("Pulling", "Pod", "web-0", "Pulling image", time.Hour)
			}), "cannot attach or mount", ""},
			{pending(func(s *scene) {
				s.event("FailedCreatePodSandBox", "Pod", "web-0", "x", time.Minute)
				s.condition(corev1.PodReadyToStartContainers, corev1.ConditionTrue, "", "")
			}), "has not started its containers", "sandbox"},
			{mount("FailedCreatePodSandBox", "plugin type=\"bridge\" failed"), "cannot create the pod's sandbox", "mount a volume"},
		},
		"nodes": {
			{func(s *scene) {
				s.node(corev1.ConditionUnknown, "NodeStatusUnknown", "Kubelet stopped posting node status.")
			}, "does not report", "describe node"},
			{func(s *scene) { s.node(corev1.ConditionFalse, "KubeletNotReady", "cni plugin not initialized") }, "says that it is not ready: KubeletNotReady: cni plugin not initialized.", "taint"},
			{func(s *scene) { s.world.Nodes["node-1"] = nil }, "Only if the node's machine is off and stays off, force the deletion", ""},
			{func(s *scene) {
				s.pod.Status.Phase, s.pod.Status.Reason, s.pod.Status.Message = corev1.PodFailed, "Evicted", "The node was low on resource: memory."
			}, "The pod has failed: Evicted: The node was low on resource: memory.", "ready"},
			{earlier("Evicted", "Pod ephemeral local storage usage exceeds the total limit", 2*time.Second), "the pod before this one ended: event Evicted on Pod/web-0: Pod ephemeral", ""},
			{earlier("TaintToleration", "Predicate TaintToleration failed: node(s) had taints", 2*time.Second), "ended: event TaintToleration on Pod/web-0: Predicate", ""},
			{earlier("Unhealthy", "Readiness probe failed", 2*time.Second), "has not started its containers", "before this one"},
			{earlier("Evicted", "Pod ephemeral local storage usage exceeds the total limit", time.Hour), "has not started its containers", "before this one"},
		},
		"readiness gates": {
			{func(s *scene) {
				s.pod.Spec.ReadinessGates = []corev1.PodReadinessGate{{ConditionType: "lb"}, {ConditionType: "dns"}}
			}, "lb, dns", "container nginx"},
			{func(s *scene) { s.runs(); s.pod.Spec.ReadinessGates = []corev1.PodReadinessGate{{ConditionType: "lb"}} }, "container nginx", "readiness gate"},
			{func(s *scene) {
				s.pod.Spec.ReadinessGates = []corev1.PodReadinessGate{{ConditionType: "lb"}}
				s.condition("lb", corev1.ConditionTrue, "", "")
			}, "Planner helps", "readiness gate"},
		},
		"deletions": {
			{func(s *scene) { s.deleted(-time.Minute, "a.example/x") }, "The finalizer a.example/x keeps it.", "grace period"},
			{func(s *scene) { s.deleted(-time.Minute, "a.example/x", "b.example/y") }, "The finalizers a.example/x, b.example/y keep it.", "grace period"},
			{func(s *scene) { s.deleted(time.Minute, "a.example/x"); s.runs() }, "Planner helps", "finalizer"},
			{func(s *scene) { s.deleted(-time.Minute); s.runs() }, "Its grace period is over", "finalizer"},
			{func(s *scene) { s.deleted(time.Minute); s.runs() }, "Planner helps", "grace period"},
			{func(s *scene) { s.deleted(0); s.pod.DeletionGracePeriodSeconds = new(int64(30)) }, "deleted at 2026-01-31T11:59:30Z, grace period 30s, until 2026-01-31T12:00:00Z", "clock"},
			{func(s *scene) { s.deleted(time.Minute); s.pod.DeletionGracePeriodSeconds = new(int64(30)) }, "being deleted, grace period 30s, until 2026-01-31T12:01:00Z by the API server's clock", "deleted at"},
		},
		"unschedulable": {
			{func(s *scene) {
				s.unschedulable("0/3 nodes are available: 3 node(s) didn't find available persistent volumes to bind.")
			}, "no free volume fits its claim (3 nodes)", "room"},
			{func(s *scene) {
				s.unschedulable("0/1 nodes are available: 1 Insufficient cpu.")
				s.pod.Status.NominatedNodeName = "n2"
			}, "has chosen node n2, and waits until pods of lower priority have left it", ""},
			{func(s *scene) {
				s.unschedulable("0/2 nodes are available: 2 node(s) unavailable due to one or more pvc(s) bound to non-existent pv(s).")
			}, "kubectl -n default describe pvc", "Make room"},
		},
		"what follows a new template": {
			{func(s *scene) { s.unschedulable("3 Insufficient memory") }, replaces + ".", "partition"},
			{func(s *scene) { s.unschedulable("3 Insufficient memory"); s.partition = 1 }, "The partition keeps this pod at its revision: a change of the template reaches it once the partition is lowered.", replaces},
			{func(s *scene) { s.unschedulable("3 Insufficient memory"); s.strategy = "OnDelete" }, "Then have the pod recreated", replaces},
			{func(s *scene) { s.unschedulable("3 Insufficient memory"); s.strategy, s.partition = "OnDelete", 1 }, "Then have the pod recreated", "partition"},
			{func(s *scene) {
				s.unschedulable("3 Insufficient memory")
				s.block(setplanv1.BlockCode_BLOCK_CODE_PAUSED, "StatefulSet", "web", setplanv1.Severity_SEVERITY_INFO)
			}, "The set is paused: Planner. A change of the template reaches this pod once the set is resumed.", replaces},
			{func(s *scene) {
				s.unschedulable("3 Insufficient memory")
				s.annotate("setplan.io/before-update", "backup")
			}, replaces + " and backup approves (setplan.io/before-update).", ""},
			{func(s *scene) { s.ended("Error", 1) }, replaces + ", if it has never been ready.", ""},
			{kubelet("ErrImagePull", "x"), replaces + ", if it has never been ready.", ""},
			{func(s *scene) {
				kubelet("ErrImagePull", "x")(s)
				s.pod.Status.ContainerStatuses[0].LastTerminationState, s.pod.Status.ContainerStatuses[0].RestartCount = corev1.ContainerState{}, 0
			}, replaces + ".", "never"},
		},
	} {
		for i, row := range rows {
			s := newScene(setplanv1.BlockCode_BLOCK_CODE_POD_NOT_READY)
			row.build(s)
			r := s.explain().Reasons[0]
			text := strings.Join(slices.Concat([]string{r.Cause, r.Remedy}, r.Commands, r.Evidence), "\n")
			if !strings.Contains(text, row.want) || row.miss != "" && strings.Contains(text, row.miss) {
				t.Errorf("%s %d: %q should be in this, and %q should not:\n%s", name, i, row.want, row.miss, text)
			}
		}
	}
}

func (s *scene) condition(kind corev1.PodConditionType, status corev1.ConditionStatus, reason, message string) {
	s.pod.Status.Conditions = append(s.pod.Status.Conditions, corev1.PodCondition{Type: kind, Status: status, Reason: reason, Message: message})
}

// unschedulable gives the pod the scheduler's message.
func (s *scene) unschedulable(message string) {
	s.pod.Spec.NodeName, s.pod.Status.Phase = "", corev1.PodPending
	s.condition(corev1.PodScheduled, corev1.ConditionFalse, "Unschedulable", message)
}

// binds adds a storage class, whose volumes wait for a pod or do not.
func (s *scene) binds(class string, waits bool) {
	mode := storagev1.VolumeBindingImmediate
	if waits {
		mode = storagev1.VolumeBindingWaitForFirstConsumer
	}
	s.world.Classes[class] = true
	s.world.StorageClasses.Items = append(s.world.StorageClasses.Items, &storagev1.StorageClass{ObjectMeta: metav1.ObjectMeta{Name: class}, VolumeBindingMode: &mode})
}

func (s *scene) waitsForConsumer() {
	s.event("WaitForFirstConsumer", "PersistentVolumeClaim", "www-web-0", "waiting for first consumer to be created before binding", time.Minute)
	s.world.Events[0].Type = corev1.EventTypeNormal
}

func (s *scene) gated(names ...string) {
	s.pod.Spec.NodeName, s.pod.Status.Phase = "", corev1.PodPending
	for _, name := range names {
		s.pod.Spec.SchedulingGates = append(s.pod.Spec.SchedulingGates, corev1.PodSchedulingGate{Name: name})
	}
}

// ended is a crash loop after one restart.
func (s *scene) ended(reason string, code int32) {
	s.pod.Status.ContainerStatuses = waiting("CrashLoopBackOff", "back-off")
	s.pod.Status.ContainerStatuses[0].RestartCount = 1
	s.pod.Status.ContainerStatuses[0].LastTerminationState.Terminated = &corev1.ContainerStateTerminated{Reason: reason, ExitCode: code}
}

// limits gives a container a memory limit.
func (s *scene) limits(name string) {
	s.pod.Spec.Containers = append(s.pod.Spec.Containers, corev1.Container{Name: name, Resources: corev1.ResourceRequirements{
		Limits: corev1.ResourceList{corev1.ResourceMemory: resource.MustParse("1Gi")}}})
}

// normal adds an event about what went well.
func (s *scene) normal(reason, kind, name, message string, age time.Duration) {
	s.event(reason, kind, name, message, age)
	s.world.Events[len(s.world.Events)-1].Type = corev1.EventTypeNormal
}

// inPlace gives the container an image while the pod runs.
func (s *scene) inPlace(image string) {
	s.pod.Annotations = map[string]string{"setplan.io/in-place-update": `{"containers":{"nginx":{}},"revision":"web-new"}`}
	s.pod.Spec.Containers = []corev1.Container{{Name: "nginx", Image: image}}
}

// inits gives the pod an init container in a state, while the others wait.
func (s *scene) inits(name string, sidecar bool, state corev1.ContainerState) {
	s.pod.Status.Phase, s.pod.Status.ContainerStatuses = corev1.PodPending, waiting("PodInitializing", "")
	s.pod.Spec.InitContainers = []corev1.Container{{Name: name}}
	if sidecar {
		s.pod.Spec.InitContainers[0].RestartPolicy = new(corev1.ContainerRestartPolicyAlways)
	}
	s.pod.Status.InitContainerStatuses = []corev1.ContainerStatus{{Name: name, State: state, Started: new(false)}}
}

// deleted has the pod's grace period end after a time.
func (s *scene) deleted(after time.Duration, finalizers ...string) {
	s.pod.DeletionTimestamp, s.pod.Finalizers = new(metav1.NewTime(now.Add(after))), finalizers
}

func (s *scene) node(ready corev1.ConditionStatus, reason, message string) {
	s.world.Nodes["node-1"] = &corev1.Node{Status: corev1.NodeStatus{Conditions: []corev1.NodeCondition{{Type: corev1.NodeReady, Status: ready, Reason: reason, Message: message}}}}
}

// TestPlannersCommand: what the planner would run stands with the other commands, and goes to the same cluster.
func TestPlannersCommand(t *testing.T) {
	s := newScene(setplanv1.BlockCode_BLOCK_CODE_UPDATE_GATED)
	s.plan.Blocks[0].Remedy, s.flags = "To approve the update: `kubectl -n default annotate pod web-0 a=b`", []string{"--context=prod"}
	if r := s.explain().Reasons[0]; r.Remedy != "To approve the update:" || strings.Join(r.Commands, ";") != "kubectl --context=prod -n default annotate pod web-0 a=b" {
		t.Errorf("%+v", r)
	}
}

// TestEventsThatCount: an event tells of a refusal only if it has the verb, the kind and the name of what is planned, is about this
// object and this revision, and if no success has followed.
func TestEventsThatCount(t *testing.T) {
	const denied = ` failed error: admission webhook "w" denied the request: no`
	create, evict, remove := &setplanv1.Action{Operation: &setplanv1.Action_CreatePod{CreatePod: &setplanv1.CreatePod{}}},
		&setplanv1.Action{Operation: &setplanv1.Action_EvictPod{EvictPod: &setplanv1.EvictPod{}}}, &setplanv1.Action{Operation: &setplanv1.Action_DeletePod{DeletePod: &setplanv1.DeletePod{}}}
	two := func(s *scene) {
		s.revisions = []*setplanv1.Revision{{Name: "web-old", Number: 1}, {Name: "web-new", Number: 2}}
	}
	const refused, before = why.CodeRefused, why.CodeRefusedBefore
	for name, row := range map[string]struct {
		action  *setplanv1.Action
		message string
		build   func(*scene)
		code    string
	}{
		"the same":                        {create, "Create Pod web-0 in StatefulSet web" + denied, func(*scene) {}, refused},
		"the built-in controller's":       {create, "create Pod web-0 in StatefulSet web" + denied, func(*scene) {}, refused},
		"another verb":                    {create, "Delete Pod web-0 in StatefulSet web" + denied, func(*scene) {}, ""},
		"a claim of the pod":              {create, "Create Claim www-web-0 for Pod web-0 in StatefulSet web" + denied, func(*scene) {}, ""},
		"a claim of the same name":        {create, "Create Claim web-0 for Pod web-0 in StatefulSet web" + denied, func(*scene) {}, ""},
		"a claim of the pod is written":   {&setplanv1.Action{Operation: &setplanv1.Action_PatchPod{PatchPod: &setplanv1.PatchPod{}}}, "Update Pod web-0 in StatefulSet web failed error: could not update claim www-web-0 for delete policy ownerRefs: no", func(*scene) {}, ""},
		"another pod":                     {create, "Create Pod web-01 in StatefulSet web" + denied, func(*scene) {}, ""},
		"an eviction, not a deletion":     {remove, "Evict Pod web-0 in StatefulSet web" + denied, func(*scene) {}, ""},
		"an eviction":                     {evict, "Evict Pod web-0 in StatefulSet web" + denied, func(*scene) {}, refused},
		"an earlier pod":                  {remove, "Delete Pod web-0 in StatefulSet web" + denied, func(s *scene) { s.pod.CreationTimestamp = metav1.NewTime(now) }, ""},
		"this pod":                        {remove, "Delete Pod web-0 in StatefulSet web" + denied, func(s *scene) { s.pod.CreationTimestamp = metav1.NewTime(now.Add(-time.Hour)) }, refused},
		"a success has followed":          {create, "Create Pod web-0 in StatefulSet web" + denied, func(s *scene) { s.succeeded("Create Pod web-0 in StatefulSet web successful", 0) }, ""},
		"another's success":               {create, "Create Pod web-0 in StatefulSet web" + denied, func(s *scene) { s.succeeded("Create Pod web-1 in StatefulSet web successful", 0) }, refused},
		"a success came before":           {create, "Create Pod web-0 in StatefulSet web" + denied, func(s *scene) { s.succeeded("Create Pod web-0 in StatefulSet web successful", time.Hour) }, refused},
		"perhaps another revision's":      {create, "Create Pod web-0 in StatefulSet web" + denied, two, before},
		"the set has changed since":       {create, "Create Pod web-0 in StatefulSet web" + denied, func(s *scene) { two(s); s.specWritten(time.Second) }, before},
		"the set has not changed since":   {create, "Create Pod web-0 in StatefulSet web" + denied, func(s *scene) { two(s); s.specWritten(5 * time.Minute) }, refused},
		"a quota of any revision":         {create, "Create Pod web-0 in StatefulSet web failed error: exceeded quota: q, requested: pods=1, used: pods=3, limited: pods=3", two, refused},
		"a deletion at any revision":      {remove, "Delete Pod web-0 in StatefulSet web" + denied, two, refused},
		"an earlier set of the same name": {create, "Create Pod web-0 in StatefulSet web" + denied, func(s *scene) { s.world.Events[0].InvolvedObject.UID = "earlier" }, ""},
	} {
		s := newScene(setplanv1.BlockCode_BLOCK_CODE_POD_NOT_AVAILABLE)
		s.plan.Blocks = nil
		s.does("web-0", proto.CloneOf(row.action))
		s.event("FailedX", "StatefulSet", "web", row.message, time.Minute)
		row.build(s)
		code := ""
		if reasons := s.explain().Reasons; len(reasons) > 0 {
			code = reasons[0].Code
		}
		if code != row.code && (row.code != "" || code == refused || code == before) {
			t.Errorf("%s: the first reason is %q, want %q", name, code, row.code)
		}
	}
}

func (s *scene) succeeded(message string, age time.Duration) {
	s.normal("SuccessfulX", "StatefulSet", "web", message, age)
}

// TestEventToCome: an event that is to come, by another clock, is quoted as one of now.
func TestEventToCome(t *testing.T) {
	s := newScene(setplanv1.BlockCode_BLOCK_CODE_POD_NOT_READY)
	s.gated()
	s.event("FailedScheduling", "Pod", "web-0", "0/3 nodes are available: 3 Insufficient cpu.", -time.Minute)
	if told := strings.Join(s.explain().Reasons[0].Evidence, "\n"); !strings.Contains(told, "Insufficient cpu. (just now)") {
		t.Error(told)
	}
}
