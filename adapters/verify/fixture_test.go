package verify

import (
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"
	"time"

	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/types/known/timestamppb"

	setplanv1 "github.com/setplan/setplan/proto/setplan/v1"
)

// The fixture is a set of four with a drain policy: 0 and 1 run, 2 is an orphan to adopt, 3 is missing, 5 is drained, 6 is
// still to be drained. There is at least one honest action for each operation.

const (
	podTemplate = `{"metadata":{"labels":{"app":"web"},"annotations":{"a":"b"}},"spec":{"serviceAccountName":"web",
"containers":[{"name":"main","image":"main:2","args":["\"quoted\""],"resources":{"limits":{"cpu":2.0}}}],"volumes":[{"name":"tmp","emptyDir":{}}]}}`
	oldTemplate   = `{"metadata":{"labels":{"app":"web"}},"spec":{"$patch":"kept","containers":[{"name":"main","image":"main:1"}]},"$patch":"replace"}`
	drainTemplate = `{"metadata":{"labels":{"job":"drain"}},"spec":{"serviceAccountName":"drainer","containers":[{"name":"drain","image":"drain:1"}]}}`
	dataTemplate  = `{"metadata":{"name":"data","labels":{"tier":"db"}},"spec":{"resources":{"requests":{"storage":"1Gi"}}},"status":{"phase":"Pending"}}`

	ownerJSON = `[{"apiVersion":"apps/v1","kind":"StatefulSet","name":"web","uid":"set","controller":true,"blockOwnerDeletion":true}]`
	plainJSON = `[{"apiVersion":"apps/v1","kind":"StatefulSet","name":"web","uid":"set"}]`
	mark      = "web/set"
)

func reference(name, uid string, controller bool) *setplanv1.OwnerReference {
	return &setplanv1.OwnerReference{ApiVersion: "apps/v1", Kind: "StatefulSet", Name: name, Uid: uid, Controller: controller, BlockOwnerDeletion: controller}
}

// Indexes of the tables.
const (
	ours    = 1
	theirs  = 2
	oursToo = 3 // also with another owner that is no controller
	webs    = 1
	odd     = 2
	atOld   = 1
	atNew   = 2

	marked    = 1 // for the set's drain
	elsewhere = 2 // for another set's
	drains    = 3 // of a drain pod
)

