package engine

import (
	"fmt"
	"strings"
	"testing"

	"github.com/setplan/setplan/engine/claimtemplate"
	"github.com/setplan/setplan/engine/jsontree"
	"github.com/setplan/setplan/engine/model"
	"github.com/setplan/setplan/engine/podtemplate"
	"github.com/setplan/setplan/engine/policy"
)

const mounted = `{"metadata":{"labels":{"app":"web"}},"spec":{"containers":[{"image":"web:1","name":"web","volumeMounts":[{"mountPath":"/www","name":"www"}]}]}}`

// removing is a set with the claim template www, which it removes, and pods at the revision from before that.
func removing(replicas int) *world {
	return disks(replicas).asks(policy.ClaimTemplates, `{"www":null}`)
}

// made stores the revision that a plan makes, and the pods and claims.
func (w *world) made(p *model.Plan) *world {
	for _, stage := range p.Stages {
		for _, step := range stage.Steps {
			for _, a := range step.Actions {
				switch op := a.Op.(type) {
				case model.CreateRevision:
					data := jsontree.Append(nil, mustTree(string(op.Manifest)).Get("data"))
					w.Revisions = append(w.Revisions, model.Revision{Name: a.Name, UID: "uid-" + a.Name, ResourceVersion: "1", Number: int64(len(w.Revisions) + 1),
						Owners: w.owners(), Labels: map[string]string{"app": "web"}, CreatedAt: noon, Data: data})
				case model.UpdateStatus:
					w.Set.Status = op.Status
				}
			}
		}
	}
	return w
}

// removed is a set after a removal whose pods have all been updated, but for those below the partition.
func removed(replicas, partition int) *world {
	w := removing(replicas)
	w.Set.RollingUpdate.Partition = int32(partition)
	w.made(Decide(&w.Snapshot))
	for i := partition; i < replicas; i++ {
		p := w.p(fmt.Sprintf("web-%d", i))
		p.Revision, p.Volumes = w.Set.Status.UpdateRevision, nil
	}
	return w.settled()
}

// volumesOf says which volumes the pods have that a plan makes.
func volumesOf(p *model.Plan) string {
	var list []string
	for _, stage := range p.Stages {
		for _, step := range stage.Steps {
			for _, a := range step.Actions {
				if op, ok := a.Op.(model.CreatePod); ok {
					names := []string{}
					for _, volume := range mustTree(string(op.Manifest)).Get("spec").Get("volumes").Items() {
						names = append(names, volume.Get("name").Text)
					}
					list = append(list, a.Name+"="+strings.Join(names, "+"))
				}
			}
		}
	}
	return strings.Join(list, " ")
}

