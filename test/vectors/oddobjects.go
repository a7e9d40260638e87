package vectors

import (
	"encoding/json"
	"fmt"
	"strings"

	setplanv1 "github.com/setplan/setplan/proto/setplan/v1"
	files "github.com/setplan/setplan/proto/vectors"
)

// oddObjects change objects that are easily put into a request in the wrong way.
var oddObjects = []struct {
	name, about string
	change      func(*cluster)
}{
	{"pod-other-claims", "A volume that is bound to a claim of another name is an other claim; one that is bound to none is nothing.", func(c *cluster) {
		in(c.pods[0], "spec")["volumes"] = []any{
			object{"name": "www", "persistentVolumeClaim": object{"claimName": "www-web-0"}},
			object{"name": "shared", "persistentVolumeClaim": object{"claimName": "shared"}},
			object{"name": "tmp", "emptyDir": object{}},
		}
	}},
	{"pod-phases", "Phases that are rare: not known to the node, none yet, and one that no release has.", func(c *cluster) {
		c.pods[0]["status"] = object{"phase": "Unknown"}
		delete(in(c.pods[1], "status"), "phase")
		c.pods = append(c.pods, copied(c.pods[0], "web-2", "uid-odd"))
		in(c.pods[2], "status")["phase"] = "Sleeping"
	}},
	{"pod-identity-labels", "Identity labels that say something else than the pod's name stay labels, and those that are not there are not in the flags.", func(c *cluster) {
		in(c.pods[0], "metadata", "labels")["statefulset.kubernetes.io/pod-name"] = "web-1"
		in(c.pods[0], "metadata", "labels")["apps.kubernetes.io/pod-index"] = "00"
		delete(in(c.pods[1], "metadata", "labels"), "apps.kubernetes.io/pod-index")
		delete(in(c.pods[1], "metadata", "labels"), "controller-revision-hash")
	}},
	{"pod-revision-label-empty", "A label controller-revision-hash without a text, and one with a text that is no revision's name.", func(c *cluster) {
		in(c.pods[0], "metadata", "labels")["controller-revision-hash"] = ""
		in(c.pods[1], "metadata", "labels")["controller-revision-hash"] = "7"
	}},
	{"pod-names", "Pods of the set are those that it controls, whatever their name, and those whose name is the set's, a dash and digits, whoever controls them.", func(c *cluster) {
		for i, name := range []string{"web-02", "web-99999999999", "web-a", "web", "web-1-0", "other-0", "web-", "web--3", "x0"} {
			c.pods = append(c.pods, copied(c.pods[0], name, fmt.Sprintf("uid-odd-%d", i)))
			if i%2 == 1 {
				delete(in(c.pods[len(c.pods)-1], "metadata"), "ownerReferences")
			}
		}
		dependent := copied(c.pods[0], "dependent-5", "uid-dependent") // which the set owns, and does not control
		in(dependent, "metadata")["ownerReferences"].([]any)[0].(object)["controller"] = false
		c.pods = append(c.pods, dependent)
		elsewhere := copied(c.pods[0], "web-3", "uid-elsewhere")
		in(elsewhere, "metadata")["namespace"] = "elsewhere"
		c.pods = append(c.pods, elsewhere)
	}},
	{"pod-owners", "Owners in the order in which the object has them; a flag that is not there is false.", func(c *cluster) {
		set := in(c.pods[0], "metadata")["ownerReferences"].([]any)[0]
		in(c.pods[0], "metadata")["ownerReferences"] = []any{
			object{"apiVersion": "v1", "kind": "ConfigMap", "name": "first", "uid": "uid-first"}, set,
			object{"apiVersion": "apps/v1", "kind": "ReplicaSet", "name": "third", "uid": "uid-third", "controller": false, "blockOwnerDeletion": true},
		}
		delete(in(c.pods[1], "metadata"), "ownerReferences")
	}},
	{"pod-conditions", "Ready is the condition Ready, whatever the phase; when a pod started matters only while it is not ready.", func(c *cluster) {
		c.pods[0]["status"] = object{"phase": "Running", "startTime": "2026-01-01T00:00:01Z", "conditions": []any{
			object{"type": "PodScheduled", "status": "True", "lastTransitionTime": "2026-01-01T00:00:00Z"},
			object{"type": "Ready", "status": "False", "lastTransitionTime": "2026-01-01T00:00:03Z"},
			object{"type": "DisruptionTarget", "status": "True", "lastTransitionTime": "2026-01-01T00:00:04Z"},
		}}
		c.pods[1]["status"] = object{"phase": "Pending", "startTime": "2026-01-01T00:00:01Z", "conditions": []any{
			object{"type": "Ready", "status": "True", "lastTransitionTime": nil},
			object{"type": "DisruptionTarget", "status": "False"},
		}}
	}},
	{"pod-termination-messages", "What containers with the variable SETPLAN_DRAIN_TOKEN left, in the order of spec.containers, cut at 4096 bytes where a character ends; those without the variable do not count.", func(c *cluster) {
		token := []any{object{"name": "SETPLAN_DRAIN_TOKEN", "value": "0123"}}
		in(c.pods[0], "spec")["containers"] = []any{
			object{"name": "a", "image": "a", "env": token}, object{"name": "b", "image": "b"},
			object{"name": "c", "image": "c", "env": token}, object{"name": "d", "image": "d", "env": token},
		}
		in(c.pods[0], "spec")["initContainers"] = []any{object{"name": "i", "image": "i", "env": token}}
		ended := func(name, message string) any {
			return object{"name": name, "state": object{"terminated": object{"exitCode": 0, "message": message}}}
		}
		in(c.pods[0], "status")["containerStatuses"] = []any{
			ended("d", strings.Repeat("é", 2047)+"xé and more"), object{"name": "c", "state": object{"running": object{}}},
			ended("b", "not asked"), ended("a", "0123\n"),
		}
		in(c.pods[0], "status")["initContainerStatuses"] = []any{ended("i", "not asked either")}
	}},
	{"pod-containers", "What runs in pods with the annotation setplan.io/in-place-update, whatever that says: all containers in the order of the spec, each with the status of its name. Of other pods nothing.", func(c *cluster) {
		c.pods = append(c.pods, copied(c.pods[0], "web-2", "uid-odd"))
		for _, pod := range c.pods {
			in(pod, "metadata")["generation"] = json.Number("9007199254740993")
			in(pod, "spec")["containers"] = []any{object{"name": "a", "image": "a:1"}, object{"name": "b"}, object{"name": "c", "image": "c:1"}}
			in(pod, "spec")["initContainers"] = []any{object{"name": "i", "image": "i:1"}, object{"name": "j", "image": "j:1", "restartPolicy": "Always"}}
			status := in(pod, "status")
			status["observedGeneration"] = json.Number("9007199254740995")
			status["containerStatuses"] = []any{
				object{"name": "c", "image": "c:0", "imageID": "sha256:c", "containerID": "r://c", "state": object{"waiting": object{"reason": "ImagePullBackOff", "message": "m"}}},
				object{"name": "gone", "image": "gone:1", "imageID": "sha256:gone", "containerID": "r://gone", "state": object{"running": object{}}},
				object{"name": "a", "image": "a", "imageID": "sha256:a", "containerID": "r://a", "state": object{"running": object{"startedAt": "2026-01-01T00:00:08Z"}}},
			}
			status["initContainerStatuses"] = []any{
				object{"name": "j", "imageID": "sha256:j", "state": object{"running": object{"startedAt": nil}}},
				object{"name": "i", "containerID": "r://i", "state": object{"terminated": object{"startedAt": "2026-01-01T00:00:06Z", "finishedAt": "2026-01-01T00:00:07Z"}}},
			}
		}
		in(c.pods[0], "metadata")["annotations"] = object{"setplan.io/in-place-update": ""}
		in(c.pods[1], "metadata")["annotations"] = object{"setplan.io/in-place-update": "{"}
		in(c.pods[1], "status")["containerStatuses"] = nil
		delete(in(c.pods[1], "status"), "initContainerStatuses")
	}},
	{"pod-resources", "Of such pods also the cpu and the memory of each container, and nothing else of its resources: those of the spec where there are any, those of the status also where they are empty. Of the conditions of a resize those that are true, with a message that is cut at 1024 bytes where a character ends. Of other pods nothing.", func(c *cluster) {
		c.pods = append(c.pods, copied(c.pods[0], "web-2", "uid-odd"))
		for _, pod := range c.pods {
			in(pod, "spec")["containers"] = []any{
				object{"name": "a", "image": "a:1", "resources": object{"requests": object{"cpu": "500m", "memory": "1Gi", "ephemeral-storage": "1Gi"},
					"limits": object{"memory": "2Gi", "hugepages-2Mi": "4Mi"}, "claims": []any{object{"name": "gpu"}}}},
				object{"name": "b", "image": "b:1", "resources": object{"limits": object{"ephemeral-storage": "1Gi"}}},
				object{"name": "c", "image": "c:1", "resources": object{"requests": object{"cpu": "0"}, "limits": nil}},
				object{"name": "d", "image": "d:1"},
			}
			in(pod, "spec")["initContainers"] = []any{object{"name": "j", "image": "j:1", "restartPolicy": "Always", "resources": object{"limits": object{"cpu": "1"}}}}
			status := in(pod, "status")
			status["containerStatuses"] = []any{
				object{"name": "d", "resources": object{"requests": object{"cpu": "1"}}}, object{"name": "c"}, object{"name": "b", "resources": object{}},
				object{"name": "a", "resources": object{"requests": object{"cpu": "250m", "memory": "1Gi", "ephemeral-storage": "1Gi"}, "limits": object{"hugepages-2Mi": "4Mi"}}},
			}
			status["initContainerStatuses"] = []any{object{"name": "j", "resources": object{"limits": object{"cpu": "500m"}}}}
			status["conditions"] = []any{
				object{"type": "PodResizePending", "status": "True", "reason": "Deferred", "message": strings.Repeat("é", 511) + "xé and more",
					"lastTransitionTime": "2026-01-01T00:00:05Z", "observedGeneration": json.Number("9007199254740993")},
				object{"type": "PodResizeInProgress", "status": "False", "reason": "Error"},
			}
		}
		in(c.pods[0], "metadata")["annotations"] = object{"setplan.io/in-place-update": "{}"}
		in(c.pods[1], "metadata")["annotations"] = object{"setplan.io/in-place-update": "{}"}
		in(c.pods[1], "status")["conditions"] = []any{object{"type": "PodResizePending", "status": "Unknown", "reason": "Infeasible"}, object{"type": "PodResizeInProgress", "status": "True"}}
	}},
	{"annotations", "Of pods and claims those under setplan.io/ are carried, known or not, and no others; of the set all are.", func(c *cluster) {
		in(c.pods[0], "metadata")["annotations"] = object{"setplan.io/of-tomorrow": "x", "setplan.iodine/no": "y", "setplan.io/": "z", "example.com/a": "b"}
		in(c.claims[0], "metadata")["annotations"] = object{"setplan.io/drain-attempts": "3", "pv.kubernetes.io/bind-completed": "yes"}
		in(c.claims[1], "metadata")["annotations"] = object{"volume.kubernetes.io/selected-node": "n"}
		in(c.set, "metadata")["annotations"] = object{"example.com/team": "db", "empty": "", "setplan.io/repair": "Never"}
	}},
	{"claims", "Claims of the set are those whose name is a template's, a dash, the set's, a dash and digits. Of their conditions Unused is not sent.", func(c *cluster) {
		for i, name := range []string{"www-web-7", "www-web-08", "www-web-x", "www-web", "xwww-web-1", "data-web-0", "www-webx-0"} {
			c.claims = append(c.claims, copied(c.claims[0], name, fmt.Sprintf("uid-odd-%d", i)))
		}
		in(c.claims[0], "status")["phase"] = "Lost"
		in(c.claims[0], "status")["conditions"] = []any{object{"type": "Unused", "status": "True", "lastTransitionTime": "2026-01-01T00:00:05Z"}, object{"type": "Resizing", "status": "True"}}
		delete(in(c.claims[1], "status"), "phase")
		in(c.claims[1], "metadata")["deletionTimestamp"] = "2026-01-01T00:00:05Z"
	}},
	{"claim-neighbours", "Other sets that call claims as this one does: template \"a\" of set \"b-web\" is the template \"a-b\" of the set \"web\". The set itself and sets of other namespaces are none.", func(c *cluster) {
		template := in(c.set, "spec")["volumeClaimTemplates"].([]any)[0]
		named := func(name string) any { return copied(template.(object), name, "") }
		in(c.set, "spec")["volumeClaimTemplates"] = []any{named("a-b"), named("c")}
		other := func(set, namespace string, templates ...any) {
			o := copied(c.set, set, "uid-"+set+"-"+namespace)
			in(o, "metadata")["namespace"] = namespace
			in(o, "spec")["volumeClaimTemplates"] = templates
			c.others = append(c.others, o)
		}
		other("b-web", "default", named("a"))
		other("b-web", "elsewhere", named("a"))
		other("x-web", "default", named("a"), named("c"))
		other("db", "default", named("a-b"))
	}},
	{"revisions", "Revisions are those that the set controls, those that nobody controls, and those whose name begins with the set's and a dash.", func(c *cluster) {
		for i, name := range []string{"web-other", "elsewhere-1", "orphan-2", "webx-3", "owned-4"} {
			r := copied(c.revisions[0], name, fmt.Sprintf("uid-odd-%d", i))
			r["revision"] = 10 + i
			switch name {
			case "owned-4":
				in(r, "metadata")["ownerReferences"] = []any{object{"apiVersion": "v1", "kind": "ConfigMap", "name": "c", "uid": "uid-c"}}
			case "orphan-2":
				delete(in(r, "metadata"), "ownerReferences")
				delete(in(r, "metadata"), "labels")
			default:
				in(r, "metadata")["ownerReferences"] = []any{
					object{"apiVersion": "apps/v1", "kind": "StatefulSet", "name": "web", "uid": in(c.set, "metadata")["uid"]},
					object{"apiVersion": "apps/v1", "kind": "StatefulSet", "name": "web", "uid": "uid-of-an-earlier-one", "controller": true}}
			}
			c.revisions = append(c.revisions, r)
		}
	}},
	{"set-defaults", "A set without the fields that an API server fills in: none of them is set in the request, and the planner knows what that means.", func(c *cluster) {
		c.set["spec"] = object{"selector": in(c.set, "spec", "selector"), "template": in(c.set, "spec", "template")}
		delete(c.set, "status")
	}},
	{"set-everything", "A set with every field that the contract has, zeros among them.", func(c *cluster) {
		spec := in(c.set, "spec")
		spec["replicas"], spec["ordinals"], spec["minReadySeconds"], spec["revisionHistoryLimit"] = 0, object{"start": 5}, 7, 0
		spec["serviceName"], spec["podManagementPolicy"] = "svc", "Parallel"
		spec["updateStrategy"] = object{"type": "RollingUpdate", "rollingUpdate": object{"partition": 2, "maxUnavailable": "40%"}}
		spec["persistentVolumeClaimRetentionPolicy"] = object{"whenDeleted": "Delete", "whenScaled": "Delete"}
		spec["selector"] = object{"matchLabels": object{"app": "web"}, "matchExpressions": []any{
			object{"key": "app", "operator": "In", "values": []any{"web", "www"}}, object{"key": "gone", "operator": "DoesNotExist"}}}
		in(c.set, "metadata")["finalizers"] = []any{"example.com/hold", "foregroundDeletion"}
		in(c.set, "metadata")["deletionTimestamp"] = "2026-01-01T00:00:07Z"
		c.set["status"] = object{"observedGeneration": 0, "replicas": 2, "readyReplicas": 0, "availableReplicas": 0, "currentReplicas": 1, "updatedReplicas": 1,
			"currentRevision": "web-a", "updateRevision": "web-b", "collisionCount": 0, "conditions": []any{
				object{"type": "Reconciling", "status": "True", "reason": "Scaling", "message": "m", "lastTransitionTime": "2026-01-01T00:00:02Z"},
				object{"type": "Of/Tomorrow", "status": "Unknown", "lastTransitionTime": nil}}}
	}},
	{"numbers-of-64-bits", "Numbers that fit no double: the generation, the one that the status is of, and a revision's. The fence repeats the first one.", func(c *cluster) {
		in(c.set, "metadata")["generation"] = json.Number("9007199254740993")
		in(c.set, "status")["observedGeneration"] = json.Number("9007199254740995")
		c.revisions[0]["revision"] = json.Number("9007199254740997")
		in(c.set, "spec", "template", "metadata")["annotations"] = object{"new": "template"}
	}},
	{"set-nil-rolling-update", "A RollingUpdate without parameters is not one with partition 0.", func(c *cluster) {
		in(c.set, "spec")["updateStrategy"] = object{"type": "RollingUpdate"}
	}},
	{"set-max-unavailable-count", "A budget that is a number.", func(c *cluster) {
		in(c.set, "spec")["updateStrategy"] = object{"rollingUpdate": object{"maxUnavailable": 2}}
	}},
	{"nothing-there", "A set whose pods, claims and revisions are gone.", func(c *cluster) { c.pods, c.claims, c.revisions = nil, nil, nil }},
}

// withOddObjects are objects of a set at rest with a change.
func withOddObjects() ([]*draft, error) {
	base, err := scene("steady")
	if err != nil {
		return nil, err
	}
	var all []*draft
	for _, odd := range oddObjects {
		c, err := clusterOf(base.Objects)
		if err != nil {
			return nil, err
		}
		odd.change(c)
		objects, err := c.objects()
		if err != nil {
			return nil, err
		}
		snapshot, err := build(objects, base.request.GetSnapshot())
		if err != nil {
			return nil, fmt.Errorf("%s: %w", odd.name, err)
		}
		all = append(all, &draft{Vector: files.Vector{Name: "objects/" + odd.name, About: odd.about, Objects: objects},
			request: &setplanv1.PlanRequest{Snapshot: snapshot, Capabilities: base.request.GetCapabilities()}})
	}
	return all, nil
}
