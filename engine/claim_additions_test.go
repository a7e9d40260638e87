package engine

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"github.com/setplan/setplan/engine/claimtemplate"
	"github.com/setplan/setplan/engine/jsontree"
	"github.com/setplan/setplan/engine/model"
	"github.com/setplan/setplan/engine/podtemplate"
	"github.com/setplan/setplan/engine/policy"
	"github.com/setplan/setplan/engine/state"
)

const (
	wal       = `{"spec":{"accessModes":["ReadWriteOnce"],"resources":{"requests":{"storage":"5Gi"}},"storageClassName":"fast"}}`
	walBigger = `{"metadata":{"labels":{"tier":"gold"}},"spec":{"accessModes":["ReadWriteOnce"],"resources":{"requests":{"storage":"8Gi"}},"storageClassName":"fast"}}`

	walMounted  = `{"metadata":{"labels":{"app":"web"}},"spec":{"containers":[{"image":"web:1","name":"web","volumeMounts":[{"mountPath":"/wal","name":"wal"}]}],"volumes":[{"name":"wal","persistentVolumeClaim":{"claimName":"wal"}}]}}`
	walEmpty    = `{"metadata":{"labels":{"app":"web"}},"spec":{"containers":[{"image":"web:1","name":"web","volumeMounts":[{"mountPath":"/wal","name":"wal"}]}],"volumes":[{"emptyDir":{},"name":"wal"}]}}`
	walReadOnly = `{"metadata":{"labels":{"app":"web"}},"spec":{"containers":[{"image":"web:1","name":"web"}],"volumes":[{"name":"wal","persistentVolumeClaim":{"claimName":"wal","readOnly":true}}]}}`
)

// adding is a set with the claim template www that adds wal, whose pods are at the revision from before that.
func adding(replicas int) *world {
	return disks(replicas).asks(policy.ClaimTemplates, `{"wal":`+wal+`}`).template(walMounted)
}

// added is a set whose pods have wal, but for those below the partition.
func added(replicas, partition int) *world {
	w := adding(replicas)
	w.Set.RollingUpdate.Partition = int32(partition)
	w.made(Decide(&w.Snapshot))
	for i := partition; i < replicas; i++ {
		p := w.p(fmt.Sprintf("web-%d", i))
		p.Revision, p.Volumes = w.Set.Status.UpdateRevision, []string{"wal", "www"}
		c := w.claim("wal-" + p.Name)
		c.Storage = &model.ClaimStorage{Request: "5Gi", Capacity: "5Gi"}
		c.Annotations = &model.Annotations{Values: map[string]string{claimtemplate.AnnotationClaimRequest: "5Gi"}}
	}
	return w.settled()
}

// nameAdding is the name of the revision of a pod template whose pods have wal.
func nameAdding(template, wal string) string {
	return podtemplate.RevisionName("web", hashOf(patchOf(mustTree(template), []jsontree.Member{{Key: "wal", Value: mustTree(wal)}}), 0))
}

