package podtemplate

import (
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/setplan/setplan/engine/jsontree"
)

// base is a template that has something at every place of the table.
const base = `{"metadata":{"annotations":{"plan":"daily","read":"1","setplan.io/x":"1"},"labels":{"app":"web","placed":"1","read":"1","tier":"gold"}},
"spec":{"affinity":{"podAntiAffinity":{"requiredDuringSchedulingIgnoredDuringExecution":[{"matchLabelKeys":["placed"]}]}},
"containers":[{"env":[{"name":"TIER","valueFrom":{"fieldRef":{"fieldPath":"metadata.labels['read']"}}},{"name":"A","valueFrom":{"fieldRef":{"fieldPath":"metadata.annotations['read']"}}}],
"command":["serve"],"image":"web:1","name":"web","ports":[{"containerPort":80}],"resizePolicy":[{"resourceName":"cpu","restartPolicy":"NotRequired"}],
"resources":{"limits":{"cpu":"1","memory":"1Gi"},"requests":{"cpu":"1","memory":"1Gi"}}},{"image":"log:1","name":"log"}],
"initContainers":[{"image":"init:1","name":"init"},{"image":"proxy:1","name":"proxy","restartPolicy":"Always"}],
"nodeSelector":{"disk":"ssd"},"resourceClaims":[{"name":"gpu"}],"tolerations":[{"key":"a","operator":"Exists"}],"volumes":[{"name":"tmp","emptyDir":{}}]}}`