func fixture() *setplanv1.Snapshot {
	replicas := int32(4)
	pod := func(name string, owners, labels, revision uint32) *setplanv1.Pod {
		return &setplanv1.Pod{Name: name, Uid: "uid-" + name, ResourceVersion: "1", OwnerSetIndex: owners, LabelSetIndex: labels, RevisionNameIndex: revision,
			PodNameLabel: true, PodIndexLabel: true}
	}
	drained := pod("web-5", 0, odd, 0)
	drained.AnnotationSetIndex, drained.Phase = drains, setplanv1.PodPhase_POD_PHASE_SUCCEEDED
	claim := func(name string, owners, notes uint32) *setplanv1.Claim {
		return &setplanv1.Claim{Name: name, Uid: "uid-" + name, ResourceVersion: "1", OwnerSetIndex: owners, AnnotationSetIndex: notes}
	}
	revision := func(name string, number int64, owners uint32, data string) *setplanv1.Revision {
		return &setplanv1.Revision{Name: name, Uid: "uid-" + name, ResourceVersion: "1", Number: number, OwnerSetIndex: owners,
			Labels: map[string]string{"app": "web"}, Data: []byte(data)}
	}
	patchOf := func(template string) string {
		return `{"spec":{"template":{"$patch":"replace",` + template[1:] + `}}`
	}
	return &setplanv1.Snapshot{
		Set: &setplanv1.StatefulSet{ApiVersion: "apps/v1", Kind: "StatefulSet", Namespace: "default", Name: "web", Uid: "set", Generation: 4,
			ResourceVersion: "70", Annotations: map[string]string{"note": "kept"}, Replicas: &replicas, ServiceName: "svc",
			Selector:    &setplanv1.LabelSelector{MatchLabels: map[string]string{"app": "web"}},
			PodTemplate: []byte(podTemplate), ClaimTemplates: [][]byte{[]byte(dataTemplate)},
			Status: &setplanv1.StatefulSetStatus{CurrentRevision: new("web-old")}},
		Pods: []*setplanv1.Pod{pod("web-0", ours, webs, atNew), pod("web-1", ours, webs, atOld), pod("web-2", 0, webs, atNew), drained,
			pod("web-7", ours, odd, atNew), pod("web-8", ours, webs, atNew), pod("web-9", theirs, webs, atNew)},
		Claims: []*setplanv1.Claim{claim("data-web-0", oursToo, marked), claim("data-web-1", 0, 0), claim("data-web-5", 0, marked), claim("data-web-6", 0, marked),
			claim("data-web-7", 0, elsewhere), claim("data-web-8", 0, marked)},
		Revisions: []*setplanv1.Revision{revision("web-old", 1, ours, `{"spec":{"template":`+oldTemplate+`}}`), revision("web-new", 3, ours, patchOf(podTemplate)),
			revision("web-orphan", 0, 0, patchOf(`{"spec":{}}`)), revision("web-unused", 2, ours, patchOf(podTemplate)), revision("web-theirs", 9, theirs, patchOf(podTemplate))},
		Tables: &setplanv1.Tables{
			OwnerSets: []*setplanv1.OwnerSet{{}, {Owners: []*setplanv1.OwnerReference{reference("web", "set", true)}},
				{Owners: []*setplanv1.OwnerReference{reference("other", "other", true)}},
				{Owners: []*setplanv1.OwnerReference{reference("web", "set", true), reference("other", "other", false)}}},
			LabelSets:     []*setplanv1.LabelSet{{}, {Labels: map[string]string{"app": "web"}}, {Labels: map[string]string{"app": "debug"}}},
			RevisionNames: []string{"", "web-old", "web-new"},
			AnnotationSets: []*setplanv1.AnnotationSet{{}, {Annotations: map[string]string{noteDrainSet: mark}},
				{Annotations: map[string]string{noteDrainSet: "b-web/other"}},
				{Annotations: map[string]string{noteDrainSet: mark, noteDrainClaims: "uid-data-web-5"}}},
		},
		Policy: &setplanv1.Policy{Drain: &setplanv1.DrainPolicy{PodTemplate: []byte(drainTemplate), OnDelete: proto.Bool(true)}},
	}
}

// following is a set whose claims follow their templates; the patch is YAML.
func following() *setplanv1.Snapshot {
	snapshot := fixture()
	snapshot.Set.Annotations[noteClaimTemplates] = `data:
  metadata: {labels: {tier: gold}, annotations: {plan: daily}}
  spec: {volumeAttributesClassName: gold, resources: {requests: {storage: 2Gi}}}
`
	return snapshot
}

// removing is a set that removes its second claim template, and whose newest revision says so.
func removing() *setplanv1.Snapshot {
	snapshot := fixture()
	snapshot.Set.Annotations[noteClaimTemplates] = `{"logs":null}`
	snapshot.Set.ClaimTemplates = append(snapshot.Set.ClaimTemplates, []byte(strings.Replace(dataTemplate, `"data"`, `"logs"`, 1)))
	snapshot.Revisions[1].Data = []byte(`{"setplan.io/claim-templates":{"logs":null},` + string(snapshot.Revisions[1].Data[1:]))
	return snapshot
}