// TestAdditions: which pods an added claim template changes, and what those have that come back.
func TestAdditions(t *testing.T) {
	const bad = `{"wal":{"spec":{"accessModes":["ReadWriteOnce"]}}}`
	rolls := "create-revision " + nameAdding(walMounted, wal) + ", delete-pod web-1"
	tests := []struct {
		name                  string
		of                    *world
		want, volumes, blocks string
	}{
		{"the first plan makes a revision, and begins with the highest pod", adding(2), rolls, "", "UPDATE_BUDGET web-0"},
		{"the template alone changes nothing", adding(2).template(template), "", "", ""},
		{"a limit that cannot be read is about claims that are there", adding(2).asks(policy.ClaimLimit, "some"), rolls, "", "UPDATE_BUDGET web-0, INVALID_POLICY web"},
		{"and so is a policy", adding(2).asks(policy.ClaimPolicy, "Sometimes"), rolls, "", "UPDATE_BUDGET web-0, INVALID_POLICY web"},
		{"and a size that shrinks", adding(2).asks(policy.ClaimTemplates, `{"wal":`+wal+`,"www":{"spec":{"resources":{"requests":{"storage":"5Gi"}}}}}`), rolls, "", "UPDATE_BUDGET web-0, CLAIM_SHRINKS web"},
		{"nor does one for which the pod template has another volume", added(2, 0).template(walEmpty), "create-revision " + nameFrom(walEmpty) + ", delete-pod web-1", "", "UPDATE_BUDGET web-0"},
		{"or one that cannot be written to", added(2, 0).template(walReadOnly), "create-revision " + nameFrom(walReadOnly) + ", delete-pod web-1", "", "UPDATE_BUDGET web-0"},
		{"pods of both revisions have the right volumes", added(3, 1), "", "", "PARTITION_HELD web-0"},
		{"a pod below the partition comes back without", added(2, 1).without("web-0"), "create-pod web-0", "web-0=www", ""},
		{"one above it comes back with its claim", added(2, 1).without("web-1"), "create-pod web-1", "web-1=www+wal", "PARTITION_HELD web-0"},
		{"its claim is made, too", added(2, 1).without("web-1").unclaimed("wal-web-1"), "create-claim wal-web-1, create-pod web-1", "web-1=www+wal", "PARTITION_HELD web-0"},
		{"it waits for one that is deleted", added(1, 0).without("web-0").claimDeleted("wal-web-0"), "", "", "CLAIM_TERMINATING wal-web-0"},
		{"and for one that goes with an earlier set", added(1, 0).without("web-0").claimOfEarlier("wal-web-0"), "", "", "CLAIM_STALE wal-web-0"},
		{"a pod without waits for neither", added(1, 1).without("web-0").with("wal-web-0").claimDeleted("wal-web-0"), "create-pod web-0", "web-0=www", ""},
		{"a pending pod gets its claim", added(1, 0).pending("web-0").unclaimed("wal-web-0"), "create-claim wal-web-0", "", "POD_NOT_READY web-0"},
		{"one of the older revision does not", added(1, 1).pending("web-0"), "", "", "POD_NOT_READY web-0, PARTITION_HELD web-0"},
		{"a bigger size rolls nothing, and the first claim grows", added(2, 0).asks(policy.ClaimTemplates, `{"wal":`+walBigger+`}`), "patch-claim wal-web-1, patch-claim wal-web-0", "", "CLAIM_CHANGE_WAITS wal-web-0"},
		{"another image then makes a revision with the size of today", added(1, 0).asks(policy.ClaimTemplates, `{"wal":`+walBigger+`}`).asks(policy.ClaimPolicy, "OnDelete").template(strings.Replace(walMounted, "web:1", "web:2", 1)),
			"create-revision " + nameAdding(strings.Replace(walMounted, "web:1", "web:2", 1), walBigger) + ", delete-pod web-0", "", ""},
		{"the template gone from the annotation stays while the pod template asks for it", added(1, 0).asks(policy.ClaimTemplates, "").without("web-0").unclaimed("wal-web-0"), "create-claim wal-web-0, create-pod web-0", "web-0=www+wal", "INVALID_POLICY web"},
		{"null cannot be read, as later, when no revision has it", added(1, 0).asks(policy.ClaimTemplates, `{"wal":null}`).without("web-0"), "create-pod web-0", "web-0=www+wal", "INVALID_POLICY web"},
		{"and says so at once, though the pod template has another volume", added(1, 1).asks(policy.ClaimTemplates, `{"wal":null}`).template(template), "renumber-revision " + nameFrom(template), "", "INVALID_POLICY web"},
		{"without the volume it goes, in order, and no claim does", added(2, 0).asks(policy.ClaimTemplates, "").template(template), "renumber-revision " + nameFrom(template) + ", delete-pod web-1", "", "UPDATE_BUDGET web-0"},
		{"the volume alone takes it away from new pods", added(2, 0).template(template), "renumber-revision " + nameFrom(template) + ", delete-pod web-1", "", "UPDATE_BUDGET web-0"},
		{"a pod of a revision that has it comes back with it after that", goneAbove(2, 1).without("web-0").unclaimed("wal-web-0"), "create-claim wal-web-0, create-pod web-0", "web-0=www+wal", ""},
		{"also where the annotation is about another template", goneAbove(2, 1).asks(policy.ClaimTemplates, `{"www":{"metadata":{"labels":{"tier":"gold"}}}}`).asks(policy.ClaimPolicy, "OnDelete").without("web-0").unclaimed("wal-web-0"), "create-claim wal-web-0, create-pod web-0", "web-0=www+wal", ""},
		{"one above without", goneAbove(2, 1).without("web-1"), "create-pod web-1", "web-1=www", "PARTITION_HELD web-0"},
		{"an undo of that finds the claims", goneAbove(2, 0).template(walMounted), "renumber-revision " + nameAdding(walMounted, wal) + ", delete-pod web-1", "", "UPDATE_BUDGET web-0, INVALID_POLICY web"},
		{"an annotation that cannot be read changes nothing", added(2, 0).asks(policy.ClaimTemplates, `{"wal":`).without("web-1").unclaimed("wal-web-1"), "create-claim wal-web-1, create-pod web-1", "web-1=www+wal", "INVALID_POLICY web"},
		{"nor does one that is not whole", added(2, 0).asks(policy.ClaimTemplates, bad).without("web-1"), "create-pod web-1", "web-1=www+wal", "INVALID_POLICY web"},
		{"nor does a policy", added(2, 0).asks(policy.ClaimPolicy, "Never").without("web-1"), "create-pod web-1", "web-1=www+wal", "INVALID_POLICY web"},
		{"a removal beside it is part of the revision, too", added(1, 0).asks(policy.ClaimTemplates, `{"wal":`+wal+`,"www":null}`),
			"create-revision " + podtemplate.RevisionName("web", hashOf(patchOf(mustTree(walMounted), []jsontree.Member{{Key: "wal", Value: mustTree(wal)}, {Key: "www"}}), 0)) + ", delete-pod web-0", "", ""},
		{"an adapter that does not show such claims changes nothing", adding(2).lacks(model.CanAddClaimTemplates).template(template), "", "", "CAPABILITY_MISSING web"},
		{"with such a revision it does nothing at all", added(2, 0).without("web-1").lacks(model.CanAddClaimTemplates), "", "", "CAPABILITY_MISSING web"},
		{"nor is anything done before claims are listed", noClaimsListed(added(2, 0).without("web-1")), "", "", "COVERAGE_INCOMPLETE web"},
		{"nor where only a revision adds them", noClaimsListed(added(2, 0).asks(policy.ClaimTemplates, "").without("web-1")), "", "", "COVERAGE_INCOMPLETE web"},
		{"nor before a revision has any", noClaimsListed(adding(2)), "", "", "COVERAGE_INCOMPLETE web"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			p := Decide(&tt.of.Snapshot)
			check(t, tt.name, "actions", actions(p), tt.want)
			check(t, tt.name, "volumes", volumesOf(p), tt.volumes)
			check(t, tt.name, "blocks", blocks(p), tt.blocks)
		})
	}
}

