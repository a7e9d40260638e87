//go:build controlplane

package test

import (
	"strings"
	"testing"
)

const definition = "../../crd/statefulset.yaml"

// TestOwnKind asks a real API server about the definition of our own kind, and about the same edits under apps/v1.
func TestOwnKind(t *testing.T) {
	h := newHarness(t)
	plane := &ownKind{h, h.up("kind", "--statefulset-controller", "off", "--feature-gates", "MaxUnavailableStatefulSet=true")}
	h.kubectl(plane.config, "apply", "-f", definition) // stores all of it in an annotation
	h.eventually("served", plane.config, "get", "ssts", "-o", "go-template=served")
	h.kubectl(plane.config, "apply", "-f", "testdata/ownkind/web.yaml")

	t.Run("keeps and fills in", plane.keeps)
	t.Run("merges", plane.merges)
	t.Run("scales", plane.scales)
	t.Run("prints", plane.prints)
	t.Run("refuses as apps/v1", plane.refuses)
	t.Run("lets claims be followed", plane.follows)
}

type ownKind struct {
	*harness
	config string
}

func (p *ownKind) field(path string) string {
	return p.kubectl(p.config, "get", "ssts", "web", "-o", "jsonpath={"+path+"}")
}

func (p *ownKind) keeps(t *testing.T) {
	for path, want := range map[string]string{
		".spec.template.spec.ofTomorrow.kept":                    "true",
		".spec.template.spec.containers[0].ofTomorrow":           "1",
		".spec.template.spec.containers[0].resources.limits.cpu": "0.5",
		".spec.template.spec.containers[0].ports[0].protocol":    "TCP",
		".spec.replicas":                                        "1",
		".spec.podManagementPolicy":                             "OrderedReady",
		".spec.revisionHistoryLimit":                            "10",
		".spec.updateStrategy.type":                             "OnDelete",
		".spec.persistentVolumeClaimRetentionPolicy.whenScaled": "Retain",
		".spec.volumeClaimTemplates[0].spec.volumeMode":         "Filesystem",
		".spec.volumeClaimTemplates[0].kind":                    "PersistentVolumeClaim",
		".spec.template.spec.restartPolicy":                     "", // filled in when pods are created
	} {
		if got := p.field(path); got != want {
			t.Errorf("%s is %q, want %q", path, got, want)
		}
	}
}

// merges: two appliers each apply a part of one container.
func (p *ownKind) merges(t *testing.T) {
	const other = `{"apiVersion":"apps.setplan.io/v1beta1","kind":"StatefulSet","metadata":{"name":"web"},"spec":{"template":{"spec":{"containers":[
		{"name":"main","env":[{"name":"LEVEL","value":"debug"}]},{"name":"third","image":"third:1"}]}}}}`
	apply := p.pipe(other, "apply", "--server-side", "--field-manager", "other", "-f", "-")
	if apply != nil {
		t.Fatal(apply)
	}
	for path, want := range map[string]string{
		".spec.template.spec.containers[*].name":          "main sidecar third",
		".spec.template.spec.containers[0].image":         "nginx:1.27",
		".spec.template.spec.containers[0].env[0].value":  "debug",
		".spec.template.spec.containers[0].ports[0].name": "",
	} {
		if got := p.field(path); got != want {
			t.Errorf("%s is %q, want %q", path, got, want)
		}
	}
}

func (p *ownKind) scales(t *testing.T) {
	p.kubectl(p.config, "scale", "ssts/web", "--replicas", "3")
	p.kubectl(p.config, "patch", "ssts", "web", "--subresource", "status", "--type", "merge", "-p",
		`{"status":{"replicas":2,"readyReplicas":1,"updatedReplicas":2,"labelSelector":"app=web","conditions":[{"type":"Reconciling","status":"True","reason":"Scaling"}]}}`)
	scale := p.kubectl(p.config, "get", "--raw", "/apis/apps.setplan.io/v1beta1/namespaces/default/statefulsets/web/scale")
	for _, want := range []string{`"spec":{"replicas":3}`, `"replicas":2`, `"selector":"app=web"`} {
		if !strings.Contains(scale, want) {
			t.Errorf("the scale is %s, which has no %s", scale, want)
		}
	}
}

func (p *ownKind) prints(t *testing.T) {
	got := strings.Fields(p.kubectl(p.config, "get", "ssts", "web", "--no-headers", "-o", "wide"))
	got = append(got[:5:5], got[6:]...) // the age
	const want = "web 1 3 2 Scaling main nginx:1.27"
	if strings.Join(got, " ") != want {
		t.Errorf("printed %q, want %q", got, want)
	}
	if got := p.kubectl(p.config, "get", "setplan", "-o", "name"); got != "statefulset.apps.setplan.io/web" {
		t.Errorf("the category has %q", got)
	}
}