// TestRemovals: which pods a removal changes, and what those have that come back.
func TestRemovals(t *testing.T) {
	tests := []struct {
		name                  string
		of                    *world
		want, volumes, blocks string
	}{
		{"the first plan makes a revision, and begins with the highest pod", removing(2), "create-revision " + nameFrom(template, "www") + ", delete-pod web-1", "", "UPDATE_BUDGET web-0"},
		{"pods of both revisions have the right volumes", removed(3, 1), "", "", "PARTITION_HELD web-0"},
		{"a pod below the partition comes back with its claim", removed(2, 1).without("web-0"), "create-pod web-0", "web-0=www", ""},
		{"its claim is made, too", removed(2, 1).without("web-0").unclaimed("www-web-0"), "create-claim www-web-0, create-pod web-0", "web-0=www", ""},
		{"one above it comes back without", removed(2, 1).without("web-1"), "create-pod web-1", "web-1=", "PARTITION_HELD web-0"},
		{"no claim is made for it", removed(2, 1).without("web-1").unclaimed("www-web-1"), "create-pod web-1", "web-1=", "PARTITION_HELD web-0"},
		{"nor does it wait for one that is deleted", removed(2, 0).without("web-1").claimDeleted("www-web-1"), "create-pod web-1", "web-1=", ""},
		{"nor for one that goes with an earlier set", removed(2, 0).without("web-1").claimOfEarlier("www-web-1"), "create-pod web-1", "web-1=", ""},
		{"nor does it follow its template", removed(1, 0).asked("www-web-0", "20Gi"), "", "", ""},
		{"not by a policy either", removed(1, 0).asked("www-web-0", "5Gi").asks(policy.ClaimPolicy, "InPlace"), "", "", ""},
		{"a pod template that has a volume of the name may mount it", removed(1, 0).template(strings.Replace(mounted, `"spec":{`, `"spec":{"volumes":[{"emptyDir":{},"name":"www"}],`, 1)).without("web-0"),
			"create-revision " + nameFrom(strings.Replace(mounted, `"spec":{`, `"spec":{"volumes":[{"emptyDir":{},"name":"www"}],`, 1), "www") + ", create-pod web-0", "web-0=www", ""},
		{"one below the partition does", removed(2, 2).without("web-1").claimDeleted("www-web-1"), "", "", "CLAIM_TERMINATING www-web-1, PARTITION_HELD web-0"},
		{"a pending pod of the older revision gets its claim", removed(1, 1).pending("web-0").unclaimed("www-web-0"), "create-claim www-web-0", "", "POD_NOT_READY web-0, PARTITION_HELD web-0"},
		{"one of the newer does not", removed(1, 0).pending("web-0").unclaimed("www-web-0"), "", "", "POD_NOT_READY web-0"},
		{"a pod template that mounts the volume keeps it", removing(1).template(mounted), "create-revision " + nameFrom(mounted) + ", delete-pod web-0", "",
			"INVALID_POLICY web"},
		{"an annotation that cannot be read changes nothing", removed(2, 0).asks(policy.ClaimTemplates, `{"www":`).without("web-1"), "create-pod web-1", "web-1=", "INVALID_POLICY web"},
		{"nor does a policy", removed(2, 0).asks(policy.ClaimPolicy, "Never").without("web-1"), "create-pod web-1", "web-1=", "INVALID_POLICY web"},
		{"without the annotation the claims are wanted again", removed(2, 0).asks(policy.ClaimTemplates, ""), "renumber-revision " + nameFrom(template) + ", delete-pod web-1", "", "UPDATE_BUDGET web-0"},
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

// TestRemovalInTheData: the data of a revision says what its pods are without, and is upstream's as long as they are without nothing.
func TestRemovalInTheData(t *testing.T) {
	w := removing(1)
	for _, stage := range Decide(&w.Snapshot).Stages {
		for _, step := range stage.Steps {
			for _, a := range step.Actions {
				if op, ok := a.Op.(model.CreateRevision); ok {
					data := mustTree(string(op.Manifest)).Get("data")
					check(t, "data", "key", fmt.Sprint(data.Get(policy.ClaimTemplates).Members()[0].Key), "www")
					if template := data.Get("spec").Get("template").Without("$patch"); !podtemplate.SameTemplate(template, mustTree(string(w.Set.PodTemplate))) {
						t.Errorf("the template is %v", template)
					}
				}
			}
		}
	}
}

// nameFrom is the name of the revision of a pod template, whose pods are without some claims.
func nameFrom(template string, removed ...string) string {
	claims := make([]jsontree.Member, len(removed))
	for i, name := range removed {
		claims[i].Key = name // and null
	}
	return podtemplate.RevisionName("web", hashOf(patchOf(mustTree(template), claims), 0))
}

func (w *world) template(text string) *world {
	w.Set.PodTemplate = []byte(text)
	w.Set.Generation++
	return w
}

func (w *world) unclaimed(name string) *world {
	for i := range w.Claims {
		if w.Claims[i].Name == name {
			w.Claims = append(w.Claims[:i], w.Claims[i+1:]...)
			return w
		}
	}
	panic("no claim " + name)
}

func (w *world) claimDeleted(name string) *world {
	w.c(name).DeletedAt = noon
	return w
}

func (w *world) claimOfEarlier(name string) *world {
	w.c(name).Owners = []model.Owner{{APIVersion: "apps/v1", Kind: "StatefulSet", Name: "web", UID: "earlier", Controller: true}}
	return w
}

// asked is a claim that an earlier plan has grown.
func (w *world) asked(name, size string) *world {
	c := w.c(name)
	c.Storage = &model.ClaimStorage{Request: size, Capacity: size}
	c.Annotations = &model.Annotations{Values: map[string]string{claimtemplate.AnnotationClaimRequest: size, claimtemplate.AnnotationClaimChanged: "2026-01-01T00:00:00Z"}}
	return w
}

func (w *world) pending(name string) *world {
	w.p(name).Phase, w.p(name).Ready = model.PodPending, false
	return w
}

// TestRemovalsAreNotInPlace: a pod that has a volume more than its revision says is another pod, though the template differs in nothing.
func TestRemovalsAreNotInPlace(t *testing.T) {
	for way, want := range map[string]string{"InPlaceIfPossible": "delete-pod web-1", "InPlaceOnly": ""} {
		w := removing(2).parallel().asks(policy.InPlace, way)
		w.made(Decide(&w.Snapshot))
		plan := Decide(&w.settled().Snapshot)
		check(t, way, "actions", strings.Join(updates(plan), ", "), want)
		if told := strings.Contains(sortedBlocks(plan), "UPDATE_NOT_IN_PLACE web-1"); told != (want == "") {
			t.Errorf("%s: %s", way, sortedBlocks(plan))
		}
	}
}