// goneAbove is a set that has added wal and then removed it, with pods that have it below the partition only.
func goneAbove(replicas, partition int) *world {
	w := added(replicas, 0)
	w.asks(policy.ClaimTemplates, "").template(template)
	w.Set.RollingUpdate.Partition = int32(partition)
	w.Revisions[0].Number = 3
	w.Set.Status.UpdateRevision, w.Set.Status.ObservedGeneration = w.Revisions[0].Name, w.Set.Generation
	for i := partition; i < replicas; i++ {
		p := w.p(fmt.Sprintf("web-%d", i))
		p.Revision, p.Volumes = w.Revisions[0].Name, []string{"www"}
	}
	return w.settled()
}

// TestAddedRevision: what the data of a revision says, and which revisions count as the same.
func TestAddedRevision(t *testing.T) {
	w := added(1, 0)
	data := w.Revisions[1].Data
	want := `{"setplan.io/claim-templates":{"wal":` + wal + `},"spec":{"template":{"$patch":"replace",`
	if !bytes.HasPrefix(data, []byte(want)) {
		t.Errorf("the data is %s", data)
	}
	w.asks(policy.ClaimTemplates, `{"wal":`+walBigger+`}`).asks(policy.ClaimPolicy, "OnDelete")
	check(t, "another size with the generation of an edit", "actions", actions(Decide(&w.Snapshot)), "")
	w.Set.Generation++ // somebody has edited the spec and taken that back
	check(t, "the same after an edit", "actions", actions(Decide(&w.Snapshot)), "")
	w.template(template)
	w.made(Decide(&w.Snapshot))
	w.Revisions[0].Number = 3 // the plan has renumbered it
	w.template(walMounted)
	check(t, "an undo goes back to the revision with the earlier size", "actions", actions(Decide(&w.Snapshot)), "renumber-revision "+w.Revisions[1].Name)
}