// inPlace is a set whose pods are updated in place. Pod web-1 is at a revision that differs in labels, annotations, images and resources. Somebody has put
// another container into the pod.
func inPlace() *setplanv1.Snapshot {
	snapshot := fixture()
	snapshot.Set.Annotations[noteInPlace] = "InPlaceIfPossible"
	template := strings.NewReplacer(`"containers":[`, `"initContainers":[{"name":"proxy","image":"proxy:2","resources":{"requests":{"cpu":"200m"}}}],
"containers":[{"name":"helper","image":"helper:1"},`, `"limits":{"cpu":2.0}`, `"limits":{"cpu":2,"memory":"2Gi"},"requests":{"cpu":"500m"}`).Replace(podTemplate)
	old := strings.NewReplacer("main:2", "main:1", "proxy:2", "proxy:1", "2Gi", "1Gi", "500m", "250m", `"labels":{"app":"web"},"annotations":{"a":"b"}`,
		`"creationTimestamp":null,"labels":{"app":"web","tier":"gold"},"annotations":{"old":"1"}`).Replace(template)
	snapshot.Set.PodTemplate = []byte(template)
	for i, text := range []string{old, template} {
		snapshot.Revisions[i].Data = []byte(`{"spec":{"template":{"$patch":"replace",` + text[1:] + `}}`)
	}
	snapshot.Pods[1].Containers = &setplanv1.PodContainers{
		Containers:     []*setplanv1.Container{{Name: "helper", Image: "helper:1"}, {Name: "main", Image: "main:1"}, {Name: "mesh", Image: "mesh:7"}},
		InitContainers: []*setplanv1.Container{{Name: "proxy", Image: "proxy:1"}}}
	return snapshot
}

// toNew is a note of what is under way in pod web-1.
const toNew = `{"at":1772366400,"containers":{"main":{"id":"c://main","image":"sha256:main"}},"revision":"web-new","uid":"uid-web-1"}`

func images(pairs ...string) (list []*setplanv1.ContainerImage) {
	for i := 0; i < len(pairs); i += 2 {
		list = append(list, &setplanv1.ContainerImage{Name: pairs[i], Image: pairs[i+1]})
	}
	return list
}

// scene is an action in its stage, with the snapshot to check it against.
type scene struct {
	snapshot *setplanv1.Snapshot
	stage    *setplanv1.Stage
	action   *setplanv1.Action
	again    int // how often more the plan has the action
}

func act(kind, name string, version bool) *setplanv1.Action {
	a := &setplanv1.Action{Target: &setplanv1.Target{Kind: kind, Namespace: "default", Name: name}, Precondition: &setplanv1.Precondition{Uid: "uid-" + name}}
	if version {
		a.Precondition.ResourceVersion = "1"
	}
	return a
}

func fresh(kind, name string) *setplanv1.Action {
	return &setplanv1.Action{Target: &setplanv1.Target{Kind: kind, Namespace: "default", Name: name}, Precondition: &setplanv1.Precondition{MustNotExist: true}}
}

func onSet(version bool) *setplanv1.Action {
	a := act("StatefulSet", "web", false)
	a.Precondition.Uid = "set"
	if version {
		a.Precondition.ResourceVersion = "70"
	}
	return a
}

func podManifest(name, ordinal, revision, template string) []byte {
	var t map[string]map[string]any
	_ = json.Unmarshal([]byte(template), &t)
	delete(t["metadata"], "labels")
	annotations, _ := json.Marshal(t["metadata"]["annotations"])
	spec := t["spec"]
	spec["hostname"], spec["subdomain"] = name, "svc"
	others, _ := spec["volumes"].([]any)
	spec["volumes"] = append([]any{map[string]any{"name": "data", "persistentVolumeClaim": map[string]any{"claimName": "data-" + name}}}, others...)
	text, _ := json.Marshal(spec)
	return fmt.Appendf(nil, `{"apiVersion":"v1","kind":"Pod","metadata":{"generateName":"web-","name":%q,"namespace":"default","annotations":%s,"ownerReferences":%s,
"labels":{"app":"web","statefulset.kubernetes.io/pod-name":%[1]q,"apps.kubernetes.io/pod-index":%[4]q,"controller-revision-hash":%[5]q}},"spec":%[6]s}`,
		name, annotations, ownerJSON, ordinal, revision, text)
}