// inPlaceRows is the table of docs/in-place.md, a row for each cell. field is what needs another pod; change is what is written in place.
var inPlaceRows = []struct{ cell, old, new, change, field string }{
	{"nothing", `"web:1"`, `"web:1"`, "", ""},
	{"a label is added", `"tier":"gold"`, `"tier":"gold","zone":"a"`, "label zone=a", ""},
	{"a label is changed", `"tier":"gold"`, `"tier":"silver"`, "label tier=silver", ""},
	{"a label is removed", `,"tier":"gold"`, ``, "label tier-", ""},
	{"an annotation is added", `"plan":"daily"`, `"plan":"daily","zone":"a"`, "annotation zone=a", ""},
	{"an annotation is changed", `"plan":"daily"`, `"plan":"weekly"`, "annotation plan=weekly", ""},
	{"an annotation is removed", `"plan":"daily",`, ``, "annotation plan-", ""},
	{"several", `"plan":"daily",`, `"a":"1","b":"2",`, "annotation a=1, annotation b=2, annotation plan-", ""},
	{"a label to nothing", `"tier":"gold"`, `"tier":""`, "label tier=", ""},
	{"a label of the pod's identity", `"tier":"gold"`, `"tier":"gold","apps.kubernetes.io/pod-index":"7","controller-revision-hash":"x","statefulset.kubernetes.io/pod-name":"y"`, "", ""},
	{"a label that the selector reads is changed", `"app":"web"`, `"app":"db"`, "", "metadata.labels.app"},
	{"a label that the selector reads is removed", `"app":"web",`, ``, "", "metadata.labels.app"},
	{"a label that a container has as a variable", `"labels":{"app":"web","placed":"1","read":"1"`, `"labels":{"app":"web","placed":"1","read":"2"`, "", "metadata.labels.read"},
	{"an annotation that a container has as a variable", `"read":"1","setplan.io`, `"read":"2","setplan.io`, "", "metadata.annotations.read"},
	{"a label that the placement has taken over", `"placed":"1"`, `"placed":"2"`, "", "metadata.labels.placed"},
	{"an annotation of ours", `"setplan.io/x":"1"`, `"setplan.io/x":"2"`, "", "metadata.annotations.setplan.io/x"},
	{"a label of ours", `"tier":"gold"`, `"tier":"gold","setplan.io/x":"2"`, "", "metadata.labels.setplan.io/x"},
	{"kubectl rollout restart", `"plan":"daily"`, `"plan":"daily","kubectl.kubernetes.io/restartedAt":"2026-03-01T12:00:00Z"`, "", "metadata.annotations.kubectl.kubernetes.io/restartedAt"},
	{"a value that is not a string", `"plan":"daily"`, `"plan":1`, "", "metadata.annotations.plan"},
	{"a finalizer", `"labels":{`, `"finalizers":["a/b"],"labels":{`, "", "metadata.finalizers"},
	{"the image of a container", `"web:1"`, `"web:2"`, "", "spec.containers[web].image"},
	{"the image of the second container", `"log:1"`, `"log:2"`, "", "spec.containers[log].image"},
	{"the image of an init container", `"init:1"`, `"init:2"`, "", "spec.initContainers[init].image"},
	{"the image of a sidecar", `"proxy:1"`, `"proxy:2"`, "", "spec.initContainers[proxy].image"},
	{"an ephemeral container", `"nodeSelector"`, `"ephemeralContainers":[{"name":"debug","image":"sh"}],"nodeSelector"`, "", "spec.ephemeralContainers"},
	{"a container is added", `{"image":"log:1","name":"log"}`, `{"image":"log:1","name":"log"},{"image":"new:1","name":"new"}`, "", "spec.containers"},
	{"a container is removed", `,{"image":"log:1","name":"log"}`, ``, "", "spec.containers"},
	{"a container is renamed", `"name":"log"`, `"name":"logs"`, "", "spec.containers"},
	{"a variable", `"name":"TIER"`, `"name":"TIERS"`, "", "spec.containers[web].env"},
	{"the command", `["serve"]`, `["serve","-v"]`, "", "spec.containers[web].command"},
	{"a port", `"containerPort":80`, `"containerPort":81`, "", "spec.containers[web].ports[0].containerPort"},
	{"a request", `"requests":{"cpu":"1"`, `"requests":{"cpu":"500m"`, "", "spec.containers[web].resources.requests.cpu"},
	{"a limit", `"limits":{"cpu":"1"`, `"limits":{"cpu":"2"`, "", "spec.containers[web].resources.limits.cpu"},
	{"a limit is removed", `"limits":{"cpu":"1",`, `"limits":{`, "", "spec.containers[web].resources.limits.cpu"},
	{"the class of service changes", `"limits":{"cpu":"1","memory":"1Gi"},`, ``, "", "spec.containers[web].resources.limits"},
	{"resources of the pod", `"nodeSelector"`, `"resources":{"limits":{"cpu":"4"}},"nodeSelector"`, "", "spec.resources"},
	{"resizePolicy", `"NotRequired"`, `"RestartContainer"`, "", "spec.containers[web].resizePolicy[0].restartPolicy"},
	{"a volume", `"emptyDir":{}`, `"emptyDir":{"medium":"Memory"}`, "", "spec.volumes[tmp].emptyDir.medium"},
	{"a toleration is added", `[{"key":"a","operator":"Exists"}]`, `[{"key":"a","operator":"Exists"},{"key":"b","operator":"Exists"}]`, "", "spec.tolerations"},
	{"the node selector", `"ssd"`, `"hdd"`, "", "spec.nodeSelector.disk"},
	{"a field of tomorrow", `"nodeSelector"`, `"tomorrow":{"a":1},"nodeSelector"`, "", "spec.tomorrow"},
	{"a field that API servers have forgotten", `{"name":"gpu"}`, `{"name":"gpu","source":{"resourceClaimName":"x"}}`, "", "spec.resourceClaims[gpu].source"},
	{"a field beside spec", `{"metadata"`, `{"kind":"x","metadata"`, "", "kind"},
	{"what older releases wrote", `"labels":{`, `"creationTimestamp":null,"labels":{`, "", ""},
	{"an empty object that defaults fill in", `"nodeSelector"`, `"securityContext":{},"nodeSelector"`, "", ""},
}

func mustTree(text string) jsontree.Value {
	v, err := jsontree.Parse([]byte(text))
	if err != nil {
		panic(err)
	}
	return v
}

func check(t *testing.T, reason, what, got, want string) {
	t.Helper()
	if got != want {
		t.Errorf("%s\n%s: %s\n%*s: %s", reason, what, got, len(what), "want", want)
	}
}

// TestDifference has a row for each cell of the table, and the way back of each.
func TestDifference(t *testing.T) {
	selects := map[string]bool{"app": true}
	for _, row := range inPlaceRows {
		if strings.Count(base, row.old) != 1 {
			t.Fatalf("%s: %q stands %d times in the template", row.cell, row.old, strings.Count(base, row.old))
		}
		from, to := mustTree(base), mustTree(strings.Replace(base, row.old, row.new, 1))
		d := DifferenceOf(from, to, selects, Changeable{})
		check(t, row.cell, "field", d.Field, row.field)
		if d.Field == "" {
			check(t, row.cell, "change", changes(&d), row.change)
		}
		back := DifferenceOf(to, from, selects, Changeable{})
		if back.InPlace() != d.InPlace() {
			t.Errorf("%s: in place there %v, and back %v", row.cell, d.InPlace(), back.InPlace())
		}
	}
}