// TestAddedClaim: what a new claim of an added template looks like: as the annotation says today, and else as the newest revision that has it.
func TestAddedClaim(t *testing.T) {
	for name, tt := range map[string]struct{ annotation, size, label string }{
		"as the revision and the annotation say": {`{"wal":` + wal + `}`, "5Gi", ""},
		"as the annotation says today":           {`{"wal":` + walBigger + `}`, "8Gi", "gold"},
		"as the revision says":                   {``, "5Gi", ""},
	} {
		w := added(1, 0).asks(policy.ClaimTemplates, tt.annotation).without("web-0").unclaimed("wal-web-0")
		for _, a := range allActions(Decide(&w.Snapshot)) {
			if op, ok := a.Op.(model.CreateClaim); ok {
				claim := mustTree(string(op.Manifest))
				check(t, name, "name", claim.Get("metadata").Get("name").Text, "wal-web-0")
				check(t, name, "size", claim.Get("spec").Get("resources").Get("requests").Get("storage").Text, tt.size)
				check(t, name, "class", claim.Get("spec").Get("storageClassName").Text, "fast")
				check(t, name, "label", claim.Get("metadata").Get("labels").Get("tier").Text, tt.label)
				check(t, name, "selector's label", claim.Get("metadata").Get("labels").Get("app").Text, "web")
			}
		}
	}
}

// TestInvalidAdditions: what is wrong with templates of which the API server would make no claim.
func TestInvalidAdditions(t *testing.T) {
	const spec = `"accessModes":["ReadWriteOnce"],"resources":{"requests":{"storage":"5Gi"}}`
	many := make([]string, 101)
	for i := range many {
		many[i] = fmt.Sprintf(`"wal%d":%s`, i, wal)
	}
	for name, tt := range map[string]struct{ annotation, want string }{
		"a patch with a wrong name":        {`{"wwww":{"spec":{"resources":{"requests":{"storage":"20Gi"}}}}}`, `spec.volumeClaimTemplates has no template "wwww", and to add one, the annotation must set spec.accessModes`},
		"no amount":                        {`{"wal":{"spec":{"accessModes":["ReadWriteOnce"]}}}`, `has no template "wal", and to add one, the annotation must set spec.resources.requests.storage`},
		"an amount that cannot be read":    {`{"wal":{"spec":{"accessModes":["ReadWriteOnce"],"resources":{"requests":{"storage":"much"}}}}}`, `is "much"; it must be a string with a quantity`},
		"a number":                         {`{"wal":{"spec":{"accessModes":["ReadWriteOnce"],"resources":{"requests":{"storage":5}}}}}`, `is "5"; it must be a string with a quantity`},
		"a mode that there is not":         {`{"wal":{"spec":{"accessModes":["Write"],"resources":{"requests":{"storage":"5Gi"}}}}}`, `has no template "wal", and one that is added cannot have this spec.accessModes`},
		"a volume mode that there is not":  {`{"wal":{"spec":{` + spec + `,"volumeMode":"Tape"}}}`, `cannot have this spec.volumeMode`},
		"a class that is not a string":     {`{"wal":{"spec":{` + spec + `,"storageClassName":1}}}`, `spec.storageClassName of template "wal" must be a string`},
		"a source that is too deep":        {`{"wal":{"spec":{` + spec + `,"dataSource":` + strings.Repeat(`{"a":`, 20) + "1" + strings.Repeat("}", 20) + `}}}`, "spec.dataSource of template \"wal\" has more than 1000 values or is nested more than 20 levels deep"},
		"a source of too many values":      {`{"wal":{"spec":{` + spec + `,"dataSourceRef":{"a":[` + strings.Repeat("1,", 998) + `1]}}}}`, `spec.dataSourceRef of template "wal" has more than`},
		"a selector that is no object":     {`{"wal":{"spec":{` + spec + `,"selector":"a=b"}}}`, `spec.selector of template "wal" must be an object`},
		"a field that there is not":        {`{"wal":{"spec":{` + spec + `,"size":"5Gi"}}}`, `cannot have this spec.size`},
		"the name of one volume":           {`{"wal":{"spec":{` + spec + `,"volumeName":"pv1"}}}`, `cannot have this spec.volumeName`},
		"null in it":                       {`{"wal":{"spec":{` + spec + `,"volumeMode":null}}}`, `cannot have this spec.volumeMode`},
		"no object":                        {`{"wal":"5Gi"}`, ` of template "wal" must be an object`},
		"nothing":                          {`{"wal":{}}`, `must set spec.accessModes`},
		"a label of ours":                  {`{"wal":{"metadata":{"labels":{"setplan.io/x":"y"}},"spec":{` + spec + `}}}`, `metadata.labels.setplan.io/x of template "wal"`},
		"a label of the selector":          {`{"wal":{"metadata":{"labels":{"app":"y"}},"spec":{` + spec + `}}}`, `metadata.labels.app of template "wal"`},
		"a name that no volume can have":   {`{"Wal":` + wal + `}`, `has no template "Wal", and none of this name can be added`},
		"a name with a dot":                {`{"a.b":` + wal + `}`, `has no template "a.b", and none of this name`},
		"no name":                          {`{"":` + wal + `}`, `has no template "", and none of this name`},
		"a long name":                      {`{"` + strings.Repeat("w", 64) + `":` + wal + `}`, `has no template "wwww`},
		"null for what nobody knows":       {`{"wal":null}`, `spec.volumeClaimTemplates has no template "wal"`},
		"more than anybody needs":          {`{` + strings.Join(many, ",") + `}`, `it adds more than 100 claim templates`},
		"an amount of nothing":             {`{"wal":{"spec":{"accessModes":["ReadWriteOnce"],"resources":{"requests":{"storage":"0"}}}}}`, `is "0"; it must be a string with a quantity`},
		"the right one, and a wrong patch": {`{"wal":` + wal + `,"www":{"spec":{"accessModes":[]}}}`, `spec.accessModes of template "www" cannot be changed`},
	} {
		w := disks(1).asks(policy.ClaimTemplates, tt.annotation)
		p := Decide(&w.Snapshot)
		check(t, name, "actions", actions(p), "")
		check(t, name, "blocks", blocks(p), "INVALID_POLICY web")
		if len(p.Blocks) > 0 && !strings.Contains(p.Blocks[0].Message, tt.want) {
			t.Errorf("%s: %s", name, p.Blocks[0].Message)
		}
	}
}

