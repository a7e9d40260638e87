package verify

import (
	"bytes"
	"strings"

	setplanv1 "github.com/setplan/setplan/proto/setplan/v1"
)

var lies = []lie{
	{"delete_pod", "an operation of tomorrow", "kind", func(s *scene) { s.action.Operation = nil }},
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
	{"adopt_pod", "a drain pod", "orphan", func(s *scene) {
		pointed("Pod", "web-5")(s)
		changed(func(s *setplanv1.Snapshot) { s.Pods[3].LabelSetIndex = webs })(s)
	}},
	{"adopt_revision", "one that is controlled", "orphan", pointed("ControllerRevision", "web-old")},
	{"adopt_pod", "for another set", "adopter", func(s *scene) { s.action.GetAdoptPod().Owner = reference("db", "db", true) }},
	{"adopt_revision", "not as the controller", "adopter", func(s *scene) { s.action.GetAdoptRevision().Owner.Controller = false }},
	{"adopt_pod", "without a look", "orphan", func(s *scene) { s.stage.RequiresLiveSet = false }},
	{"adopt_revision", "of a set that goes", "orphan", changed(func(s *setplanv1.Snapshot) { s.Set.DeletionUnixMs = 1 })},
	{"release_pod", "from another owner", "adopter", func(s *scene) { s.action.GetReleasePod().OwnerUid = "other" }},

	{"patch_pod", "a label of the selector", "pod-labels", func(s *scene) { s.action.GetPatchPod().Labels["app"] = "debug" }},
	{"patch_pod", "another's name", "pod-labels", func(s *scene) { s.action.GetPatchPod().Labels[labelPodName] = "web-0" }},
	{"patch_pod", "another's claim", "pod-labels", func(s *scene) { s.action.GetPatchPod().Claims[0].Claim = "data-web-0" }},
	{"update_pod", "no version", "version", func(s *scene) { s.action.Precondition.ResourceVersion = "" }},
	{"update_pod", "nobody asks", "in-place", changed(func(s *setplanv1.Snapshot) { delete(s.Set.Annotations, noteInPlace) })},
	{"update_pod", "the set wants pods recreated", "in-place", changed(func(s *setplanv1.Snapshot) { s.Set.Annotations[noteInPlace] = "Recreate" })},
	{"update_pod at its end", "the field wants pods recreated", "in-place", changed(func(s *setplanv1.Snapshot) { s.Set.OwnFields = []byte(`{"inPlace":"Recreate"}`) })},
	{"update_pod", "a label of the identity", "in-place", func(s *scene) { s.action.GetUpdatePod().Labels[labelPodName] = "web-0" }},
	{"update_pod", "a label of the selector", "in-place", func(s *scene) { s.action.GetUpdatePod().Labels["app"] = "debug" }},
	{"update_pod", "a label that every template has", "in-place", func(s *scene) {
		s.snapshot.Revisions, s.action.GetUpdatePod().RemoveLabels = s.snapshot.Revisions[:2], []string{"app"}
	}},
	{"update_pod", "the note of what is under way as a label", "in-place", func(s *scene) { s.action.GetUpdatePod().Labels[noteUpdate] = "x" }},
	{"update_pod", "another value", "in-place", func(s *scene) { s.action.GetUpdatePod().Annotations["a"] = "c" }},
	{"update_pod", "without an annotation of somebody's", "in-place", func(s *scene) { s.action.GetUpdatePod().RemoveAnnotations = []string{"theirs"} }},
	{"update_pod", "a mark of a drain that a template has", "in-place", func(s *scene) {
		s.snapshot.Revisions[1].Data = bytes.Replace(s.snapshot.Revisions[1].Data, []byte(`"a":"b"`), []byte(`"setplan.io/drain-set":"web/set"`), 1)
		s.action.GetUpdatePod().Annotations[noteDrainSet] = mark
	}},
	{"update_pod", "without the answer to a drain that a template has", "in-place", func(s *scene) {
		s.snapshot.Revisions[1].Data = bytes.Replace(s.snapshot.Revisions[1].Data, []byte(`"a":"b"`), []byte(`"setplan.io/drain-answer":"q"`), 1)
		s.action.GetUpdatePod().RemoveAnnotations = []string{noteDrainAnswer}
	}},
	{"update_pod", "an image that no template has", "in-place", func(s *scene) { s.action.GetUpdatePod().Containers[1].Image = "evil:1" }},
	{"update_pod", "an image of another container", "in-place", func(s *scene) { s.action.GetUpdatePod().Containers[2].Image = "main:2" }},
	{"update_pod", "an image of an init container", "in-place", func(s *scene) { s.action.GetUpdatePod().InitContainers[0].Image = "evil:1" }},
	{"update_pod", "no image", "in-place", func(s *scene) { s.action.GetUpdatePod().Containers[1].Image = "" }},
	{"update_pod", "what ran, without end", "in-place", func(s *scene) { s.action.GetUpdatePod().Annotations[noteUpdate] = strings.Repeat("x", 5*longestNote+1) }},
	{"resize_pod", "another set's", "own-pod", pointed("Pod", "web-9")},
	{"resize_pod", "no version", "version", func(s *scene) { s.action.Precondition.ResourceVersion = "" }},
	{"resize_pod", "beside the controller that runs it", "alone", changed(func(s *setplanv1.Snapshot) { s.Policy.Scope = setplanv1.Scope_SCOPE_DRAIN_ONLY })},
	{"resize_pod", "nobody asks", "in-place", changed(func(s *setplanv1.Snapshot) { delete(s.Set.Annotations, noteInPlace) })},
	{"resize_pod", "more than a template asks for", "in-place", func(s *scene) { s.action.GetResizePod().Containers[1].Limits["memory"] = "4Gi" }},
	{"resize_pod", "a limit as the request", "in-place", func(s *scene) { s.action.GetResizePod().Containers[1].Requests["cpu"] = "2" }},
	{"resize_pod", "a request of nothing", "in-place", func(s *scene) { s.action.GetResizePod().Containers[1].Requests["memory"] = "" }},
	{"resize_pod", "another resource", "in-place", func(s *scene) { s.action.GetResizePod().Containers[1].Limits["nvidia.com/gpu"] = "2" }},
	{"resize_pod", "of a container of nobody's", "in-place", func(s *scene) { s.action.GetResizePod().Containers[2].Limits = map[string]string{"cpu": "2"} }},
	{"patch_annotations: a pod's images will change", "another set's", "own-pod", pointed("Pod", "web-9")},
	{"patch_annotations: a pod's images will change", "something is under way", "notes", annotated(noteUpdate, toNew)},
	{"patch_annotations: a pod's images will change", "nobody can read it", "notes", annotated(noteUpdate, "")},
	{"patch_annotations: a pod's images will change", "and a question of a drain", "notes", annotated(noteDrainRequest, "q")},
	{"patch_annotations of a pod", "the answer", "notes", annotated(noteDrainAnswer, "q")},
	{"patch_annotations of a pod", "a drain pod's mark", "notes", annotated(noteDrainSet, mark)},
	{"patch_annotations: an attempt", "a stranger's annotation", "notes", annotated("volume.kubernetes.io/selected-node", "n")},
	{"patch_annotations: an attempt", "a stranger's annotation removed", "notes", func(s *scene) { s.action.GetPatchAnnotations().Remove = []string{"x"} }},
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
	{"patch_annotations: an attempt", "in the range", "mark", pointed("PersistentVolumeClaim", "data-web-0")},
	{"set_claim_owners", "of a claim of another name", "own-claim", func(s *scene) {
		changed(func(s *setplanv1.Snapshot) { s.Claims[0].Name = "stranger" })(s)
		s.action.Target.Name = "stranger"
	}},
	{"set_claim_owners", "another owner is lost", "owners-kept", owned()},
	{"set_claim_owners", "another owner is added", "owners-added", owned(reference("other", "other", false), reference("db", "db", false))},
	{"set_claim_owners to the set", "which goes", "owners-added", changed(func(s *setplanv1.Snapshot) { s.Set.DeletionUnixMs = 1 })},
	{"set_claim_owners to the set", "which retains", "owners-added", changed(func(s *setplanv1.Snapshot) { s.Set.ClaimRetention = nil })},
	{"set_claim_owners to the set", "an earlier one", "owners-added", func(s *scene) { s.action.GetSetClaimOwners().Owners[0].Uid = "earlier" }},
	{"set_claim_owners under retention", "an earlier pod", "owners-added", func(s *scene) { s.action.GetSetClaimOwners().Owners[0].Uid = "earlier" }},
	{"set_claim_owners under retention", "another pod", "owners-added", func(s *scene) {
		owner := s.action.GetSetClaimOwners().Owners[0]
		owner.Name, owner.Uid = "web-7", "uid-web-7"
	}},
	{"set_claim_owners to the set", "which another controller runs", "owners-added", changed(func(s *setplanv1.Snapshot) {
		s.Policy = &setplanv1.Policy{Scope: setplanv1.Scope_SCOPE_DRAIN_ONLY, Drain: &setplanv1.DrainPolicy{PodTemplate: []byte(drainTemplate)}}
	})},
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
	{"patch_claim by the policy", "with another label", "claim-change", func(s *scene) { s.action.GetPatchClaim().Labels["tier"] = "gold" }},
	{"patch_claim by the policy", "with the selector's label", "claim-change", func(s *scene) {
		s.snapshot.Set.ClaimTemplates[0] = []byte(strings.Replace(dataTemplate, `"tier":"db"`, `"tier":"db","app":"web"`, 1))
		s.action.GetPatchClaim().Labels["app"] = "web"
	}},
	{"patch_claim", "somebody else's", "claim-change", changed(func(s *setplanv1.Snapshot) { s.Claims[1].OwnerSetIndex = theirs })},
	{"patch_claim", "another set's as well", "claim-change", changed(neighbour)},
	{"patch_claim", "far too much", "claim-change", func(s *scene) { s.action.GetPatchClaim().Request = "900Ti" }},
	{"patch_claim", "less", "claim-change", func(s *scene) { s.action.GetPatchClaim().Request = "1Gi" }},
	{"patch_claim", "another class", "claim-change", func(s *scene) { s.action.GetPatchClaim().AttributesClass = "platinum" }},
	{"patch_claim", "another label", "claim-change", func(s *scene) { s.action.GetPatchClaim().Labels["app"] = "db" }},
	{"patch_claim", "another annotation", "claim-change", func(s *scene) { s.action.GetPatchClaim().Annotations["pv.kubernetes.io/bind-completed"] = "no" }},
	{"patch_claim", "a mark of a drain", "claim-change", func(s *scene) { s.action.GetPatchClaim().Annotations[noteDrainSet] = mark }},
	{"patch_claim", "a request that was not asked for", "claim-change", func(s *scene) { s.action.GetPatchClaim().Annotations[noteClaimRequest] = "5Gi" }},
	{"patch_claim", "a time that is none", "claim-change", func(s *scene) { s.action.GetPatchClaim().Annotations[noteClaimChanged] = "soon" }},
	{"patch_claim", "a digest that is a long text", "claim-change", func(s *scene) { s.action.GetPatchClaim().Annotations[noteClaimMetadata] = strings.Repeat("x", 14) }},
	{"create_claim with its patch", "more", "claim", put("spec/resources/requests/storage", "900Ti")},
	{"create_claim with its patch", "another request", "claim", put("metadata/annotations/setplan.io~claim-request", "5Gi")},
	{"update_status", "no status", "status", func(s *scene) { s.action.GetUpdateStatus().Status = nil }},
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
	{"create_pod", "outside the range", "made", changed(func(s *setplanv1.Snapshot) { *s.Set.Replicas = 3 })},
	{"create_pod for a drain", "in the range", "drain-claims", changed(func(s *setplanv1.Snapshot) { *s.Set.Replicas = 7 })},
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
	{"create_pod for a drain", "another image", "spec", edit(func(m map[string]any) { container(m)["image"] = "evil:1" })},
	{"create_pod for a drain", "it never ends", "spec", put("spec/restartPolicy", "Always")},
	{"create_pod", "another host name", "spec", put("spec/hostname", "web-0")},
	{"create_pod", "another subdomain", "spec", put("spec/subdomain", "db")},
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
	{"create_claim", "outside the range", "made", changed(func(s *setplanv1.Snapshot) { *s.Set.Replicas = 3 })},
	{"create_claim", "another storage class", "claim", put("spec/storageClassName", "x")},
	{"create_claim", "another volume", "claim", put("spec/volumeName", "x")},
	{"create_claim", "an owner", "claim", put("metadata/ownerReferences", []any{})},
	{"create_claim", "another label", "claim", put("metadata/labels/x", "y")},
	{"create_claim", "a mark without a policy", "claim", changed(func(s *setplanv1.Snapshot) { s.Policy = nil })},
	{"create_claim", "another mark", "claim", put("metadata/annotations/setplan.io~drain-set", "b-web/other")},
	{"create_revision", "another set's name", "made", func(s *scene) {
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
}
