package podtemplate

import (
	"slices"
	"strings"
	"testing"

	"github.com/setplan/setplan/engine/model"
)

// What a container of base has, and other texts for it.
const (
	webLimits   = `"limits":{"cpu":"1","memory":"1Gi"}`
	webRequests = `"requests":{"cpu":"1","memory":"1Gi"}`
	webHas      = `"resources":{` + webLimits + `,` + webRequests + `}`
	cpuPolicy   = `"resizePolicy":[{"resourceName":"cpu","restartPolicy":"NotRequired"}]`
	cpuStarts   = `"resizePolicy":[{"resourceName":"cpu","restartPolicy":"RestartContainer"}]`
	logIs       = `{"image":"log:1","name":"log"}`
	sidecarIs   = `"image":"proxy:1","name":"proxy"`
	initIs      = `"image":"init:1","name":"init"`
)

// resourceRows are the cells of the table about resources, where everything may change in place. at edits both revisions, and to the second one.
// changes are the amounts that are written, with "starts" where containers start again; back is what the way back needs another pod for.
var resourceRows = []struct {
	cell, changes, field, back string
	at, to                     []string
}{
	{"nothing", "", "", "", nil, nil},
	{"a request", "web.requests.cpu=500m", "", "", nil, []string{`"requests":{"cpu":"1"`, `"requests":{"cpu":"500m"`}},
	{"a limit", "web.limits.cpu=2", "", "", nil, []string{`"limits":{"cpu":"1"`, `"limits":{"cpu":"2"`}},
	{"memory", "web.limits.memory=2Gi web.requests.memory=2Gi", "", "", nil, []string{`"memory":"1Gi"`, `"memory":"2Gi"`}},
	{"all four", "web.limits.cpu=2 web.limits.memory=2Gi web.requests.cpu=2 web.requests.memory=2Gi", "", "", nil, []string{`"cpu":"1"`, `"cpu":"2"`, `"memory":"1Gi"`, `"memory":"2Gi"`}},
	{"a limit, and the request that comes from it", "web.limits.cpu=2 web.requests.cpu=2", "", "", []string{`"requests":{"cpu":"1",`, `"requests":{`},
		[]string{`"limits":{"cpu":"1"`, `"limits":{"cpu":"2"`}},
	{"a request that is left out, as the limit is the same", "", "", "", nil, []string{`"requests":{"cpu":"1",`, `"requests":{`}},
	{"a request that is left out, and was less than the limit", "web.requests.cpu=1", "", "", []string{`"requests":{"cpu":"1"`, `"requests":{"cpu":"250m"`},
		[]string{`"requests":{"cpu":"250m",`, `"requests":{`}},
	{"another text of the same amount", "", "", "", nil, []string{`"cpu":"1"`, `"cpu":"1000m"`, `"1Gi"`, `"1024Mi"`}},
	{"a number", "", "", "", nil, []string{`"cpu":"1"`, `"cpu":1`}},
	{"another number", "web.limits.cpu=2 web.requests.cpu=2", "", "", nil, []string{`"cpu":"1"`, `"cpu":2`}},
	{"a request that is added", "log.requests.cpu=1", "", "spec.containers[log].resources", nil, []string{logIs, `{"image":"log:1","name":"log","resources":{"requests":{"cpu":"1"}}}`}},
	{"a limit that is added brings a request", "log.limits.memory=1Gi log.requests.memory=1Gi", "", "spec.containers[log].resources", nil,
		[]string{logIs, `{"image":"log:1","name":"log","resources":{"limits":{"memory":"1Gi"}}}`}},
	{"an empty object", "", "", "", nil, []string{logIs, `{"image":"log:1","name":"log","resources":{"limits":{},"requests":{}}}`}},
	{"a limit that is to be zero", "", "spec.containers[web].resources.limits.cpu", "", nil, []string{`"limits":{"cpu":"1"`, `"limits":{"cpu":"0"`, `"requests":{"cpu":"1"`, `"requests":{"cpu":"0"`}},
	{"a request that is to be zero", "", "spec.containers[web].resources.requests.memory", "", []string{`"limits":{"cpu":"1","memory":"1Gi"}`, `"limits":{"cpu":"1"}`}, []string{`"memory":"1Gi"`, `"memory":"0"`}},
	{"zero is added", "log.requests.cpu=0", "", "spec.containers[log].resources", nil, []string{logIs, `{"image":"log:1","name":"log","resources":{"requests":{"cpu":"0"}}}`}},
	{"a sidecar", "proxy.requests.cpu=2", "", "", []string{sidecarIs, sidecarIs + `,"resources":{"requests":{"cpu":"1"}}`}, []string{`{"requests":{"cpu":"1"}}`, `{"requests":{"cpu":"2"}}`}},
	{"with the image, a label", "web.limits.cpu=2 web.requests.cpu=2 starts", "", "", nil, []string{`"web:1"`, `"web:2"`, `"cpu":"1"`, `"cpu":"2"`, `"gold"`, `"silver"`}},
	{"with the image of another container", "web.limits.cpu=2 web.requests.cpu=2 starts", "", "", nil, []string{`"log:1"`, `"log:2"`, `"cpu":"1"`, `"cpu":"2"`}},
	{"a container that starts again for that", "web.limits.cpu=2 web.requests.cpu=2 starts", "", "", []string{cpuPolicy, cpuStarts}, []string{`"cpu":"1"`, `"cpu":"2"`}},
	{"one that would start again for something else", "web.limits.memory=2Gi web.requests.memory=2Gi", "", "", []string{cpuPolicy, cpuStarts}, []string{`"memory":"1Gi"`, `"memory":"2Gi"`}},

	{"a plain init container", "", "spec.initContainers[init].resources.requests.cpu", "spec.initContainers[init].resources.requests.cpu",
		[]string{initIs, initIs + `,"resources":{"requests":{"cpu":"1"}}`}, []string{`{"requests":{"cpu":"1"}}`, `{"requests":{"cpu":"2"}}`}},
	{"a sidecar that was a plain init container", "", "spec.initContainers[init].resources", "spec.initContainers[init].resources", nil,
		[]string{initIs, initIs + `,"resources":{"requests":{"cpu":"1"}},"restartPolicy":"Always"`}},
	{"a limit that is gone", "", "spec.containers[web].resources.limits.cpu", "", nil, []string{`"limits":{"cpu":"1",`, `"limits":{`}},
	{"the limits are gone", "", "spec.containers[web].resources.limits", "", nil, []string{webLimits + `,`, ``}},
	{"a request that is gone", "", "spec.containers[web].resources.requests.cpu", "", []string{webLimits, `"limits":{"memory":"1Gi"}`}, []string{`"requests":{"cpu":"1",`, `"requests":{`}},
	{"the class of service: Burstable, and was Guaranteed", "", "spec.containers[web].resources.limits.cpu", "spec.containers[web].resources.limits.cpu",
		[]string{`,` + logIs, ``, `{"image":"init:1","name":"init"},{"image":"proxy:1","name":"proxy","restartPolicy":"Always"}`, ``}, []string{`"limits":{"cpu":"1"`, `"limits":{"cpu":"2"`}},
	{"Guaranteed stays", "web.limits.cpu=2 web.requests.cpu=2", "", "",
		[]string{`,` + logIs, ``, `{"image":"init:1","name":"init"},{"image":"proxy:1","name":"proxy","restartPolicy":"Always"}`, ``}, []string{`"cpu":"1"`, `"cpu":"2"`}},
	{"the class of service: it was BestEffort", "", "spec.containers[log].resources", "spec.containers[log].resources", []string{webHas, `"resources":{}`},
		[]string{logIs, `{"image":"log:1","name":"log","resources":{"requests":{"cpu":"1"}}}`}},
	{"BestEffort stays: zero is nothing", "log.requests.cpu=0", "", "spec.containers[log].resources", []string{webHas, `"resources":{}`},
		[]string{logIs, `{"image":"log:1","name":"log","resources":{"requests":{"cpu":"0"}}}`}},
	{"a plain init container counts for the class", "web.limits.cpu=2", "", "", []string{`,` + logIs, ``, `{"image":"init:1","name":"init"},{"image":"proxy:1","name":"proxy","restartPolicy":"Always"}`, `{` + initIs + `}`},
		[]string{`"limits":{"cpu":"1"`, `"limits":{"cpu":"2"`}},
	{"the class of service: a limit of zero is none", "", "spec.containers[web].resources.limits.cpu", "spec.containers[web].resources.limits.cpu",
		[]string{`,` + logIs, ``, `{"image":"init:1","name":"init"},{"image":"proxy:1","name":"proxy","restartPolicy":"Always"}`, ``, `"cpu":"1"`, `"cpu":"0"`}, []string{`"cpu":"0"`, `"cpu":"1"`}},
	{"resizePolicy", "", "spec.containers[web].resizePolicy[0].restartPolicy", "spec.containers[web].resizePolicy[0].restartPolicy", nil, []string{`"NotRequired"`, `"RestartContainer"`}},
	{"resizePolicy, and what it is about", "", "spec.containers[web].resizePolicy[0].restartPolicy", "spec.containers[web].resizePolicy[0].restartPolicy", nil,
		[]string{`"NotRequired"`, `"RestartContainer"`, `"cpu":"1"`, `"cpu":"2"`}},
	{"a disk", "", "spec.containers[web].resources.limits.ephemeral-storage", "spec.containers[web].resources.limits.ephemeral-storage", nil,
		[]string{`"limits":{"cpu":"1"`, `"limits":{"ephemeral-storage":"1Gi","cpu":"1"`}},
	{"huge pages", "", "spec.containers[web].resources.requests.hugepages-2Mi", "spec.containers[web].resources.requests.hugepages-2Mi", nil,
		[]string{`"requests":{"cpu":"1"`, `"requests":{"hugepages-2Mi":"2Mi","cpu":"1"`}},
	{"claims of the container", "", "spec.containers[web].resources.claims", "spec.containers[web].resources.claims", nil, []string{`"resources":{"limits"`, `"resources":{"claims":[{"name":"gpu"}],"limits"`}},
	{"the pod has resources", "", "spec.containers[web].resources.limits.cpu", "spec.containers[web].resources.limits.cpu", []string{`"nodeSelector"`, `"resources":{"limits":{"cpu":"4"}},"nodeSelector"`},
		[]string{`"limits":{"cpu":"1"`, `"limits":{"cpu":"2"`}},
	{"the pod gets resources", "", "spec.resources", "spec.resources", nil, []string{`"nodeSelector"`, `"resources":{"limits":{"cpu":"4"}},"nodeSelector"`}},
	{"Windows", "", "spec.containers[web].resources.limits.cpu", "spec.containers[web].resources.limits.cpu", []string{`"nodeSelector"`, `"os":{"name":"windows"},"nodeSelector"`},
		[]string{`"limits":{"cpu":"1"`, `"limits":{"cpu":"2"`}},
	{"no quantity", "", "spec.containers[web].resources.limits.cpu", "spec.containers[web].resources.limits.cpu", nil, []string{`"limits":{"cpu":"1"`, `"limits":{"cpu":"much"`}},
	{"less than nothing", "", "spec.containers[web].resources.limits.cpu", "spec.containers[web].resources.limits.cpu", nil, []string{`"limits":{"cpu":"1"`, `"limits":{"cpu":"-1"`}},
	{"an amount that is not a string", "", "spec.containers[web].resources.limits.cpu", "spec.containers[web].resources.limits.cpu", nil, []string{`"limits":{"cpu":"1"`, `"limits":{"cpu":{}`}},
	{"limits that are no object", "", "spec.containers[log].resources", "spec.containers[log].resources", nil, []string{logIs, `{"image":"log:1","name":"log","resources":{"limits":"x"}}`}},
	{"resources that are no object", "", "spec.containers[log].resources", "spec.containers[log].resources", nil, []string{logIs, `{"image":"log:1","name":"log","resources":7}`}},
	{"the command, too", "", "spec.containers[web].command[0]", "spec.containers[web].command[0]", nil, []string{`"cpu":"1"`, `"cpu":"2"`, `["serve"]`, `["run"]`}},
	{"a container is added", "", "spec.containers", "spec.containers", nil, []string{`"cpu":"1"`, `"cpu":"2"`, logIs, logIs + `,{"image":"new:1","name":"new"}`}},
	{"another container stands there", "", "spec.containers", "spec.containers", nil, []string{`"name":"web"`, `"name":"db"`, `"cpu":"1"`, `"cpu":"2"`}},
}

