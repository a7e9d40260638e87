package verify

import (
	"bytes"
	"slices"
	"strings"

	setplanv1 "github.com/setplan/setplan/proto/setplan/v1"
)

var lies = []lie{
	{"delete_pod", "an operation of tomorrow", "operation", func(s *scene) { s.action.Operation = nil }},
	{"delete_pod", "of a claim", "kind", pointed("PersistentVolumeClaim", "data-web-1")},
	{"update_status", "of a pod", "kind", func(s *scene) {
		pointed("Pod", "web-1")(s)
		s.action.Precondition.ResourceVersion = "1"
	}},
	{"create_pod", "a claim", "kind", func(s *scene) { s.action.Target.Kind = "PersistentVolumeClaim" }},
	{"delete_pod", "elsewhere", "namespace", func(s *scene) { s.action.Target.Namespace = "kube-system" }},
	{"create_revision", "path", "name", func(s *scene) {
		s.action.Target.Name = "web-../x"
		put("metadata/name", "web-../x")(s)
	}},
	{"delete_pod", "path", "name", func(s *scene) { s.action.Target.Name = "../x" }},
	{"delete_pod", "no name", "name", func(s *scene) { s.action.Target.Name = "" }},
	{"create_pod", "over what is there", "must-not-exist", func(s *scene) { s.action.Precondition.MustNotExist = false }},
	{"delete_pod", "no uid", "uid", func(s *scene) { s.action.Precondition.Uid = "" }},
	{"delete_claim", "no uid", "uid", func(s *scene) { s.action.Precondition.Uid = "" }},
	{"delete_pod", "another uid", "uid", func(s *scene) { s.action.Precondition.Uid = "uid-web-9" }},
	{"update_status", "another set", "uid", func(s *scene) { s.action.Target.Name = "db" }},
	{"set_finalizer", "another set's uid", "uid", func(s *scene) { s.action.Precondition.Uid = "db" }},
	{"delete_claim", "no version", "version", func(s *scene) { s.action.Precondition.ResourceVersion = "" }},
	{"update_status", "no version", "version", func(s *scene) { s.action.Precondition.ResourceVersion = "" }},
	{"patch_annotations: a mark", "no version", "version", func(s *scene) { s.action.Precondition.ResourceVersion = "" }},
	{"delete_pod", "another version", "version", func(s *scene) { s.action.Precondition.ResourceVersion = "2" }},
	{"create_pod", "no JSON", "manifest", func(s *scene) { s.action.GetCreatePod().Manifest = []byte("{") }},
	{"create_pod", "a key twice", "manifest", func(s *scene) {
		m := s.action.GetCreatePod()
		m.Manifest = []byte(strings.Replace(string(m.Manifest), `"spec":`, `"spec":{"hostNetwork":true},"spec":`, 1))
	}},
	{"create_pod", "too deep", "manifest", func(s *scene) {
		s.action.GetCreatePod().Manifest = []byte(strings.Repeat("[", 1000) + strings.Repeat("]", 1000))
	}},
	{"create_pod", "too many values", "manifest", func(s *scene) {
		s.action.GetCreatePod().Manifest = []byte("[" + strings.Repeat("0,", maxValues) + "0]")
	}},
	{"create_pod", "too large", "manifest", func(s *scene) {
		s.action.GetCreatePod().Manifest = append(s.action.GetCreatePod().Manifest, strings.Repeat(" ", maxDocument)...)
	}},
	{"delete_pod", "beside the controller that runs it", "alone", changed(func(s *setplanv1.Snapshot) { s.Policy.Scope = setplanv1.Scope_SCOPE_DRAIN_ONLY })},
	{"set_claim_owners to the set", "beside the controller that runs it", "alone", changed(func(s *setplanv1.Snapshot) { s.Policy = &setplanv1.Policy{Scope: setplanv1.Scope_SCOPE_DRAIN_ONLY} })},
	{"create_pod", "beside the controller that runs it", "alone", changed(func(s *setplanv1.Snapshot) { s.Policy.Scope = setplanv1.Scope_SCOPE_DRAIN_ONLY })},

	{"delete_pod", "another set's", "own-pod", pointed("Pod", "web-9")},
	{"patch_annotations of a pod", "a drain pod", "own-pod", pointed("Pod", "web-5")},
	{"delete_pod of a drain", "of another set", "own-pod", changed(func(s *setplanv1.Snapshot) { s.Pods[3].AnnotationSetIndex = elsewhere })},
	{"evict_pod", "of a claim", "kind", pointed("PersistentVolumeClaim", "data-web-1")},
	{"evict_pod", "no uid", "uid", func(s *scene) { s.action.Precondition.Uid = "" }},
	{"evict_pod", "another version", "version", func(s *scene) { s.action.Precondition.ResourceVersion = "2" }},
	{"evict_pod", "beside the controller that runs it", "alone", changed(func(s *setplanv1.Snapshot) { s.Policy.Scope = setplanv1.Scope_SCOPE_DRAIN_ONLY })},
	{"evict_pod", "another set's", "own-pod", pointed("Pod", "web-9")},
	{"evict_pod", "a drain pod, which no budget counts", "own-pod", pointed("Pod", "web-5")},
	{"delete_revision", "another set's", "own-revision", pointed("ControllerRevision", "web-theirs")},
	{"delete_revision", "labels of another set", "own-revision", changed(func(s *setplanv1.Snapshot) { s.Revisions[3].Labels = nil })},
	{"patch_annotations: a mark", "another name", "own-claim", func(s *scene) {
		changed(func(s *setplanv1.Snapshot) { s.Claims[1].Name = "stranger" })(s)
		s.action.Target.Name = "stranger"
	}},
	{"adopt_pod", "one that is controlled", "orphan", pointed("Pod", "web-1")},
	{"adopt_pod", "one that is going", "orphan", changed(func(s *setplanv1.Snapshot) { s.Pods[2].DeletionUnixMs = 1 })},
	{"adopt_revision", "one that is controlled", "orphan", pointed("ControllerRevision", "web-old")},
	{"adopt_pod", "for another set", "adopter", func(s *scene) { s.action.GetAdoptPod().Owner = reference("db", "db", true) }},
	{"adopt_revision", "not as the controller", "adopter", func(s *scene) { s.action.GetAdoptRevision().Owner.Controller = false }},
	{"adopt_pod", "without a look", "live-set", func(s *scene) { s.stage.RequiresLiveSet = false }},
	{"adopt_revision", "of a set that goes", "live-set", changed(func(s *setplanv1.Snapshot) { s.Set.DeletionUnixMs = 1 })},
	{"release_pod", "one that matches", "release", pointed("Pod", "web-1")},
	{"release_pod", "from another owner", "release", func(s *scene) { s.action.GetReleasePod().OwnerUid = "other" }},

	{"patch_pod", "a label of the selector", "pod-labels", func(s *scene) { s.action.GetPatchPod().Labels["app"] = "debug" }},
	{"patch_pod", "another's name", "pod-labels", func(s *scene) { s.action.GetPatchPod().Labels[labelPodName] = "web-0" }},
	{"patch_pod", "another's claim", "pod-volumes", func(s *scene) { s.action.GetPatchPod().Claims[0].Claim = "data-web-0" }},
	{"update_pod", "no version", "version", func(s *scene) { s.action.Precondition.ResourceVersion = "" }},
	{"update_pod", "nobody asks", "pod-update", changed(func(s *setplanv1.Snapshot) { delete(s.Set.Annotations, noteInPlace) })},
	{"update_pod", "the set wants pods recreated", "pod-update", changed(func(s *setplanv1.Snapshot) { s.Set.Annotations[noteInPlace] = "Recreate" })},
	{"update_pod", "of a set that goes", "pod-update", changed(func(s *setplanv1.Snapshot) { s.Set.DeletionUnixMs = 1 })},
	{"update_pod", "outside the range", "pod-update", changed(func(s *setplanv1.Snapshot) { *s.Set.Replicas = 1 })},
	{"update_pod", "no revision", "pod-update", func(s *scene) { delete(s.action.GetUpdatePod().Labels, labelRevision) }},
	{"update_pod", "a revision that nobody has", "pod-update", func(s *scene) { s.action.GetUpdatePod().Labels[labelRevision] = "web-newest" }},
	{"update_pod", "from a revision that is gone", "pod-update", changed(func(s *setplanv1.Snapshot) { s.Revisions = s.Revisions[1:] })},
	{"update_pod", "from a revision that nobody can read", "pod-update", changed(func(s *setplanv1.Snapshot) { s.Revisions[0].Data = []byte("{") })},
	{"update_pod", "to another image, at once", "pod-images", changed(func(s *setplanv1.Snapshot) {
		s.Revisions[0].Data = bytes.Replace(s.Revisions[0].Data, []byte("main:2"), []byte("main:1"), 1)
	})},
	{"update_pod", "a label of the identity", "pod-update", func(s *scene) { s.action.GetUpdatePod().Labels[labelPodName] = "web-0" }},
	{"update_pod", "a label of the selector", "pod-update", func(s *scene) { s.action.GetUpdatePod().Labels["app"] = "debug" }},
	{"update_pod", "a label that stays", "pod-update", func(s *scene) {
		s.action.GetUpdatePod().RemoveLabels = append(s.action.GetUpdatePod().RemoveLabels, "app")
	}},
	{"update_pod", "another value", "pod-update", func(s *scene) { s.action.GetUpdatePod().Annotations["a"] = "c" }},
	{"update_pod", "an annotation of nobody's", "pod-update", func(s *scene) {
		s.action.GetUpdatePod().RemoveAnnotations = append(s.action.GetUpdatePod().RemoveAnnotations, "theirs")
	}},
	{"update_pod", "a mark of a drain", "pod-update", func(s *scene) { s.action.GetUpdatePod().Annotations[noteDrainSet] = mark }},
	{"update_pod", "a mark of a drain that the template has", "pod-update", func(s *scene) {
		s.snapshot = inPlace()
		s.snapshot.Set.PodTemplate = []byte(strings.Replace(podTemplate, `"a":"b"`, `"a":"b","setplan.io/drain-set":"web/set"`, 1))
		s.snapshot.Revisions[1].Data = []byte(`{"spec":{"template":` + string(s.snapshot.Set.PodTemplate) + `}}`)
		s.action.GetUpdatePod().Annotations[noteDrainSet] = mark
	}},
	{"update_pod", "the answer to a drain that the template had", "pod-update", func(s *scene) {
		s.snapshot = inPlace()
		s.snapshot.Revisions[0].Data = bytes.Replace(s.snapshot.Revisions[0].Data, []byte(`"old":"1"`), []byte(`"old":"1","setplan.io/drain-answer":"q"`), 1)
		s.action.GetUpdatePod().RemoveAnnotations = []string{"old", noteDrainAnswer}
	}},
	{"update_pod", "a claim template that the pod has is removed", "pod-update", func(s *scene) {
		s.snapshot = inPlace()
		s.snapshot.Set.Annotations[noteClaimTemplates] = `{"logs":null}`
		s.snapshot.Set.ClaimTemplates = append(s.snapshot.Set.ClaimTemplates, []byte(strings.Replace(claimTemplate, `"data"`, `"logs"`, 1)))
		s.snapshot.Revisions[1].Data = []byte(`{"setplan.io/claim-templates":{"logs":null},` + string(s.snapshot.Revisions[1].Data[1:]))
	}},
	{"update_pod by the field", "nobody asks", "pod-update", changed(func(s *setplanv1.Snapshot) { s.Set.OwnFields = []byte(`{"inPlace":"Recreate"}`) })},
	{"update_pod with images", "to a revision that nobody has", "pod-update", saying("web-new", "web-newest")},
	{"update_pod with images", "to no revision", "pod-update", saying(`"revision":"web-new"`, `"of":"web-new"`)},
	{"update_pod with images", "from a revision that nobody can read", "pod-update", changed(func(s *setplanv1.Snapshot) { s.Revisions[0].Data = []byte("{") })},
	{"update_pod with images", "an annotation of nobody's", "pod-update", func(s *scene) { s.action.GetUpdatePod().Annotations["theirs"] = "x" }},
	{"update_pod with images", "an image is removed", "pod-images", func(s *scene) {
		s.snapshot.Revisions[1].Data = bytes.Replace(s.snapshot.Revisions[1].Data, []byte(`"image":"main:2",`), nil, 1)
		s.action.GetUpdatePod().Containers[1].Image = ""
	}},
	{"update_pod with images", "that no revision has", "pod-images", func(s *scene) { s.action.GetUpdatePod().Containers[1].Image = "evil:1" }},
	{"update_pod with images", "another container's, too", "pod-images", func(s *scene) { s.action.GetUpdatePod().Containers[2].Image = "evil:1" }},
	{"update_pod with images", "of an init container, too", "pod-images", func(s *scene) { s.action.GetUpdatePod().InitContainers[0].Image = "evil:1" }},
	{"update_pod with images", "of a container by another name", "pod-images", func(s *scene) { s.action.GetUpdatePod().Containers[2].Name = "evil" }},
	{"update_pod with images", "in another order", "pod-images", func(s *scene) { slices.Reverse(s.action.GetUpdatePod().Containers) }},
	{"update_pod with images", "a container is left out", "pod-images", func(s *scene) {
		s.action.GetUpdatePod().Containers = s.action.GetUpdatePod().Containers[:2]
	}},
	{"update_pod with images", "one is left out", "pod-images", func(s *scene) { s.action.GetUpdatePod().Containers[1].Image = "main:1" }},
	{"update_pod with images", "the containers are left out", "pod-images", func(s *scene) { s.action.GetUpdatePod().Containers = nil }},
	{"update_pod with images", "the sidecar is left out", "pod-images", func(s *scene) { s.action.GetUpdatePod().InitContainers = nil }},
	{"update_pod with images", "of a container that the pod does not have", "pod-images", func(s *scene) {
		s.snapshot.Pods[1].Containers.Containers[1].Name, s.action.GetUpdatePod().Containers[1] = "other", images("other", "main:1")[0]
		saying(`"main":{"id":"c://main","image":"sha256:main"},`, "")(s)
	}},
	{"update_pod with images", "of a pod that does not show them", "pod-images", changed(func(s *setplanv1.Snapshot) { s.Pods[1].Containers = nil })},
	{"update_pod with images", "at no time", "pod-record", saying(`"at":1772366400,`, "")},
	{"update_pod with images", "at a time that is a text", "pod-record", saying("1772366400", `"1772366400"`)},
	{"update_pod with images", "at a time that never comes", "pod-record", saying("1772366400", "1e99")},
	{"update_pod with images", "nothing in it", "pod-record", saying(`"containers"`, `"seen":null,"of"`)},
	{"update_pod with images", "its keys in another order", "pod-record", saying(`"id":"c://main"`, `"id":"c://main","open":true`)},
	{"update_pod with images", "and something about what ran", "pod-record", saying(`"id":"c://main"`, `"id":"c://main","until":"now"`)},
	{"update_pod with images", "of another pod", "pod-record", saying("uid-web-1", "uid-web-2")},
	{"update_pod with images", "and something else", "pod-record", saying(`"revision"`, `"proven":true,"revision"`)},
	{"update_pod with images", "and of a container of nobody's", "pod-record", saying(`"proxy":{"id"`, `"other":{"id":"","image":""},"proxy":{"id"`)},
	{"update_pod with images", "what ran, without end", "pod-record", saying("sha256:main", strings.Repeat("x", 20000))},
	{"update_pod with images", "with the label of another revision", "pod-update", func(s *scene) {
		s.action.GetUpdatePod().Labels = map[string]string{labelRevision: "web-unused"}
	}},
	{"update_pod back to its label", "nothing is noted", "pod-update", func(s *scene) { s.action.GetUpdatePod().Annotations = nil }},
	{"update_pod with images", "though none differs", "pod-record", func(s *scene) {
		s.snapshot.Revisions[1].Data = []byte(strings.NewReplacer("main:2", "main:1", "proxy:2", "proxy:1").Replace(string(s.snapshot.Revisions[1].Data)))
		s.action.GetUpdatePod().Containers, s.action.GetUpdatePod().InitContainers = nil, nil
		s.action.GetUpdatePod().Annotations[noteUpdate] = `{"at":1,"containers":{},"revision":"web-new","uid":"uid-web-1"}`
	}},
	{"update_pod back to its label", "a text was open", "pod-record", saying(`"open":true`, `"open":"true"`)},
	{"update_pod that notes", "a label", "pod-update", func(s *scene) { s.action.GetUpdatePod().Labels = map[string]string{"tier": "gold"} }},
	{"update_pod that notes", "an image", "pod-images", func(s *scene) {
		s.action.GetUpdatePod().Containers = images("helper", "helper:1", "main", "evil:1", "mesh", "mesh:7")
	}},
	{"update_pod that notes", "that it has not seen", "pod-record", saying(`"seen":true`, `"seen":false`)},
	{"update_pod that notes", "containers in another order", "pod-record", saying(`"proxy"`, `"helper":{"id":"c://helper","image":"sha256:helper"},"proxy"`)},
	{"update_pod", "with an image", "pod-images", func(s *scene) { s.action.GetUpdatePod().Containers = images("main", "evil:1") }},
	{"update_pod at its end", "with another label", "pod-update", func(s *scene) { s.action.GetUpdatePod().Labels["app"] = "debug" }},
	{"update_pod at its end", "without an annotation of somebody's", "pod-update", func(s *scene) { s.action.GetUpdatePod().RemoveAnnotations = []string{"theirs"} }},
	{"update_pod at its end", "at another revision", "pod-images", func(s *scene) {
		s.snapshot.Revisions[3].Data = s.snapshot.Revisions[0].Data
		s.action.GetUpdatePod().Labels[labelRevision] = "web-unused"
	}},
	{"update_pod at its end", "without its label", "pod-images", func(s *scene) { s.action.GetUpdatePod().Labels = nil }},
	{"update_pod at its end", "with an image", "pod-images", func(s *scene) { s.action.GetUpdatePod().InitContainers = images("first", "first:1", "proxy", "evil:1") }},
	{"patch_annotations: a pod's images will change", "no version", "version", func(s *scene) { s.action.Precondition.ResourceVersion = "" }},
	{"patch_annotations: a pod's images will change", "beside the controller that runs it", "alone", changed(func(s *setplanv1.Snapshot) { s.Policy.Scope = setplanv1.Scope_SCOPE_DRAIN_ONLY })},
	{"patch_annotations: a pod's images will change", "another set's", "own-pod", pointed("Pod", "web-9")},
	{"patch_annotations: a pod's images will change", "something is under way", "pod-notes", annotated(noteUpdate, toNew)},
	{"patch_annotations: a pod's images will change", "nobody can read it", "pod-notes", annotated(noteUpdate, "")},
	{"patch_annotations: a pod's images will change", "and a question of a drain", "pod-notes", annotated(noteDrainRequest, "q")},
	{"patch_annotations: a pod's images will change", "it is marked already", "pod-notes", func(s *scene) { s.snapshot = inPlaceImages(toNew) }},
	{"patch_annotations: a pod's images will change", "nobody asks", "pod-notes", changed(func(s *setplanv1.Snapshot) { delete(s.Set.Annotations, noteInPlace) })},
	{"patch_annotations: a pod's images will change", "outside the range", "pod-notes", changed(func(s *setplanv1.Snapshot) { *s.Set.Replicas = 1 })},
	{"patch_annotations of a pod", "the answer", "pod-notes", annotated(noteDrainAnswer, "q")},
	{"patch_annotations of a pod", "a drain pod's mark", "pod-notes", annotated(noteDrainSet, mark)},
	{"patch_annotations: an attempt", "a stranger's annotation", "claim-notes", annotated("volume.kubernetes.io/selected-node", "n")},
	{"patch_annotations: an attempt", "a stranger's annotation removed", "claim-notes", func(s *scene) { s.action.GetPatchAnnotations().Remove = []string{"x"} }},
	{"patch_annotations: a mark", "another set's", "mark", annotated(noteDrainSet, "b-web/other")},
	{"patch_annotations: a mark", "on another set's claim", "mark", pointed("PersistentVolumeClaim", "data-web-7")},
	{"patch_annotations: a mark", "without a policy", "mark", changed(func(s *setplanv1.Snapshot) { s.Policy = nil })},
	{"patch_annotations: a mark", "on what was left behind", "mark", func(s *scene) {
		changed(func(s *setplanv1.Snapshot) { s.Claims[1].Name = "data-web-4" })(s)
		s.action.Target.Name = "data-web-4"
	}},
	{"create_pod for a drain", "on another set's data", "drain-claims", changed(neighbour)},
	{"create_pod for a drain", "of what was left behind", "drain-claims", changed(func(s *setplanv1.Snapshot) { s.Claims[3].AnnotationSetIndex = 0 })},
	{"delete_pod", "of a set that leaves it", "own-pod", func(s *scene) {
		pointed("Pod", "web-2")(s)
		changed(func(s *setplanv1.Snapshot) { s.Set.DeletionUnixMs = 1 })(s)
	}},
	{"patch_annotations: an attempt", "in the range", "drain-begun", pointed("PersistentVolumeClaim", "data-web-0")},
	{"set_claim_owners", "another owner is lost", "owners-kept", owned()},
	{"set_claim_owners", "another owner is added", "owners-kept", owned(reference("other", "other", false), reference("db", "db", false))},
	{"set_claim_owners", "to the set, which drains", "owners-added", owned(reference("web", "set", true), reference("other", "other", false))},
	{"set_claim_owners to the set", "which goes", "owners-added", changed(func(s *setplanv1.Snapshot) { s.Set.DeletionUnixMs = 1 })},
	{"set_claim_owners to the set", "which retains", "owners-added", changed(func(s *setplanv1.Snapshot) { s.Set.ClaimRetention = nil })},
	{"set_claim_owners to the set", "an earlier one", "owners-added", func(s *scene) { s.action.GetSetClaimOwners().Owners[0].Uid = "earlier" }},
	{"set_claim_owners under retention", "an earlier pod", "owners-added", func(s *scene) { s.action.GetSetClaimOwners().Owners[0].Uid = "earlier" }},
	{"set_claim_owners under retention", "in the range", "owners-added", changed(func(s *setplanv1.Snapshot) { *s.Set.Replicas = 9 })},
	{"set_claim_owners under retention", "with a drain", "owners-added", changed(func(s *setplanv1.Snapshot) { s.Policy = fixture().Policy })},
	{"delete_claim", "no drain pod", "drained", changed(func(s *setplanv1.Snapshot) { s.Pods[3].AnnotationSetIndex = 0 })},
	{"delete_claim", "not yet", "drained", changed(func(s *setplanv1.Snapshot) { s.Pods[3].Phase = setplanv1.PodPhase_POD_PHASE_RUNNING })},
	{"delete_claim", "another claim's", "drained", changed(func(s *setplanv1.Snapshot) {
		s.Tables.AnnotationSets[drains].Annotations[noteDrainClaims] = "uid-data-web-6"
	})},
	{"delete_claim", "the pod is going", "drained", changed(func(s *setplanv1.Snapshot) { s.Pods[3].DeletionUnixMs = 1 })},
	{"delete_claim", "its kubelet stopped the pod", "drained", changed(func(s *setplanv1.Snapshot) { s.Pods[3].Disrupted = true })},
	{"delete_claim", "no token came back", "drained", changed(func(s *setplanv1.Snapshot) { s.Policy.Drain.Proof = setplanv1.DrainProof_DRAIN_PROOF_TOKEN })},
	{"create_pod for a drain", "no token", "spec", changed(func(s *setplanv1.Snapshot) { s.Policy.Drain.Proof = setplanv1.DrainProof_DRAIN_PROOF_TOKEN })},
	{"delete_claim", "another set's as well", "drained", changed(neighbour)},
	{"delete_claim", "no mark", "drained", changed(func(s *setplanv1.Snapshot) { s.Claims[2].AnnotationSetIndex = 0 })},
	{"delete_claim", "no policy", "drained", changed(func(s *setplanv1.Snapshot) { s.Policy = nil })},
	{"delete_claim", "a replica that says so", "drained", changed(func(s *setplanv1.Snapshot) { s.Pods[3].OwnerSetIndex = ours })},
	{"patch_claim", "no version", "version", func(s *scene) { s.action.Precondition.ResourceVersion = "" }},
	{"patch_claim", "nobody asks", "claim-change", changed(func(s *setplanv1.Snapshot) { delete(s.Set.Annotations, noteClaimTemplates) })},
	{"patch_claim by the policy", "with another label", "claim-change", func(s *scene) { s.action.GetPatchClaim().Labels["tier"] = "gold" }},
	{"patch_claim by the policy", "with the selector's label", "claim-change", func(s *scene) {
		s.snapshot.Set.ClaimTemplates[0] = []byte(strings.Replace(claimTemplate, `"tier":"db"`, `"tier":"db","app":"web"`, 1))
		s.action.GetPatchClaim().Labels["app"] = "web"
	}},
	{"patch_claim by the policy", "nobody asks", "claim-change", changed(func(s *setplanv1.Snapshot) { s.Set.OwnFields = []byte(`{"claimUpdatePolicy":"OnDelete"}`) })},
	{"patch_claim", "they stay as they were made", "claim-change", changed(func(s *setplanv1.Snapshot) { s.Set.Annotations[noteClaimPolicy] = "OnDelete" })},
	{"patch_claim", "of a set that goes", "claim-change", changed(func(s *setplanv1.Snapshot) { s.Set.DeletionUnixMs = 1 })},
	{"patch_claim", "outside the range", "claim-change", pointed("PersistentVolumeClaim", "data-web-5")},
	{"patch_claim", "the claim goes", "claim-change", changed(func(s *setplanv1.Snapshot) { s.Claims[1].DeletionUnixMs = 1 })},
	{"patch_claim", "somebody else's", "claim-change", changed(func(s *setplanv1.Snapshot) { s.Claims[1].OwnerSetIndex = theirs })},
	{"patch_claim", "another set's as well", "claim-change", changed(neighbour)},
	{"patch_claim", "far too much", "claim-change", func(s *scene) { s.action.GetPatchClaim().Request = "900Ti" }},
	{"patch_claim", "less", "claim-change", func(s *scene) { s.action.GetPatchClaim().Request = "1Gi" }},
	{"patch_claim", "another class", "claim-change", func(s *scene) { s.action.GetPatchClaim().AttributesClass = "platinum" }},
	{"patch_claim", "another label", "claim-change", func(s *scene) { s.action.GetPatchClaim().Labels["app"] = "db" }},
	{"patch_claim", "another annotation", "claim-change", func(s *scene) { s.action.GetPatchClaim().Annotations["pv.kubernetes.io/bind-completed"] = "no" }},
	{"patch_claim", "a mark of a drain", "claim-change", func(s *scene) { s.action.GetPatchClaim().Annotations[noteDrainSet] = mark }},
	{"patch_claim", "a request that was not asked for", "claim-change", func(s *scene) { s.action.GetPatchClaim().Annotations[noteClaimRequest] = "5Gi" }},
	{"patch_claim", "a note of a request that nobody makes", "claim-change", func(s *scene) {
		s.action.GetPatchClaim().Request = ""
		s.snapshot.Tables.ClaimStorages, s.snapshot.Claims[1].StorageIndex = []*setplanv1.ClaimStorage{{}, {Request: "1Gi"}}, 1
	}},
	{"patch_claim", "a time at which nothing was asked", "claim-change", func(s *scene) {
		s.action.GetPatchClaim().Request, s.action.GetPatchClaim().AttributesClass = "", ""
		delete(s.action.GetPatchClaim().Annotations, noteClaimRequest)
	}},
	{"patch_claim", "a time that is none", "claim-change", func(s *scene) { s.action.GetPatchClaim().Annotations[noteClaimChanged] = "soon" }},
	{"patch_claim", "a digest that is a long text", "claim-change", func(s *scene) { s.action.GetPatchClaim().Annotations[noteClaimMetadata] = strings.Repeat("x", 14) }},
	{"create_claim with its patch", "more", "claim", put("spec/resources/requests/storage", "900Ti")},
	{"create_claim with its patch", "another request", "claim", put("metadata/annotations/setplan.io~claim-request", "5Gi")},
	{"delete_revision", "a pod has it", "in-use", pointed("ControllerRevision", "web-new")},
	{"delete_revision", "a pod is on its way to it", "in-use", func(s *scene) { s.snapshot = inPlaceImages(strings.Replace(toNew, "web-new", "web-unused", 1)) }},
	{"delete_revision", "the current one", "in-use", changed(func(s *setplanv1.Snapshot) { s.Set.Status.CurrentRevision = new("web-unused") })},
	{"update_status", "of the future", "generation", func(s *scene) { s.action.GetUpdateStatus().Status.ObservedGeneration = new(int64(5)) }},
	{"update_status", "no status", "generation", func(s *scene) { s.action.GetUpdateStatus().Status = nil }},
	{"set_finalizer", "a claim belongs to the set", "undrained", changed(func(s *setplanv1.Snapshot) { s.Claims[0].OwnerSetIndex = ours })},
	{"delete_pod", "a claim belongs to it", "undrained", changed(func(s *setplanv1.Snapshot) {
		s.Tables.OwnerSets = append(s.Tables.OwnerSets, &setplanv1.OwnerSet{Owners: []*setplanv1.OwnerReference{{ApiVersion: "v1", Kind: "Pod", Name: "web-1", Uid: "uid-web-1"}}})
		s.Claims[1].OwnerSetIndex = uint32(len(s.Tables.OwnerSets) - 1)
	})},
	{"evict_pod", "a claim belongs to it", "undrained", changed(func(s *setplanv1.Snapshot) {
		s.Tables.OwnerSets = append(s.Tables.OwnerSets, &setplanv1.OwnerSet{Owners: []*setplanv1.OwnerReference{{ApiVersion: "v1", Kind: "Pod", Name: "web-1", Uid: "uid-web-1"}}})
		s.Claims[1].OwnerSetIndex = uint32(len(s.Tables.OwnerSets) - 1)
	})},
	{"set_finalizer", "another", "finalizer", func(s *scene) { s.action.GetSetFinalizer().Finalizer = "orphan" }},
	{"set_finalizer", "nobody asked", "finalizer", changed(func(s *setplanv1.Snapshot) { s.Policy.Drain.OnDelete = nil })},

	{"create_pod", "another name in it", "object", put("metadata/name", "web-4")},
	{"create_pod", "another namespace in it", "object", put("metadata/namespace", "kube-system")},
	{"create_pod", "another kind in it", "object", put("kind", "Secret")},
	{"create_pod", "a status", "object", put("status", map[string]any{"phase": "Running"})},
	{"create_pod", "another generateName", "metadata", put("metadata/generateName", "x-")},
	{"create_pod", "a finalizer", "metadata", put("metadata/finalizers", []any{"x"})},
	{"create_pod", "a deletion", "metadata", put("metadata/deletionGracePeriodSeconds", 0)},
	{"create_pod", "no owner", "owner", drop("metadata/ownerReferences")},
	{"create_pod", "another owner", "owner", edit(func(m map[string]any) {
		in(m, "metadata")["ownerReferences"].([]any)[0].(map[string]any)["uid"] = "other"
	})},
	{"create_pod", "two owners", "owner", edit(func(m map[string]any) {
		metadata := in(m, "metadata")
		metadata["ownerReferences"] = append(metadata["ownerReferences"].([]any), map[string]any{"uid": "other"})
	})},
	{"create_pod for a drain", "a namespace as its owner", "owner", put("metadata/ownerReferences", []any{map[string]any{"uid": "other"}})},
	{"create_pod for a drain", "no owner", "owner", drop("metadata/ownerReferences")},
	{"create_pod", "another label", "labels", put("metadata/labels/x", "y")},
	{"create_pod", "a label lost", "labels", drop("metadata/labels/app")},
	{"create_pod", "another's index", "labels", put("metadata/labels/apps.kubernetes.io~pod-index", "9")},
	{"create_pod for a drain", "the selector's labels", "labels", put("metadata/labels/app", "web")},
	{"create_revision", "another label", "labels", put("metadata/labels/x", "y")},
	{"create_pod", "another annotation", "annotations", put("metadata/annotations/x", "y")},
	{"create_pod for a drain", "another annotation", "annotations", put("metadata/annotations/x", "y")},
	{"create_revision", "another annotation", "annotations", put("metadata/annotations/note", "y")},
	{"create_pod", "outside the range", "pod-wanted", changed(func(s *setplanv1.Snapshot) { *s.Set.Replicas = 3 })},
	{"create_pod", "of a set that goes", "pod-wanted", changed(func(s *setplanv1.Snapshot) { s.Set.DeletionUnixMs = 1 })},
	{"create_pod for a drain", "in the range", "pod-wanted", changed(func(s *setplanv1.Snapshot) { *s.Set.Replicas = 7 })},
	{"create_pod at the current revision", "unknown", "pod-revision", func(s *scene) {
		changed(func(s *setplanv1.Snapshot) { s.Set.PodTemplate = []byte(oldTemplate) })(s)
		put("metadata/labels/controller-revision-hash", "web-gone")(s)
		put("spec/$patch", "kept")(s)
	}},
	{"create_pod for a drain", "another ordinal's claim", "drain-claims", put("metadata/annotations/setplan.io~drain-claims", "uid-data-web-6,uid-data-web-0")},
	{"create_pod for a drain", "no claim", "drain-claims", put("metadata/annotations/setplan.io~drain-claims", "")},
	{"create_pod", "another service account", "spec", put("spec/serviceAccountName", "admin")},
	{"create_pod", "the host's network", "spec", put("spec/hostNetwork", true)},
	{"create_pod", "a node", "spec", put("spec/nodeName", "n")},
	{"create_pod", "another image", "spec", edit(func(m map[string]any) { container(m)["image"] = "evil:1" })},
	{"create_pod", "privileged", "spec", edit(func(m map[string]any) { container(m)["securityContext"] = map[string]any{"privileged": true} })},
	{"create_pod", "another container", "spec", put("spec/initContainers", []any{map[string]any{"name": "evil"}})},
	{"create_pod", "a field lost", "spec", drop("spec/serviceAccountName")},
	{"create_pod", "a null of its own", "spec", put("spec/nodeSelector", nil)},
	{"create_pod", "the template under the old label", "annotations", put("metadata/labels/controller-revision-hash", "web-old")},
	{"create_pod at the current revision", "the old one under the new label", "spec", func(s *scene) {
		put("metadata/labels/controller-revision-hash", "web-new")(s)
		put("metadata/annotations/a", "b")(s)
	}},
	{"create_pod for a drain", "another image", "spec", edit(func(m map[string]any) { container(m)["image"] = "evil:1" })},
	{"create_pod for a drain", "it never ends", "spec", put("spec/restartPolicy", "Always")},
	{"create_pod", "another host name", "address", put("spec/hostname", "web-0")},
	{"create_pod", "another subdomain", "address", put("spec/subdomain", "db")},
	{"create_pod", "another's claim", "volumes", edit(func(m map[string]any) {
		in(m, "spec")["volumes"].([]any)[0].(map[string]any)["persistentVolumeClaim"] = map[string]any{"claimName": "data-db-0"}
	})},
	{"create_pod", "the host's files", "volumes", edit(func(m map[string]any) {
		spec := in(m, "spec")
		spec["volumes"] = append(spec["volumes"].([]any), map[string]any{"name": "host", "hostPath": map[string]any{"path": "/"}})
	})},
	{"create_pod", "another volume of the template", "volumes", edit(func(m map[string]any) {
		in(m, "spec")["volumes"].([]any)[1] = map[string]any{"name": "tmp", "hostPath": map[string]any{"path": "/"}}
	})},
	{"create_pod for a drain", "not the claim", "volumes", put("spec/volumes", []any{})},
	{"create_pod without a removed claim", "that its revision has", "volumes", changed(func(s *setplanv1.Snapshot) { s.Revisions[1].Data = fixture().Revisions[1].Data })},
	{"create_pod without a removed claim", "nor one that it has", "volumes", put("spec/volumes", []any{})},
	{"create_pod for a drain without a removed claim", "that is there", "volumes", changed(func(s *setplanv1.Snapshot) { s.Claims[4].Name = "logs-web-6" })},
	{"create_pod for a drain without a removed claim", "that nobody removes", "volumes", changed(func(s *setplanv1.Snapshot) {
		delete(s.Set.Annotations, noteClaimTemplates)
		s.Revisions[1].Data = fixture().Revisions[1].Data
	})},
	{"create_claim", "outside the range", "claim-wanted", changed(func(s *setplanv1.Snapshot) { *s.Set.Replicas = 3 })},
	{"create_claim", "of a set that goes", "claim-wanted", changed(func(s *setplanv1.Snapshot) { s.Set.DeletionUnixMs = 1 })},
	{"create_claim", "another storage class", "claim", put("spec/storageClassName", "x")},
	{"create_claim", "another volume", "claim", put("spec/volumeName", "x")},
	{"create_claim", "an owner", "claim", put("metadata/ownerReferences", []any{})},
	{"create_claim", "another label", "claim", put("metadata/labels/x", "y")},
	{"create_claim", "another mark", "claim", put("metadata/annotations/setplan.io~drain-set", "b-web/other")},
	{"create_revision", "another set's name", "revision-name", func(s *scene) {
		s.action.Target.Name = "db-newer"
		put("metadata/name", "db-newer")(s)
	}},
	{"create_revision", "another template", "revision-data", edit(func(m map[string]any) { in(m, "data", "spec", "template", "spec")["hostNetwork"] = true })},
	{"create_revision", "more than the template", "revision-data", put("data/spec/replicas", 9)},
	{"create_revision that removes a claim", "that the set keeps", "revision-data", put("data/setplan.io~claim-templates/data", nil)},
	{"create_revision that removes a claim", "and says what one is", "revision-data", put("data/setplan.io~claim-templates/logs", map[string]any{})},
	{"create_revision that removes a claim", "by no name", "revision-data", put("data/setplan.io~claim-templates", "logs")},
	{"create_revision", "no patch", "revision-data", drop("data/spec/template/$patch")},
	{"renumber_revision", "of another template", "revision-data", func(s *scene) {
		pointed("ControllerRevision", "web-old")(s)
	}},
	{"create_revision", "the last number of all", "revision-number", put("revision", int64(1)<<60)},
	{"renumber_revision", "a number back", "revision-number", func(s *scene) { s.action.GetRenumberRevision().Number = 1 }},
}