const drainManifest = `{"apiVersion":"v1","kind":"Pod","metadata":{"name":"web-6","namespace":"default","ownerReferences":` + plainJSON + `,
"annotations":{"setplan.io/drain-set":"web/set","setplan.io/drain-claims":"uid-data-web-6"},
"labels":{"job":"drain","statefulset.kubernetes.io/pod-name":"web-6","apps.kubernetes.io/pod-index":"6"}},
"spec":{"serviceAccountName":"drainer","containers":[{"name":"drain","image":"drain:1"}],"restartPolicy":"OnFailure","hostname":"web-6","subdomain":"svc",
"volumes":[{"name":"data","persistentVolumeClaim":{"claimName":"data-web-6"}}]}}`

const claimManifest = `{"apiVersion":"v1","kind":"PersistentVolumeClaim","metadata":{"name":"data-web-3","namespace":"default",
"labels":{"tier":"db","app":"web"},"annotations":{"setplan.io/drain-set":"web/set"}},"spec":{"resources":{"requests":{"storage":"1Gi"}}},"status":{"phase":"Pending"}}`

func revisionManifest(template string) []byte {
	var sorted any
	_ = json.Unmarshal([]byte(`{"$patch":"replace",`+template[1:]), &sorted)
	text, _ := json.Marshal(sorted)
	return []byte(`{"apiVersion":"apps/v1","kind":"ControllerRevision","metadata":{"name":"web-newer","namespace":"default","annotations":{"note":"kept"},
"labels":{"app":"web","controller.kubernetes.io/hash":"newer"},"ownerReferences":` + ownerJSON + `},
"data":{"spec":{"template":` + string(text) + `}},"revision":4}`)
}

