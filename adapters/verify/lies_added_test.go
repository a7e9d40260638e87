package verify

import (
	"maps"
	"strconv"
	"strings"

	setplanv1 "github.com/setplan/setplan/proto/setplan/v1"
)

func init() {
	maps.Copy(truths, addedTruths)
	lies = append(lies, addedLies...)
}

const (
	wal      = `{"metadata":{"labels":{"tier":"log"}},"spec":{"accessModes":["ReadWriteOnce"],"resources":{"requests":{"storage":"5Gi"}}}}`
	walSmall = `{"spec":{"accessModes":["ReadWriteOnce"],"resources":{"requests":{"storage":"1Gi"}}}}`

	walManifest = `{"apiVersion":"v1","kind":"PersistentVolumeClaim","metadata":{"name":"wal-web-3","namespace":"default",
"labels":{"tier":"log","app":"web"},"annotations":{"setplan.io/drain-set":"web/set","setplan.io/claim-request":"5Gi","setplan.io/claim-metadata":"x"}},
"spec":{"accessModes":["ReadWriteOnce"],"resources":{"requests":{"storage":"5Gi"}}}}`
)

// adding is a set that adds the claim template wal, by YAML. Its newest revision has a smaller one. The ordinals 1 and 6 have such a claim.
func adding() *setplanv1.Snapshot {
	snapshot := fixture()
	snapshot.Set.Annotations[noteClaimTemplates] = "wal: " + wal + "\n"
	snapshot.Revisions[1].Data = []byte(`{"setplan.io/claim-templates":{"wal":` + walSmall + `},` + string(snapshot.Revisions[1].Data[1:]))
	for _, name := range []string{"wal-web-1", "wal-web-6"} {
		snapshot.Claims = append(snapshot.Claims, &setplanv1.Claim{Name: name, Uid: "uid-" + name, ResourceVersion: "1"})
	}
	snapshot.Claims[len(snapshot.Claims)-1].AnnotationSetIndex = 1 // it has the mark
	return snapshot
}

// stored is a set whose newest revision has wal, and that does not add it any more.
func stored() *setplanv1.Snapshot {
	snapshot := adding()
	delete(snapshot.Set.Annotations, noteClaimTemplates)
	return snapshot
}

// withWal puts the claim into the manifest of a pod.
func withWal(manifest, name string) string {
	const volume = `{"name":"data","persistentVolumeClaim":{"claimName":"data-`
	bound := volume + name + `"}}`
	return strings.Replace(manifest, bound, bound+","+strings.ReplaceAll(bound, "data", "wal"), 1)
}

// made is a create with a manifest.
func made(kind, name, manifest string, of *setplanv1.Snapshot) func() *scene {
	return func() *scene {
		a := fresh(kind, name)
		switch kind {
		case kindPod:
			a.Operation = &setplanv1.Action_CreatePod{CreatePod: &setplanv1.CreatePod{Manifest: []byte(manifest)}}
		case kindClaim:
			a.Operation = &setplanv1.Action_CreateClaim{CreateClaim: &setplanv1.CreateClaim{Manifest: []byte(manifest)}}
		default:
			a.Operation = &setplanv1.Action_CreateRevision{CreateRevision: &setplanv1.CreateRevision{Manifest: []byte(manifest)}}
		}
		return &scene{action: a, snapshot: of}
	}
}

// walRevision is the manifest of a revision whose pods have wal.
func walRevision(of *setplanv1.Snapshot, wal string) string {
	manifest := strings.Replace(string(revisionManifest(podTemplate)), `"data":{`, `"data":{"setplan.io/claim-templates":{"wal":`+wal+`},`, 1)
	if text := of.Set.Annotations[noteClaimTemplates]; text != "" {
		manifest = strings.Replace(manifest, `"note":"kept"`, `"note":"kept","setplan.io/claim-templates":`+strconv.Quote(text), 1)
	}
	return manifest
}