// imageRows are the cells of the table about images, where images change in place. images are those that do.
var imageRows = []struct {
	cell, images, field string
	edits               []string
}{
	{"nothing", "", "", nil},
	{"the image of a container", "web=web:2", "", []string{`"web:1"`, `"web:2"`}},
	{"the image of the second container", "log=log:2", "", []string{`"log:1"`, `"log:2"`}},
	{"the image of a sidecar", "proxy=proxy:2", "", []string{`"proxy:1"`, `"proxy:2"`}},
	{"all of them, and a label", "log=log:2 proxy=proxy:2 web=web:2", "", []string{`"web:1"`, `"web:2"`, `"log:1"`, `"log:2"`, `"proxy:1"`, `"proxy:2"`, `"gold"`, `"silver"`}},
	{"the image of an init container, which has run", "", "spec.initContainers[init].image", []string{`"init:1"`, `"init:2"`}},
	{"a sidecar becomes an init container", "", "spec.initContainers[proxy].image", []string{`"image":"proxy:1","name":"proxy","restartPolicy":"Always"`, `"image":"proxy:2","name":"proxy"`}},
	{"an init container becomes a sidecar", "", "spec.initContainers[init].image", []string{`"image":"init:1","name":"init"`, `"image":"init:2","name":"init","restartPolicy":"Always"`}},
	{"an image that is removed", "", "spec.containers[log].image", []string{`{"image":"log:1",`, `{`}},
	{"an image that is emptied", "", "spec.containers[log].image", []string{`"log:1"`, `""`}},
	{"an image that is not a string", "", "spec.containers[log].image", []string{`"log:1"`, `7`}},
	{"the command, too", "", "spec.containers[web].command[0]", []string{`"web:1"`, `"web:2"`, `["serve"]`, `["run"]`}},
	{"the command of another one", "", "spec.containers[web].command[0]", []string{`"log:1"`, `"log:2"`, `["serve"]`, `["run"]`}},
	{"another container stands there", "", "spec.containers", []string{`{"image":"log:1","name":"log"}`, `{"image":"log:2","name":"logs"}`}},
	{"a container is added", "", "spec.containers", []string{`"web:1"`, `"web:2"`, `{"image":"log:1","name":"log"}`, `{"image":"log:1","name":"log"},{"image":"new:1","name":"new"}`}},
	{"a volume, too", "", "spec.volumes[tmp].emptyDir.medium", []string{`"web:1"`, `"web:2"`, `"emptyDir":{}`, `"emptyDir":{"medium":"Memory"}`}},
	{"an image that is pulled at each start", "", "spec.containers[log].image", []string{`"log:1"`, `"log:latest"`}},
	{"an image without a tag, which is one", "", "spec.containers[log].image", []string{`"log:1"`, `"log"`}},
	{"the digest of such an image", "log=log@sha256:1", "", []string{`"log:1"`, `"log@sha256:1"`}},
	{"who pulls it", "", "spec.containers[log].imagePullPolicy", []string{`"image":"log:1"`, `"image":"log:2","imagePullPolicy":"Always"`}},
}

// What may change in place in tests.
var (
	onlyImages = Changeable{Images: true, Restarts: true}
	everything = Changeable{Images: true, Resources: true, Restarts: true}
)

// TestDifferenceOfImages has a row for each cell, and the way back of each.
func TestDifferenceOfImages(t *testing.T) {
	for _, row := range imageRows {
		from, to := mustTree(base), mustTree(strings.NewReplacer(row.edits...).Replace(base))
		d := DifferenceOf(from, to, map[string]bool{"app": true}, onlyImages)
		check(t, row.cell, "field", d.Field, row.field)
		if d.Field == "" {
			check(t, row.cell, "images", imagesIn(&d), row.images)
		}
		back := DifferenceOf(to, from, nil, onlyImages)
		if back.InPlace() != d.InPlace() {
			t.Errorf("%s: in place there %v, and back %v", row.cell, d.InPlace(), back.InPlace())
		}
		if d := DifferenceOf(from, to, nil, Changeable{}); len(d.Images) > 0 || d.InPlace() != (row.cell == "nothing") {
			t.Errorf("%s: images change in place although they may not", row.cell)
		}
	}
	const twice = `{"spec":{"containers":[{"image":"a:1","name":"a"},{"image":"a:1","name":"a"}]}}`
	d := DifferenceOf(mustTree(twice), mustTree(strings.ReplaceAll(twice, "a:1", "a:2")), nil, onlyImages)
	check(t, "two of one name", "field", d.Field, "spec.containers[a].image")
}