// truths are honest actions, by name.
var truths = map[string]func() *scene{
	"create_pod": func() *scene {
		a := fresh("Pod", "web-3")
		a.Operation = &setplanv1.Action_CreatePod{CreatePod: &setplanv1.CreatePod{Manifest: podManifest("web-3", "3", "web-new", podTemplate)}}
		return &scene{action: a}
	},
	"create_pod at the current revision": func() *scene {
		a := fresh("Pod", "web-3")
		a.Operation = &setplanv1.Action_CreatePod{CreatePod: &setplanv1.CreatePod{Manifest: podManifest("web-3", "3", "web-old", oldTemplate)}}
		return &scene{action: a}
	},
	"create_pod for a drain": func() *scene {
		a := fresh("Pod", "web-6")
		a.Operation = &setplanv1.Action_CreatePod{CreatePod: &setplanv1.CreatePod{Manifest: []byte(drainManifest)}}
		return &scene{action: a}
	},
	"create_pod for a drain with its token": func() *scene {
		a, snapshot := fresh("Pod", "web-6"), fixture()
		snapshot.Policy.Drain.Proof = setplanv1.DrainProof_DRAIN_PROOF_TOKEN
		given := `"image":"drain:1","env":[{"name":"SETPLAN_DRAIN_TOKEN","value":"` + token(mark, "uid-data-web-6") + `"}]`
		a.Operation = &setplanv1.Action_CreatePod{CreatePod: &setplanv1.CreatePod{Manifest: []byte(strings.Replace(drainManifest, `"image":"drain:1"`, given, 1))}}
		return &scene{action: a, snapshot: snapshot}
	},
	"create_pod without a removed claim": func() *scene {
		a := fresh("Pod", "web-3")
		a.Operation = &setplanv1.Action_CreatePod{CreatePod: &setplanv1.CreatePod{Manifest: podManifest("web-3", "3", "web-new", podTemplate)}}
		return &scene{action: a, snapshot: removing()}
	},
	"create_pod for a drain without a removed claim": func() *scene {
		a := fresh("Pod", "web-6")
		a.Operation = &setplanv1.Action_CreatePod{CreatePod: &setplanv1.CreatePod{Manifest: []byte(drainManifest)}}
		return &scene{action: a, snapshot: removing()}
	},
	"delete_pod": func() *scene {
		a := act("Pod", "web-1", false)
		a.Operation = &setplanv1.Action_DeletePod{DeletePod: &setplanv1.DeletePod{}}
		return &scene{action: a}
	},
	"evict_pod": func() *scene {
		a := act("Pod", "web-1", false)
		a.Operation = &setplanv1.Action_EvictPod{EvictPod: &setplanv1.EvictPod{}}
		return &scene{action: a}
	},
	"delete_pod of a drain": func() *scene {
		a := act("Pod", "web-5", false)
		a.Operation = &setplanv1.Action_DeletePod{DeletePod: &setplanv1.DeletePod{}}
		return &scene{action: a}
	},
	"patch_pod": func() *scene {
		a := act("Pod", "web-1", true)
		a.Operation = &setplanv1.Action_PatchPod{PatchPod: &setplanv1.PatchPod{Labels: map[string]string{labelPodName: "web-1", labelPodIndex: "1"},
			Claims: []*setplanv1.ClaimBinding{{Volume: "data", Claim: "data-web-1"}}}}
		return &scene{action: a}
	},
	"update_pod": func() *scene {
		a := act("Pod", "web-1", true)
		a.Operation = &setplanv1.Action_UpdatePod{UpdatePod: &setplanv1.UpdatePod{Labels: map[string]string{"app": "web"}, RemoveLabels: []string{"tier"},
			Annotations: map[string]string{"a": "b", noteUpdate: toNew}, RemoveAnnotations: []string{"old"},
			Containers: images("helper", "helper:1", "main", "main:2", "mesh", "mesh:7"), InitContainers: images("proxy", "proxy:2")}}
		return &scene{action: a, snapshot: inPlace()}
	},
	"update_pod at its end": func() *scene { // the revision may be gone
		a := act("Pod", "web-1", true)
		a.Operation = &setplanv1.Action_UpdatePod{UpdatePod: &setplanv1.UpdatePod{Labels: map[string]string{labelRevision: "web-gone"}, Annotations: map[string]string{noteUpdate: "{}"}}}
		snapshot := fixture()
		snapshot.Set.OwnFields = []byte(`{"inPlace":"InPlaceOnly"}`)
		return &scene{action: a, snapshot: snapshot}
	},
	"resize_pod": func() *scene {
		a := act("Pod", "web-1", true)
		a.Operation = &setplanv1.Action_ResizePod{ResizePod: &setplanv1.ResizePod{
			Containers: []*setplanv1.ContainerResize{{Name: "helper"}, {Name: "main", Requests: map[string]string{"cpu": "500m", "memory": "2Gi"},
				Limits: map[string]string{"cpu": "2", "memory": "2Gi"}}, {Name: "mesh"}},
			InitContainers: []*setplanv1.ContainerResize{{Name: "proxy", Requests: map[string]string{"cpu": "200m"}}}}}
		return &scene{action: a, snapshot: inPlace()}
	},
	"patch_annotations: a pod's images will change": func() *scene {
		a := act("Pod", "web-1", true)
		a.Operation = &setplanv1.Action_PatchAnnotations{PatchAnnotations: &setplanv1.PatchAnnotations{Set: map[string]string{noteUpdate: "{}"}}}
		return &scene{action: a, snapshot: inPlace()}
	},
	"adopt_pod": func() *scene {
		a := act("Pod", "web-2", false)
		a.Operation = &setplanv1.Action_AdoptPod{AdoptPod: &setplanv1.AdoptPod{Owner: reference("web", "set", true)}}
		return &scene{action: a, stage: &setplanv1.Stage{RequiresLiveSet: true}}
	},
	"release_pod": func() *scene {
		a := act("Pod", "web-7", false)
		a.Operation = &setplanv1.Action_ReleasePod{ReleasePod: &setplanv1.ReleasePod{OwnerUid: "set"}}
		return &scene{action: a}
	},
	"create_claim": func() *scene {
		a := fresh("PersistentVolumeClaim", "data-web-3")
		a.Operation = &setplanv1.Action_CreateClaim{CreateClaim: &setplanv1.CreateClaim{Manifest: []byte(claimManifest)}}
		return &scene{action: a}
	},
	"create_claim with its patch": func() *scene {
		a := fresh("PersistentVolumeClaim", "data-web-3")
		manifest := strings.Replace(claimManifest, `"1Gi"`, `"2Gi"`, 1)
		manifest = strings.Replace(manifest, `"spec":{`, `"spec":{"volumeAttributesClassName":"gold",`, 1)
		manifest = strings.Replace(manifest, `"tier":"db"`, `"tier":"gold"`, 1)
		manifest = strings.Replace(manifest, `"annotations":{`, `"annotations":{"plan":"daily","setplan.io/claim-request":"2Gi","setplan.io/claim-metadata":"x",`, 1)
		a.Operation = &setplanv1.Action_CreateClaim{CreateClaim: &setplanv1.CreateClaim{Manifest: []byte(manifest)}}
		return &scene{action: a, snapshot: following()}
	},
	"patch_claim": func() *scene {
		a := act("PersistentVolumeClaim", "data-web-1", true)
		a.Operation = &setplanv1.Action_PatchClaim{PatchClaim: &setplanv1.PatchClaim{Request: "2Gi", AttributesClass: "gold", Labels: map[string]string{"tier": "gold"},
			Annotations: map[string]string{noteClaimRequest: "2Gi", noteClaimChanged: "2026-03-01T12:00:00Z", noteClaimMetadata: "x", "plan": "daily"}}}
		return &scene{action: a, snapshot: following()}
	},
	"patch_claim to another class": func() *scene {
		a := act("PersistentVolumeClaim", "data-web-1", true)
		a.Operation = &setplanv1.Action_PatchClaim{PatchClaim: &setplanv1.PatchClaim{AttributesClass: "gold",
			Annotations: map[string]string{noteClaimRequest: "2Gi", noteClaimChanged: "2026-03-01T12:00:00Z"}}}
		snapshot := following() // somebody has grown the claim
		snapshot.Tables.ClaimStorages, snapshot.Claims[1].StorageIndex = []*setplanv1.ClaimStorage{{}, {Request: "3000Mi"}}, 1
		return &scene{action: a, snapshot: snapshot}
	},
	"patch_claim by the policy": func() *scene {
		a := act("PersistentVolumeClaim", "data-web-1", true)
		a.Operation = &setplanv1.Action_PatchClaim{PatchClaim: &setplanv1.PatchClaim{Request: "1Gi", Labels: map[string]string{"tier": "db"}}}
		snapshot := fixture()
		snapshot.Set.OwnFields = []byte(`{"claimUpdatePolicy":"InPlaceOrRecreate"}`)
		return &scene{action: a, snapshot: snapshot}
	},
	"set_claim_owners": func() *scene {
		a := act("PersistentVolumeClaim", "data-web-0", true)
		a.Operation = &setplanv1.Action_SetClaimOwners{SetClaimOwners: &setplanv1.SetClaimOwners{Owners: []*setplanv1.OwnerReference{reference("other", "other", false)}}}
		return &scene{action: a}
	},
	"set_claim_owners under retention": func() *scene {
		s := &scene{snapshot: fixture(), action: act("PersistentVolumeClaim", "data-web-8", true)}
		s.snapshot.Policy, s.snapshot.Set.ClaimRetention = nil, &setplanv1.ClaimRetention{WhenScaled: "Delete", WhenDeleted: "Delete"}
		s.action.Operation = &setplanv1.Action_SetClaimOwners{SetClaimOwners: &setplanv1.SetClaimOwners{Owners: []*setplanv1.OwnerReference{
			{ApiVersion: "v1", Kind: "Pod", Name: "web-8", Uid: "uid-web-8", Controller: true, BlockOwnerDeletion: true}}}}
		return s
	},
	"set_claim_owners to the set": func() *scene {
		s := &scene{snapshot: fixture(), action: act("PersistentVolumeClaim", "data-web-1", true)}
		s.snapshot.Policy, s.snapshot.Set.ClaimRetention = nil, &setplanv1.ClaimRetention{WhenDeleted: "Delete"}
		s.action.Operation = &setplanv1.Action_SetClaimOwners{SetClaimOwners: &setplanv1.SetClaimOwners{Owners: []*setplanv1.OwnerReference{reference("web", "set", true)}}}
		return s
	},
	"create_revision": func() *scene {
		a := fresh("ControllerRevision", "web-newer")
		a.Operation = &setplanv1.Action_CreateRevision{CreateRevision: &setplanv1.CreateRevision{Manifest: revisionManifest(podTemplate)}}
		return &scene{action: a}
	},
	"create_revision that removes a claim": func() *scene {
		a := fresh("ControllerRevision", "web-newer")
		manifest := strings.Replace(string(revisionManifest(podTemplate)), `"data":{`, `"data":{"setplan.io/claim-templates":{"logs":null},`, 1)
		manifest = strings.Replace(manifest, `"note":"kept"`, `"note":"kept","setplan.io/claim-templates":"{\"logs\":null}"`, 1)
		a.Operation = &setplanv1.Action_CreateRevision{CreateRevision: &setplanv1.CreateRevision{Manifest: []byte(manifest)}}
		return &scene{action: a, snapshot: removing()}
	},
	"renumber_revision": func() *scene {
		a := act("ControllerRevision", "web-unused", true)
		a.Operation = &setplanv1.Action_RenumberRevision{RenumberRevision: &setplanv1.RenumberRevision{Number: 4}}
		return &scene{action: a}
	},
	"renumber_revision after the highest": func() *scene {
		a := act("ControllerRevision", "web-unused", true)
		a.Operation = &setplanv1.Action_RenumberRevision{RenumberRevision: &setplanv1.RenumberRevision{Number: math.MaxInt64}}
		s := &scene{action: a, snapshot: fixture()}
		s.snapshot.Revisions[1].Number = math.MaxInt64
		return s
	},
	"adopt_revision": func() *scene {
		a := act("ControllerRevision", "web-orphan", false)
		a.Operation = &setplanv1.Action_AdoptRevision{AdoptRevision: &setplanv1.AdoptRevision{Owner: reference("web", "set", true)}}
		return &scene{action: a, stage: &setplanv1.Stage{RequiresLiveSet: true}}
	},
	"delete_revision": func() *scene {
		a := act("ControllerRevision", "web-unused", false)
		a.Operation = &setplanv1.Action_DeleteRevision{DeleteRevision: &setplanv1.DeleteRevision{}}
		return &scene{action: a}
	},
	"update_status": func() *scene {
		a := onSet(true)
		a.Operation = &setplanv1.Action_UpdateStatus{UpdateStatus: &setplanv1.UpdateStatus{Status: &setplanv1.StatefulSetStatus{ObservedGeneration: new(int64(4)),
			Replicas: new(int32(7)), CurrentRevision: new("web-old"), UpdateRevision: new("web-new"), CollisionCount: new(int32(1)),
			Conditions: []*setplanv1.Condition{{Type: "Reconciling", Status: "True", Reason: "Updating", Message: "m", LastTransitionTime: timestamppb.New(time.Unix(1, 0))}}}}}
		return &scene{action: a}
	},
	"update_status of a set that cannot be planned": func() *scene { // the counters stay, whatever pods are there
		a, snapshot := onSet(true), fixture()
		snapshot.Set.Status.Replicas = new(int32(90))
		a.Operation = &setplanv1.Action_UpdateStatus{UpdateStatus: &setplanv1.UpdateStatus{Status: proto.CloneOf(snapshot.Set.Status)}}
		return &scene{action: a, snapshot: snapshot}
	},
	"update_status of a set with a long name": func() *scene {
		s := &scene{snapshot: fixture(), action: onSet(true)}
		s.snapshot.Set.Name = strings.Repeat("w", 60)
		s.action.Target.Name = s.snapshot.Set.Name
		s.action.Operation = &setplanv1.Action_UpdateStatus{UpdateStatus: &setplanv1.UpdateStatus{Status: &setplanv1.StatefulSetStatus{UpdateRevision: new(s.snapshot.Set.Name + "-4294967295")}}}
		return s
	},
	"patch_annotations: a drain pod has begun": func() *scene {
		a := act("PersistentVolumeClaim", "data-web-6", false)
		a.Operation = &setplanv1.Action_PatchAnnotations{PatchAnnotations: &setplanv1.PatchAnnotations{Set: map[string]string{noteDrainBegun: "2026-03-01T12:00:00Z"}}}
		snapshot := fixture()
		snapshot.Pods[3].CreatedUnixMs = time.Date(2026, 3, 1, 12, 0, 0, 5e8, time.UTC).UnixMilli()
		return &scene{action: a, snapshot: snapshot}
	},
	"patch_annotations of a pod": func() *scene {
		a := act("Pod", "web-1", false)
		a.Operation = &setplanv1.Action_PatchAnnotations{PatchAnnotations: &setplanv1.PatchAnnotations{Set: map[string]string{noteDrainRequest: "4-1z141z3"}, Remove: []string{noteDrainAnswer}}}
		return &scene{action: a}
	},
	"patch_annotations: a mark": func() *scene {
		a := act("PersistentVolumeClaim", "data-web-1", true)
		a.Operation = &setplanv1.Action_PatchAnnotations{PatchAnnotations: &setplanv1.PatchAnnotations{Set: map[string]string{noteDrainSet: mark}, Remove: []string{noteDrainBegun}}}
		return &scene{action: a}
	},
	"patch_annotations: a mark beside the controller that runs it": func() *scene {
		a := act("PersistentVolumeClaim", "data-web-5", true)
		a.Operation = &setplanv1.Action_PatchAnnotations{PatchAnnotations: &setplanv1.PatchAnnotations{Set: map[string]string{noteDrainSet: mark}}}
		snapshot := fixture()
		snapshot.Policy.Scope = setplanv1.Scope_SCOPE_DRAIN_ONLY
		return &scene{action: a, snapshot: snapshot}
	},
	"patch_annotations: an attempt": func() *scene {
		a := act("PersistentVolumeClaim", "data-web-6", false)
		a.Operation = &setplanv1.Action_PatchAnnotations{PatchAnnotations: &setplanv1.PatchAnnotations{Set: map[string]string{noteDrainAttempts: "1"}}}
		return &scene{action: a}
	},
	"delete_claim": func() *scene {
		a := act("PersistentVolumeClaim", "data-web-5", true)
		a.Operation = &setplanv1.Action_DeleteClaim{DeleteClaim: &setplanv1.DeleteClaim{}}
		return &scene{action: a}
	},
	"set_finalizer": func() *scene {
		a := onSet(false)
		a.Operation = &setplanv1.Action_SetFinalizer{SetFinalizer: &setplanv1.SetFinalizer{Finalizer: finalizerDrain, Present: true}}
		snapshot := fixture()
		snapshot.Claims[0].OwnerSetIndex = 0
		return &scene{action: a, snapshot: snapshot}
	},
}

// verdict runs a verifier with these checks.
func (s *scene) verdict(checks []check) error {
	if s.snapshot == nil {
		s.snapshot = fixture()
	}
	if s.stage == nil {
		s.stage = &setplanv1.Stage{}
	}
	stage := proto.CloneOf(s.stage)
	stage.Steps = []*setplanv1.Step{{Actions: slices.Repeat([]*setplanv1.Action{s.action}, 1+s.again)}}
	v := Against(s.snapshot)
	v.checks = checks
	return v.Stage(stage)
}

func TestTruths(t *testing.T) {
	members := (&setplanv1.Action{}).ProtoReflect().Descriptor().Oneofs().ByName("operation").Fields()
	missing := map[string]bool{}
	for i := range members.Len() {
		missing[string(members.Get(i).Name())] = true
	}
	for name, make := range truths {
		s := make()
		delete(missing, operationOf(s.action))
		if err := s.verdict(list); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
	for operation := range missing {
		t.Errorf("no true action is a %s, so no test shows that one can pass", operation)
	}
}