var addedTruths = map[string]func() *scene{
	"create_pod with an added claim": func() *scene {
		return made(kindPod, "web-3", withWal(string(podManifest("web-3", "3", "web-new", podTemplate)), "web-3"), adding())()
	},
	"create_pod without the added claim": func() *scene {
		s := made(kindPod, "web-3", string(podManifest("web-3", "3", "web-new", podTemplate)), adding())()
		s.snapshot.Revisions[1].Data = fixture().Revisions[1].Data
		return s
	},
	"create_pod for a drain with an added claim": func() *scene {
		return made(kindPod, "web-6", withWal(strings.Replace(drainManifest, `"uid-data-web-6"`, `"uid-data-web-6,uid-wal-web-6"`, 1), "web-6"), adding())()
	},
	"create_pod for a drain without an added claim": func() *scene {
		s := made(kindPod, "web-6", drainManifest, adding())()
		s.snapshot.Claims = s.snapshot.Claims[:len(s.snapshot.Claims)-1]
		return s
	},
	"create_pod for a drain without the claim of somebody else": func() *scene { return made(kindPod, "web-6", drainManifest, strange())() },
	"create_pod for a drain with a claim that the pod template asks for": func() *scene {
		s := made(kindPod, "web-6", withWal(strings.Replace(drainManifest, `"uid-data-web-6"`, `"uid-data-web-6,uid-wal-web-6"`, 1), "web-6"), strange())()
		s.snapshot.Set.PodTemplate = asksForWal(s.snapshot.Set.PodTemplate)
		return s
	},
	"patch_annotations: a mark of an added claim": func() *scene {
		a := act("PersistentVolumeClaim", "wal-web-1", true)
		a.Operation = &setplanv1.Action_PatchAnnotations{PatchAnnotations: &setplanv1.PatchAnnotations{Set: map[string]string{noteDrainSet: mark}}}
		s := adding()
		s.Set.PodTemplate = asksForWal(s.Set.PodTemplate)
		return &scene{action: a, snapshot: s}
	},
	"create_pod for a drain without a claim that only the annotation has": func() *scene {
		s := made(kindPod, "web-6", drainManifest, adding())()
		s.snapshot.Revisions[1].Data = fixture().Revisions[1].Data
		return s
	},
	"patch_claim that the pod template asks for": func() *scene {
		s := truths["patch_claim that is added"]()
		s.snapshot.Revisions[1].Data = fixture().Revisions[1].Data
		s.snapshot.Set.PodTemplate = asksForWal(s.snapshot.Set.PodTemplate)
		return s
	},
	"create_claim that is added": func() *scene { return made(kindClaim, "wal-web-3", walManifest, adding())() },
	"create_claim that was added": func() *scene {
		return made(kindClaim, "wal-web-3", strings.NewReplacer(`"tier":"log",`, "", `"5Gi"`, `"1Gi"`, `,"setplan.io/claim-request":"5Gi","setplan.io/claim-metadata":"x"`, "").Replace(walManifest), stored())()
	},
	"create_revision that adds a claim": func() *scene {
		return made(kindRevision, "web-newer", walRevision(adding(), wal), adding())()
	},
	"create_revision that keeps an added claim": func() *scene {
		return made(kindRevision, "web-newer", walRevision(stored(), walSmall), stored())()
	},
	"renumber_revision with an added claim": func() *scene {
		s := truths["renumber_revision"]()
		s.snapshot = adding()
		s.snapshot.Revisions[3].Data = []byte(strings.Replace(string(s.snapshot.Revisions[1].Data), "1Gi", "2Gi", 1))
		return s
	},
	"set_claim_owners of a claim that the pod template asks for": func() *scene {
		s := truths["set_claim_owners to the set"]()
		op := s.action.Operation
		s.action = act(kindClaim, "wal-web-1", true)
		s.action.Operation = op
		retention := s.snapshot.Set.ClaimRetention
		s.snapshot = adding()
		s.snapshot.Policy, s.snapshot.Set.ClaimRetention, s.snapshot.Set.PodTemplate = nil, retention, asksForWal(s.snapshot.Set.PodTemplate)
		return s
	},
	"patch_claim that is added": func() *scene {
		a := act(kindClaim, "wal-web-1", true)
		a.Operation = &setplanv1.Action_PatchClaim{PatchClaim: &setplanv1.PatchClaim{Request: "5Gi", Labels: map[string]string{"tier": "log"},
			Annotations: map[string]string{noteClaimRequest: "5Gi", noteClaimMetadata: "x"}}}
		return &scene{action: a, snapshot: adding()}
	},
	"patch_pod with an added claim": func() *scene {
		s := truths["patch_pod"]()
		s.snapshot = adding()
		s.action.GetPatchPod().Claims = []*setplanv1.ClaimBinding{{Volume: "wal", Claim: "wal-" + s.action.GetTarget().GetName()}}
		return s
	},
}

// strange is a set with a claim that is called like those of a template that a revision adds, and that no plan has marked.
func strange() *setplanv1.Snapshot {
	s := adding()
	s.Claims[len(s.Claims)-1].AnnotationSetIndex = 0
	return s
}

// forgets takes the claim template out of the annotation and out of the revisions.
func forgets(s *setplanv1.Snapshot) {
	delete(s.Set.Annotations, noteClaimTemplates)
	s.Revisions[1].Data = fixture().Revisions[1].Data
}

// asksForWal is a pod template that asks for the claim template.
func asksForWal(template []byte) []byte {
	return []byte(strings.Replace(string(template), `"volumes":[`, `"volumes":[{"name":"wal","persistentVolumeClaim":{"claimName":"wal"}},`, 1))
}

// saysNull says null of the claim template.
func saysNull(s *setplanv1.Snapshot) { s.Set.Annotations[noteClaimTemplates] = `{"wal":null}` }