// TestHostileAdditions: thousands of members, in the annotation and in revisions, are read within bounds and change nothing.
func TestHostileAdditions(t *testing.T) {
	members := make([]string, 10_000)
	for i := range members {
		members[i] = fmt.Sprintf(`"wal%05d":%s`, i, wal)
	}
	w := disks(2)
	for n := range 50 {
		data := `{"setplan.io/claim-templates":{` + strings.Join(members[n*200:(n+1)*200], ",") + `},"spec":{"template":` + template + `}}`
		w.Revisions = append([]model.Revision{{Name: fmt.Sprintf("web-old%d", n), UID: fmt.Sprint("old", n), ResourceVersion: "1", Owners: w.owners(), Labels: w.Revisions[0].Labels, Data: []byte(data)}}, w.Revisions...)
	}
	w.asks(policy.ClaimTemplates, `{`+strings.Join(members, ",")+`}`)
	p := Decide(&w.Snapshot)
	check(t, "hostile", "actions", strings.SplitAfter(actions(p), "delete-revision")[0], "delete-revision")
	check(t, "hostile", "blocks", blocks(p), "INVALID_POLICY web")
}

// TestDrainWithoutAdded: an ordinal whose pod never had an added claim template is drained without it, and one that has its claim with it.
func TestDrainWithoutAdded(t *testing.T) {
	for claims, want := range map[string]string{"": "web-1=www", "wal-web-1": "web-1=www+wal"} {
		w := added(2, 2).asks(policy.DrainTemplate, drainTemplate).asks(policy.DrainLeftovers, "true")
		w.Set.Replicas = 1
		w.without("web-1")
		if claims != "" {
			w.with(claims)
		}
		p := Decide(&w.Snapshot)
		check(t, claims, "volumes", volumesOf(p), want)
	}
}

func (w *world) with(claim string) *world {
	w.claim(claim).Storage = &model.ClaimStorage{Request: "5Gi", Capacity: "5Gi"}
	return w
}

func (w *world) lacks(capability model.Capabilities) *world {
	w.Capabilities &^= capability
	return w
}

func noClaimsListed(w *world) *world {
	w.Set.ClaimTemplates, w.Claims, w.Coverage.Claims = nil, nil, false
	return w
}