// refusals are edits of web that apps/v1 refuses, as JSON patches.
var refusals = map[string]string{
	"selector":                `[{"op":"replace","path":"/spec/selector/matchLabels","value":{"app":"other"}}]`,
	"selector and labels":     `[{"op":"add","path":"/spec/selector/matchLabels/b","value":"c"},{"op":"add","path":"/spec/template/metadata/labels/b","value":"c"}]`,
	"no selector":             `[{"op":"remove","path":"/spec/selector"}]`,
	"labels do not match":     `[{"op":"replace","path":"/spec/template/metadata/labels/app","value":"other"}]`,
	"no labels":               `[{"op":"remove","path":"/spec/template/metadata"}]`,
	"serviceName":             `[{"op":"replace","path":"/spec/serviceName","value":"other"}]`,
	"no serviceName":          `[{"op":"remove","path":"/spec/serviceName"}]`,
	"podManagementPolicy":     `[{"op":"replace","path":"/spec/podManagementPolicy","value":"Parallel"}]`,
	"unknown management":      `[{"op":"replace","path":"/spec/podManagementPolicy","value":"Odd"}]`,
	"claim size":              `[{"op":"replace","path":"/spec/volumeClaimTemplates/0/spec/resources/requests/storage","value":"2Gi"}]`,
	"claim class":             `[{"op":"replace","path":"/spec/volumeClaimTemplates/0/spec/storageClassName","value":"other"}]`,
	"claim labels":            `[{"op":"add","path":"/spec/volumeClaimTemplates/0/metadata/labels","value":{"a":"b"}}]`,
	"no claims":               `[{"op":"remove","path":"/spec/volumeClaimTemplates"}]`,
	"one claim more":          `[{"op":"add","path":"/spec/volumeClaimTemplates/-","value":{"metadata":{"name":"more"},"spec":{"accessModes":["ReadWriteOnce"],"resources":{"requests":{"storage":"1Gi"}}}}}]`,
	"negative replicas":       `[{"op":"replace","path":"/spec/replicas","value":-1}]`,
	"negative ready seconds":  `[{"op":"add","path":"/spec/minReadySeconds","value":-1}]`,
	"negative start":          `[{"op":"add","path":"/spec/ordinals","value":{"start":-1}}]`,
	"partition with OnDelete": `[{"op":"replace","path":"/spec/updateStrategy","value":{"type":"OnDelete","rollingUpdate":{"partition":1}}}]`,
	"negative partition":      `[{"op":"replace","path":"/spec/updateStrategy","value":{"type":"RollingUpdate","rollingUpdate":{"partition":-1}}}]`,
	"unavailable 0":           `[{"op":"replace","path":"/spec/updateStrategy","value":{"type":"RollingUpdate","rollingUpdate":{"maxUnavailable":0}}}]`,
	"unavailable 0%":          `[{"op":"replace","path":"/spec/updateStrategy","value":{"type":"RollingUpdate","rollingUpdate":{"maxUnavailable":"0%"}}}]`,
	"unavailable 101%":        `[{"op":"replace","path":"/spec/updateStrategy","value":{"type":"RollingUpdate","rollingUpdate":{"maxUnavailable":"101%"}}}]`,
	"unavailable a word":      `[{"op":"replace","path":"/spec/updateStrategy","value":{"type":"RollingUpdate","rollingUpdate":{"maxUnavailable":"one"}}}]`,
	"unknown strategy":        `[{"op":"replace","path":"/spec/updateStrategy","value":{"type":"Odd"}}]`,
	"unknown retention":       `[{"op":"replace","path":"/spec/persistentVolumeClaimRetentionPolicy/whenScaled","value":"Odd"}]`,
	"restart policy":          `[{"op":"add","path":"/spec/template/spec/restartPolicy","value":"Never"}]`,
	"deadline":                `[{"op":"add","path":"/spec/template/spec/activeDeadlineSeconds","value":10}]`,
	"no containers":           `[{"op":"remove","path":"/spec/template/spec/containers"}]`,
	"one name twice":          `[{"op":"add","path":"/spec/template/spec/containers/-","value":{"name":"main","image":"a"}}]`,
	"a number for a text":     `[{"op":"add","path":"/spec/template/spec/nodeName","value":1}]`,
}

// allowances are edits of web that apps/v1 accepts.
var allowances = map[string]string{
	"replicas":           `[{"op":"replace","path":"/spec/replicas","value":0}]`,
	"template":           `[{"op":"replace","path":"/spec/template/spec/containers/0/image","value":"nginx:1.28"}]`,
	"strategy":           `[{"op":"replace","path":"/spec/updateStrategy","value":{"type":"RollingUpdate","rollingUpdate":{"partition":1,"maxUnavailable":"50%"}}}]`,
	"history":            `[{"op":"replace","path":"/spec/revisionHistoryLimit","value":1}]`,
	"start":              `[{"op":"add","path":"/spec/ordinals","value":{"start":3}}]`,
	"ready seconds":      `[{"op":"add","path":"/spec/minReadySeconds","value":3}]`,
	"retention":          `[{"op":"replace","path":"/spec/persistentVolumeClaimRetentionPolicy","value":{"whenScaled":"Delete"}}]`,
	"defaults of claims": `[{"op":"add","path":"/spec/volumeClaimTemplates/0/spec/volumeMode","value":"Filesystem"}]`,
	"more labels":        `[{"op":"add","path":"/spec/template/metadata/labels/more","value":"1"}]`,
	"a field of nobody":  `[{"op":"add","path":"/spec/template/spec/ofAnother","value":{"a":[1]}}]`,
}