func imagesIn(d *Difference) string {
	var list []string
	for _, name := range slices.Sorted(maps.Keys(d.Images)) {
		list = append(list, name+"="+d.Images[name])
	}
	return strings.Join(list, " ")
}

// TestRevisionIsRead: a container that has its revision as a variable, or a placement that has it, gets it with a new pod alone.
func TestRevisionIsRead(t *testing.T) {
	for _, edit := range [][2]string{{"metadata.annotations['read']", "metadata.labels['controller-revision-hash']"}, {`["placed"]`, `["controller-revision-hash"]`}} {
		from := strings.Replace(base, edit[0], edit[1], 1)
		d := DifferenceOf(mustTree(from), mustTree(strings.Replace(from, "gold", "silver", 1)), nil, onlyImages)
		check(t, edit[1], "field", d.Field, "metadata.labels.controller-revision-hash")
	}
}

func changes(d *Difference) string {
	var list []string
	for _, of := range []struct {
		what   string
		change *metadataChange
	}{{"label ", &d.Labels}, {"annotation ", &d.Annotations}} {
		for _, entry := range of.change.Set {
			list = append(list, of.what+entry.Key+"="+entry.Value)
		}
		for _, key := range of.change.Remove {
			list = append(list, of.what+key+"-")
		}
	}
	return strings.Join(list, ", ")
}

// TestDifferenceOfOdd: templates that are no objects, or have none inside, are compared without a panic.
func TestDifferenceOfOdd(t *testing.T) {
	for text, field := range map[string]string{`{}`: "spec", `{"metadata":7,"spec":{}}`: "spec.affinity", `{"metadata":{"labels":[],"annotations":"x"},"spec":[]}`: "spec"} {
		for _, may := range []Changeable{{}, onlyImages, everything} {
			d := DifferenceOf(mustTree(base), mustTree(text), nil, may)
			if !strings.HasPrefix(d.Field, "metadata") && d.Field != field || d.InPlace() {
				t.Errorf("%s: %q", text, d.Field)
			}
		}
	}
	if d := DifferenceOf(jsontree.Value{}, jsontree.Value{}, nil, onlyImages); !d.InPlace() {
		t.Errorf("nothing and nothing differ in %q", d.Field)
	}
	for _, pair := range [][3]string{{`{"spec":"a"}`, `{"spec":"b"}`, "spec"}, {`{"spec":{"containers":"a"}}`, `{"spec":{"containers":"b"}}`, "spec.containers"},
		{`{"spec":{"containers":[]}}`, `{"spec":{}}`, "spec.containers"}, {`{"spec":{"containers":["a"]}}`, `{"spec":{"containers":["b"]}}`, "spec.containers[0]"}} {
		d := DifferenceOf(mustTree(pair[0]), mustTree(pair[1]), nil, onlyImages)
		check(t, pair[0], "field", d.Field, pair[2])
	}
}

// TestDifferenceOfContainersThatEnd: a container with rules of its own for when it is restarted may have ended for good, or does so while its image
// cannot be pulled.
func TestDifferenceOfContainersThatEnd(t *testing.T) {
	for rules, inPlace := range map[string]bool{
		"": true, `,"restartPolicy":null`: true, `,"restartPolicy":"Always"`: true, `,"restartPolicy":"Never"`: false, `,"restartPolicy":"OnFailure"`: false,
		`,"restartPolicy":"Always","restartPolicyRules":[{"action":"Restart"}]`: false,
	} {
		of := func(image string) jsontree.Value {
			return mustTree(strings.Replace(base, `{"image":"log:1","name":"log"`, `{"image":"`+image+`","name":"log"`+rules, 1))
		}
		d := DifferenceOf(of("log:1"), of("log:2"), nil, onlyImages)
		if d.InPlace() != inPlace || !inPlace && d.Field != "spec.containers[log].image" {
			t.Errorf("%s: in place %v, %s", rules, d.InPlace(), d.Field)
		}
	}
}