// TestOnlyAnnotated: claims that are called like those of a template that neither the pod template asks for nor a revision has are somebody else's.
func TestOnlyAnnotated(t *testing.T) {
	drains := func(w *world) *world {
		return w.asks(policy.DrainTemplate, drainTemplate).asks(policy.DrainLeftovers, "true")
	}
	for reason, row := range map[string]struct {
		change                func(*world)
		want, volumes, blocks string
	}{
		"it goes with no set":        {func(w *world) { w.Set.WhenDeleted = "Delete"; w.ofSet("www-web-0", "www-web-1") }, "", "", ""},
		"it goes with no pod":        {func(w *world) { w.Set.WhenScaled, w.Set.Replicas = "Delete", 1; w.ofPod("www-web-1", "web-1") }, "delete-pod web-1", "", ""},
		"nobody takes it from a set": {func(w *world) { w.ofSet("wal-web-0") }, "", "", ""},
		"nor from a pod":             {func(w *world) { w.ofPod("wal-web-0", "web-0") }, "", "", ""},
		"no drain takes one that has a mark": {func(w *world) {
			drains(w).scaledTo(1)
			noteClaim(w.c("wal-web-1"), state.AnnotationDrainSet, webMark)
		}, "patch-annotations www-web-0, patch-annotations www-web-1, patch-annotations www-web-1, create-pod web-1", "web-1=www", ""},
		"it does not grow":                         {func(w *world) { w.asks(policy.ClaimTemplates, `{"wal":`+walBigger+`}`) }, "", "", ""},
		"no pod waits for one that goes":           {func(w *world) { w.without("web-0").claimDeleted("wal-web-0") }, "create-pod web-0", "web-0=www", ""},
		"it is not made":                           {func(w *world) { w.without("web-0").unclaimed("wal-web-0") }, "create-pod web-0", "web-0=www", ""},
		"no drain takes it":                        {func(w *world) { drains(w).scaledTo(1) }, "patch-annotations www-web-0, patch-annotations www-web-1, patch-annotations www-web-1, create-pod web-1", "web-1=www", ""},
		"nor is it left over for one":              {func(w *world) { drains(w).scaledTo(1).withoutClaim("www-web-1") }, "patch-annotations www-web-0", "", ""},
		"one that is not whole is still a mistake": {func(w *world) { w.asks(policy.ClaimTemplates, `{"wal":{}}`) }, "", "", "INVALID_POLICY web"},
		"nor does an unreadable pod template ask": {func(w *world) {
			w.Set.WhenDeleted, w.Set.PodTemplate = "Delete", []byte("{")
			w.ofSet("www-web-0", "www-web-1")
		}, "", "", "INVALID_TEMPLATE web"},
		"the pod template asks for it": {func(w *world) {
			w.Set.WhenDeleted = "Delete"
			w.ofSet("www-web-0", "www-web-1").template(walMounted)
		}, "create-revision " + nameAdding(walMounted, wal) + ", set-claim-owners wal-web-0, set-claim-owners wal-web-1, delete-pod web-1", "", "UPDATE_BUDGET web-0"},
	} {
		w := adding(2).template(template).with("wal-web-0").with("wal-web-1")
		row.change(w)
		p := Decide(&w.Snapshot)
		check(t, reason, "actions", actions(p), row.want)
		check(t, reason, "volumes", volumesOf(p), row.volumes)
		check(t, reason, "blocks", blocks(p), row.blocks)
	}
}