// refuses sends each edit to both kinds as a dry run.
func (p *ownKind) refuses(t *testing.T) {
	manifest := strings.ReplaceAll(read(t, "testdata/ownkind/web.yaml"), "apps.setplan.io/v1beta1", "apps/v1")
	if err := p.pipe(manifest, "apply", "--validate=ignore", "-f", "-"); err != nil {
		t.Fatal(err)
	}
	for length, refused := range map[int]bool{52: false, 53: true} { // apps/v1 would take both, and never make a pod of the second
		named := strings.Replace(read(t, "testdata/ownkind/web.yaml"), "\n  name: web\n", "\n  name: "+strings.Repeat("w", length)+"\n", 1)
		if err := p.pipe(named, "create", "--dry-run=server", "--validate=ignore", "-f", "-"); (err != nil) != refused {
			t.Errorf("a name of %d characters: refused %v, want %v", length, err != nil, refused)
		}
	}
	for _, expected := range []struct {
		edits   map[string]string
		refused bool
	}{{refusals, true}, {allowances, false}} {
		for name, edit := range expected.edits {
			for _, kind := range []string{"statefulsets.v1.apps", "ssts"} {
				_, err := p.try(p.bin+"/kubectl", "--kubeconfig", p.config, "patch", kind, "web", "--type", "json", "--dry-run=server", "-p", edit)
				if (err != nil) != expected.refused {
					t.Errorf("%s of %s: refused %v, want %v", name, kind, err != nil, expected.refused)
				}
			}
		}
	}
}

// follows: with a policy what claims can follow may change, and nothing else of their templates.
func (p *ownKind) follows(t *testing.T) {
	p.kubectl(p.config, "patch", "ssts", "web", "--type", "merge", "-p", `{"spec":{"claimUpdatePolicy":"InPlace"}}`)
	const at = "/spec/volumeClaimTemplates/0"
	for _, edit := range []struct {
		name, patch string
		refused     bool
	}{
		{"size", refusals["claim size"], false},
		{"labels", refusals["claim labels"], false},
		{"annotations", `[{"op":"add","path":"` + at + `/metadata/annotations","value":{"a":"b"}}]`, false},
		{"class of attributes", `[{"op":"add","path":"` + at + `/spec/volumeAttributesClassName","value":"gold"}]`, false},
		{"defaults", allowances["defaults of claims"], false},
		{"decimal size", `[{"op":"replace","path":"` + at + `/spec/resources/requests/storage","value":"2.5e9"}]`, false},
		{"a size that is a number", `[{"op":"replace","path":"` + at + `/spec/resources/requests/storage","value":2000000000}]`, false},
		{"a size that is none", `[{"op":"replace","path":"` + at + `/spec/resources/requests/storage","value":"20GiB"}]`, true},
		{"size, and the policy goes", `[{"op":"replace","path":"` + at + `/spec/resources/requests/storage","value":"2Gi"},{"op":"remove","path":"/spec/claimUpdatePolicy"}]`, true},
		{"name", `[{"op":"replace","path":"` + at + `/metadata/name","value":"other"}]`, true},
		{"finalizers", `[{"op":"add","path":"` + at + `/metadata/finalizers","value":["example.com/a"]}]`, true},
		{"owners", `[{"op":"add","path":"` + at + `/metadata/ownerReferences","value":[{"apiVersion":"v1","kind":"Node","name":"n","uid":"u"}]}]`, true},
		{"kind", `[{"op":"replace","path":"` + at + `/kind","value":"Other"}]`, true},
		{"storage class", refusals["claim class"], true},
		{"access modes", `[{"op":"replace","path":"` + at + `/spec/accessModes","value":["ReadWriteMany"]}]`, true},
		{"volume mode", `[{"op":"replace","path":"` + at + `/spec/volumeMode","value":"Block"}]`, true},
		{"volume name", `[{"op":"add","path":"` + at + `/spec/volumeName","value":"pv"}]`, true},
		{"selector", `[{"op":"add","path":"` + at + `/spec/selector","value":{"matchLabels":{"a":"b"}}}]`, true},
		{"source", `[{"op":"add","path":"` + at + `/spec/dataSourceRef","value":{"kind":"PersistentVolumeClaim","name":"other"}}]`, true},
		{"limits", `[{"op":"add","path":"` + at + `/spec/resources/limits","value":{"storage":"5Gi"}}]`, true},
		{"no claims", refusals["no claims"], true},
		{"one claim more", refusals["one claim more"], true},
	} {
		_, err := p.try(p.bin+"/kubectl", "--kubeconfig", p.config, "patch", "ssts", "web", "--type", "json", "--dry-run=server", "-p", edit.patch)
		if (err != nil) != edit.refused {
			t.Errorf("%s: %v; want a refusal: %v", edit.name, err, edit.refused)
		}
	}
}