// TestDifferenceOfResources has a row for each cell, and the way back of each.
func TestDifferenceOfResources(t *testing.T) {
	for _, row := range resourceRows {
		before := strings.NewReplacer(row.at...).Replace(base)
		from, to := mustTree(before), mustTree(strings.NewReplacer(row.to...).Replace(before))
		d := DifferenceOf(from, to, map[string]bool{"app": true}, everything)
		check(t, row.cell, "field", d.Field, row.field)
		if d.Field == "" {
			check(t, row.cell, "changes", resourcesIn(&d), row.changes)
		}
		back := DifferenceOf(to, from, nil, everything)
		if row.back != "" && !strings.HasPrefix(back.Field, row.back) || row.back == "" && !back.InPlace() {
			t.Errorf("%s: back differs in %q", row.cell, back.Field)
		}
		still := everything
		still.Restarts = false
		if d := DifferenceOf(from, to, nil, still); d.InPlace() == (row.field != "" || strings.HasSuffix(row.changes, "starts")) {
			t.Errorf("%s: where no container may start again, it differs in %q", row.cell, d.Field)
		}
		if d := DifferenceOf(from, to, nil, onlyImages); len(d.Resources) > 0 || d.InPlace() && row.changes != "" {
			t.Errorf("%s: resources change in place although they may not", row.cell)
		}
	}
	const twice = `{"spec":{"containers":[{"name":"a","resources":{"requests":{"cpu":"1"}}},{"name":"a","resources":{"requests":{"cpu":"1"}}}]}}`
	d := DifferenceOf(mustTree(twice), mustTree(strings.ReplaceAll(twice, `"1"`, `"2"`)), nil, everything)
	check(t, "two of one name", "field", d.Field, "spec.containers[a].resources.requests.cpu")
}

func resourcesIn(d *Difference) string {
	var list []string
	for of, quantity := range d.Resources {
		list = append(list, of.Container+"."+model.Resizable[of.Key].List+"."+model.Resizable[of.Key].Resource+"="+quantity)
	}
	slices.Sort(list)
	if d.Restarts() {
		list = append(list, "starts")
	}
	return strings.Join(list, " ")
}