// TestHistoryKeepsOwnedTemplates: the last revision that has a template stays as long as a claim of it goes with the set or a pod, so that the
// retention policy can still release that.
func TestHistoryKeepsOwnedTemplates(t *testing.T) {
	last := nameAdding(walMounted, wal)
	older := func(w *world) string { // has the template, too
		r := w.Revisions[1]
		r.Name, r.UID, r.Number = "web-older", "uid-older", 1
		w.Revisions = append([]model.Revision{r}, w.Revisions...)
		return r.Name
	}
	for reason, row := range map[string]struct {
		change func(*world)
		want   string
	}{
		"no claim goes with anything": {func(*world) {}, "delete-revision " + last},
		"one goes with the set": {func(w *world) {
			w.Set.WhenDeleted = "Delete"
			w.ofSet("www-web-0", "www-web-1", "wal-web-0", "wal-web-1")
		}, ""},
		"and is to be released":                 {func(w *world) { w.ofSet("wal-web-0") }, "set-claim-owners wal-web-0"},
		"one outside the range goes with a pod": {func(w *world) { w.Set.WhenScaled = "Delete"; w.with("wal-web-7").ofPod("wal-web-7", "web-7") }, ""},
		"one goes with somebody else": {func(w *world) {
			w.c("wal-web-0").Owners = []model.Owner{{APIVersion: "v1", Kind: "Pod", Name: "job", UID: "job"}}
		}, "delete-revision " + last},
		"one of the set's own goes with the set": {func(w *world) {
			w.Set.WhenDeleted = "Delete"
			w.ofSet("www-web-0", "www-web-1").unclaimed("wal-web-0").unclaimed("wal-web-1")
		}, "delete-revision " + last},
		"a newer revision has it, too": {func(w *world) {
			w.Set.WhenDeleted = "Delete"
			older(w.ofSet("www-web-0", "www-web-1", "wal-web-0", "wal-web-1"))
		}, "delete-revision web-older"},
		"one that stays has it, too": {func(w *world) {
			w.Set.WhenDeleted, w.Set.RevisionHistoryLimit = "Delete", 1
			older(w.ofSet("www-web-0", "www-web-1", "wal-web-0", "wal-web-1"))
		}, "delete-revision web-older"},
	} {
		w := goneAbove(2, 0)
		w.Set.RevisionHistoryLimit = 0
		row.change(w)
		check(t, reason, "actions", actions(Decide(&w.Snapshot)), row.want)
	}
}

// TestRevisionOfSomebody: a revision that no pod has adds claim templates for nobody. Anybody may have made it, with the set as its controller or without
// one, and claims that are called like those of its templates are somebody else's.
func TestRevisionOfSomebody(t *testing.T) {
	for reason, row := range map[string]struct {
		change      func(*world)
		want, first string // first: what is done where the set has yet to adopt the revision
	}{
		"the claims go with no set": {func(w *world) { w.Set.WhenDeleted = "Delete"; w.ofSet("www-web-0", "www-web-1") }, "", "adopt-revision evil"},
		"nor with any pod":          {func(w *world) { w.Set.WhenScaled, w.Set.Replicas = "Delete", 1; w.ofPod("www-web-1", "web-1") }, "delete-pod web-1", "adopt-revision evil, delete-pod web-1"},
		"an adapter need not know":  {func(w *world) { w.lacks(model.CanAddClaimTemplates).without("web-1") }, "create-pod web-1", "adopt-revision evil, create-pod web-1"},
		"no drain marks them":       {func(w *world) { w.asks(policy.DrainTemplate, drainTemplate) }, "patch-annotations www-web-0, patch-annotations www-web-1", "adopt-revision evil, patch-annotations www-web-0, patch-annotations www-web-1"},
		"nor takes them": {func(w *world) {
			w.asks(policy.DrainTemplate, drainTemplate).asks(policy.DrainLeftovers, "true").scaledTo(1)
			noteClaim(w.c("www-web-0"), state.AnnotationDrainSet, webMark)
			noteClaim(w.c("www-web-1"), state.AnnotationDrainSet, webMark)
		}, "patch-annotations www-web-1, create-pod web-1", "adopt-revision evil, patch-annotations www-web-1, create-pod web-1"},
		"one that goes is released": {func(w *world) { w.ofSet("wal-web-0").Set.WhenScaled = "Delete" }, "set-claim-owners wal-web-0", "adopt-revision evil"},
		"and not handed to the pod": {func(w *world) {
			w.Set.WhenScaled, w.Set.WhenDeleted, w.Set.Replicas = "Delete", "Delete", 1
			w.ofPod("www-web-1", "web-1").ofSet("www-web-0", "wal-web-1")
		}, "set-claim-owners wal-web-1, delete-pod web-1", "adopt-revision evil, delete-pod web-1"},
	} {
		for _, orphan := range []bool{false, true} {
			w := disks(2).with("wal-web-0").with("wal-web-1")
			r := model.Revision{Name: "evil", UID: "evil", ResourceVersion: "1", Labels: w.Revisions[0].Labels, Data: []byte(`{"setplan.io/claim-templates":{"wal":` + wal + `},"spec":{"template":` + walMounted + `}}`)}
			want := row.first
			if !orphan {
				r.Owners, want = w.owners(), row.want
			}
			w.Revisions, w.Set.RevisionHistoryLimit = append([]model.Revision{r}, w.Revisions...), 5
			row.change(w)
			p := Decide(&w.Snapshot)
			check(t, reason, "actions", actions(p), want)
			check(t, reason, "blocks", blocks(p), "")
		}
	}
}