// addedLies are those about claim templates that are added.
var addedLies = []lie{
	{"create_pod with an added claim", "that its revision does not have", "volumes", changed(func(s *setplanv1.Snapshot) { s.Revisions[1].Data = fixture().Revisions[1].Data })},
	{"create_pod with an added claim", "that nobody knows", "volumes", changed(forgets)},
	{"create_pod with an added claim", "of another ordinal", "volumes", edit(func(m map[string]any) {
		in(m, "spec")["volumes"].([]any)[1] = map[string]any{"name": "wal", "persistentVolumeClaim": map[string]any{"claimName": "wal-web-1"}}
	})},
	{"create_pod with an added claim", "before the set's own", "volumes", edit(func(m map[string]any) {
		volumes := in(m, "spec")["volumes"].([]any)
		volumes[0], volumes[1] = volumes[1], volumes[0]
	})},
	{"create_pod without the added claim", "that its revision has", "volumes", changed(func(s *setplanv1.Snapshot) { s.Revisions[1].Data = adding().Revisions[1].Data })},
	{"create_pod for a drain with an added claim", "of which nobody knows", "drain-claims", changed(forgets)},
	{"create_pod for a drain without an added claim", "that is there", "volumes", changed(func(s *setplanv1.Snapshot) { s.Claims = adding().Claims })},
	{"create_pod for a drain with an added claim", "of somebody else", "drain-claims", changed(func(s *setplanv1.Snapshot) { s.Claims = strange().Claims })},
	{"create_pod for a drain without the claim of somebody else", "that it says it drains", "drain-claims", put("metadata/annotations/setplan.io~drain-claims", "uid-data-web-6,uid-wal-web-6")},
	{"patch_annotations: a mark of an added claim", "that no pod has, and nobody asks for", "mark", changed(func(s *setplanv1.Snapshot) { s.Set.PodTemplate = adding().Set.PodTemplate })},
	{"create_claim that is added", "of which nobody knows", "own-claim", changed(forgets)},
	{"create_claim that is added", "and removed", "claim", changed(saysNull)},
	{"create_claim that is added", "with another size", "claim", put("spec/resources/requests/storage", "9Gi")},
	{"create_claim that is added", "with another class", "claim", put("spec/storageClassName", "other")},
	{"create_claim that is added", "with a label", "claim", put("metadata/labels/a", "b")},
	{"create_claim that is added", "for a pod that is not wanted", "made", changed(func(s *setplanv1.Snapshot) { *s.Set.Replicas = 3 })},
	{"create_revision that adds a claim", "with another size", "revision-data", put("data/setplan.io~claim-templates/wal/spec/resources/requests/storage", "9Gi")},
	{"create_revision that adds a claim", "that the set does not add", "revision-data", put("data/setplan.io~claim-templates/logs", map[string]any{"spec": map[string]any{}})},
	{"create_revision that adds a claim", "of the set's own", "revision-data", put("data/setplan.io~claim-templates/data", map[string]any{"spec": map[string]any{}})},
	{"create_revision that adds a claim", "as no template", "revision-data", put("data/setplan.io~claim-templates/wal", "5Gi")},
	{"create_revision that keeps an added claim", "with another size", "revision-data", put("data/setplan.io~claim-templates/wal/spec/resources/requests/storage", "9Gi")},
	{"patch_claim that the pod template asks for", "and no more", "own-claim", changed(func(s *setplanv1.Snapshot) { s.Set.PodTemplate = adding().Set.PodTemplate })},
	{"patch_claim that the pod template asks for", "by a volume that cannot be written to", "own-claim", changed(func(s *setplanv1.Snapshot) {
		s.Set.PodTemplate = []byte(strings.Replace(string(s.Set.PodTemplate), `"claimName":"wal"`, `"claimName":"wal","readOnly":true`, 1))
	})},
	{"patch_claim that the pod template asks for", "under another name", "own-claim", changed(func(s *setplanv1.Snapshot) {
		s.Set.PodTemplate = []byte(strings.Replace(string(s.Set.PodTemplate), `"claimName":"wal"`, `"claimName":"log"`, 1))
	})},
	{"patch_claim that is added", "and removed", "claim-change", changed(saysNull)},
	{"patch_claim that is added", "with another size", "claim-change", func(s *scene) { s.action.GetPatchClaim().Request = "9Gi" }},
	{"patch_claim that is added", "with another label", "claim-change", func(s *scene) { s.action.GetPatchClaim().Labels["tier"] = "gold" }},
	{"set_claim_owners of a claim that the pod template asks for", "and no more", "owners-added", changed(func(s *setplanv1.Snapshot) {
		s.Set.PodTemplate, s.Set.Status.CurrentRevision = adding().Set.PodTemplate, nil
	})},
	{"patch_pod with an added claim", "of which nobody knows", "pod-labels", changed(forgets)},
}
