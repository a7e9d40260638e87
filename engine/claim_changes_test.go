package engine

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/setplan/setplan/engine/claimtemplate"
	"github.com/setplan/setplan/engine/model"
	"github.com/setplan/setplan/engine/policy"
	"github.com/setplan/setplan/engine/quantity"
)

const tenGi = `{"metadata":{"name":"www"},"spec":{"accessModes":["ReadWriteOnce"],"resources":{"requests":{"storage":"10Gi"}}}}`

// asksFor is the patch that asks for so much storage.
func asksFor(storage string) string {
	return `{"www":{"spec":{"resources":{"requests":{"storage":"` + storage + `"}}}}}`
}

// disks is a set with a claim of 10Gi for each of its pods.
func disks(replicas int) *world {
	w := newWorld(replicas).withClaims()
	w.Set.ClaimTemplates = [][]byte{[]byte(tenGi)}
	for i := range w.Claims {
		w.Claims[i].Storage = &model.ClaimStorage{Request: "10Gi", Capacity: "10Gi", Class: "fast"}
	}
	return w
}

// patched writes the changes of claims that a plan has, and grows what they ask for.
func (w *world) patched(p *model.Plan, grown bool) (claims []string) {
	for _, stage := range p.Stages {
		for _, step := range stage.Steps {
			for _, a := range step.Actions {
				if op, ok := a.Op.(model.PatchClaim); ok {
					claims = append(claims, a.Name+"="+op.Request)
					w.apply(w.c(a.Name), op, grown)
				}
			}
		}
	}
	return claims
}

func (w *world) apply(c *model.Claim, op model.PatchClaim, grown bool) {
	is := *c.Storage
	if op.Request != "" {
		is.Request = op.Request
	}
	if op.AttributesClass != "" {
		is.AttributesClass = op.AttributesClass
	}
	if grown {
		is.Capacity, is.CurrentAttributesClass = is.Request, is.AttributesClass
	}
	c.Storage = &is
	values := map[string]string{}
	if c.Annotations != nil {
		for k, v := range c.Annotations.Values {
			values[k] = v
		}
	}
	for _, a := range op.Annotations {
		values[a.Key] = a.Value
	}
	c.Annotations = &model.Annotations{Values: values}
}

// TestClaimsGrow: one claim first, then as many as the limit says, whatever the pods do.
func TestClaimsGrow(t *testing.T) {
	for name, edit := range map[string]func(*world){
		"all is well":   func(*world) {},
		"pods crash":    func(w *world) { w.unready("web-0").unready("web-3").unready("web-5") },
		"pods are gone": func(w *world) { w.without("web-0").without("web-5").asks(policy.Pause, "Updates") },
		"an update waits": func(w *world) {
			w.image("web:2").unready("web-1")
			w.Set.RollingUpdate = &model.RollingUpdate{Partition: 5}
		},
	} {
		t.Run(name, func(t *testing.T) {
			w := disks(6).asks(policy.ClaimTemplates, asksFor("20Gi"))
			edit(w)
			var lives []string
			for range 4 {
				lives = append(lives, strings.Join(w.patched(Decide(&w.Snapshot), true), " "))
			}
			want := []string{"www-web-5=20Gi", "www-web-4=20Gi www-web-3=20Gi www-web-2=20Gi", "www-web-1=20Gi www-web-0=20Gi", ""}
			check(t, name, "plans", fmt.Sprint(lives), fmt.Sprint(want))
		})
	}
}

// TestClaimChanges: what each state of claims asks for.
func TestClaimChanges(t *testing.T) {
	const asked, changed = claimtemplate.AnnotationClaimRequest, claimtemplate.AnnotationClaimChanged
	notes := func(w *world, name string, values ...string) {
		a := &model.Annotations{Values: map[string]string{}}
		for i := 0; i < len(values); i += 2 {
			a.Values[values[i]] = values[i+1]
		}
		w.c(name).Annotations = a
	}
	tooLong := strings.Repeat("x", 254)
	is := func(w *world, name string, s model.ClaimStorage) { s.Class = "fast"; w.c(name).Storage = &s }
	failing := []model.Condition{{Type: "ControllerResizeError", Status: "True", Message: "no room"}}
	nodeFails := []model.Condition{{Type: "FileSystemResizePending", Status: "True", ChangedAt: noon.Add(-time.Hour)}, // which the kubelet leaves there
		{Type: "NodeResizeError", Status: "True", Message: "resize2fs: bad superblock"}}
	tests := []struct {
		name, patch  string
		edit         func(w *world)
		want, blocks string
	}{
		{"no policy", "", func(w *world) { w.Set.ClaimTemplates[0] = []byte(strings.Replace(tenGi, "10Gi", "20Gi", 1)) }, "", ""},
		{"by the policy alone", "", func(w *world) {
			w.Set.ClaimTemplates[0] = []byte(strings.Replace(tenGi, "10Gi", "20Gi", 1))
			w.asks(policy.ClaimPolicy, "InPlace")
		}, "www-web-2=20Gi", "CLAIM_CHANGE_WAITS www-web-1"},
		{"OnDelete", asksFor("20Gi"), func(w *world) { w.asks(policy.ClaimPolicy, "OnDelete") }, "", ""},
		{"as numbers", asksFor("10240Mi"), func(w *world) {}, "", ""},
		{"decimal is less", asksFor("11G"), func(w *world) {}, "www-web-2=11G", "CLAIM_CHANGE_WAITS www-web-1"},
		{"bigger ones are left alone", asksFor("20Gi"), func(w *world) {
			is(w, "www-web-0", model.ClaimStorage{Request: "50Gi", Capacity: "50Gi"})
			is(w, "www-web-1", model.ClaimStorage{Request: "20Gi", Capacity: "20Gi"})
			is(w, "www-web-2", model.ClaimStorage{Request: "50Gi", Capacity: "20Gi"})
		}, "", "CLAIM_CHANGES www-web-2"},
		{"classes that let no volume grow", asksFor("20Gi"), func(w *world) {
			w.FixedClasses = []string{"slow", "fast"}
		}, "", "CLAIM_CHANGE_WAITS www-web-2"},
		{"such a class of one of them", asksFor("20Gi"), func(w *world) {
			w.FixedClasses = []string{"slow"}
			w.c("www-web-2").Storage = &model.ClaimStorage{Request: "10Gi", Capacity: "10Gi", Class: "slow"}
		}, "www-web-1=20Gi", "CLAIM_CHANGE_WAITS www-web-0, CLAIM_CHANGE_WAITS www-web-2"},
		{"such a class of what is big enough", asksFor("20Gi"), func(w *world) {
			w.FixedClasses = []string{"slow"}
			w.c("www-web-2").Storage = &model.ClaimStorage{Request: "20Gi", Capacity: "20Gi", Class: "slow"}
		}, "www-web-1=20Gi", "CLAIM_CHANGE_WAITS www-web-0"},
		{"one is growing", asksFor("20Gi"), func(w *world) {
			is(w, "www-web-2", model.ClaimStorage{Request: "20Gi", Capacity: "10Gi"})
			notes(w, "www-web-2", asked, "20Gi", changed, "2026-03-01T11:59:00Z")
		}, "", "CLAIM_CHANGES www-web-2, CLAIM_CHANGE_WAITS www-web-1"},
		{"one grows because a user asked", asksFor("20Gi"), func(w *world) {
			is(w, "www-web-2", model.ClaimStorage{Request: "50Gi", Capacity: "10Gi"})
			is(w, "www-web-1", model.ClaimStorage{Request: "50Gi", Capacity: "10Gi", Conditions: failing})
		}, "www-web-0=20Gi", "CLAIM_CHANGES www-web-2"},
		{"a failed one of a user's is asked for more", asksFor("20Gi"), func(w *world) {
			is(w, "www-web-2", model.ClaimStorage{Request: "15Gi", Capacity: "10Gi", Conditions: failing})
		}, "www-web-2=20Gi", "CLAIM_CHANGE_WAITS www-web-1"},
		{"the first has failed", asksFor("20Gi"), func(w *world) {
			is(w, "www-web-2", model.ClaimStorage{Request: "20Gi", Capacity: "10Gi", Conditions: failing})
			notes(w, "www-web-2", asked, "20Gi", changed, "2026-03-01T11:59:00Z")
		}, "", "CLAIM_CHANGE_FAILED www-web-2, CLAIM_CHANGE_WAITS www-web-1"},
		{"a later one has failed", asksFor("20Gi"), func(w *world) {
			is(w, "www-web-2", model.ClaimStorage{Request: "20Gi", Capacity: "20Gi"})
			notes(w, "www-web-2", asked, "20Gi", changed, "2026-03-01T11:00:00Z")
			is(w, "www-web-1", model.ClaimStorage{Request: "20Gi", Capacity: "10Gi", ResizeStatus: "NodeResizeInfeasible"})
			notes(w, "www-web-1", asked, "20Gi", changed, "2026-03-01T11:59:00Z")
		}, "", "CLAIM_CHANGE_FAILED www-web-1, CLAIM_CHANGE_WAITS www-web-0"},
		{"what failed is lowered", asksFor("20Gi"), func(w *world) {
			is(w, "www-web-2", model.ClaimStorage{Request: "100Gi", Capacity: "10Gi", Conditions: failing})
			notes(w, "www-web-2", asked, "100Gi", changed, "2026-03-01T11:59:00Z")
			w.asks(policy.ClaimCooldown, "6h")
		}, "www-web-2=20Gi", "CLAIM_CHANGE_WAITS www-web-1"},
		{"not to what is there", asksFor("10Gi"), func(w *world) {
			is(w, "www-web-2", model.ClaimStorage{Request: "100Gi", Capacity: "10Gi", Conditions: failing})
			notes(w, "www-web-2", asked, "100Gi")
		}, "", "CLAIM_CHANGE_FAILED www-web-2, CLAIM_SHRINKS www-web-2"},
		{"nobody else's request is lowered", asksFor("20Gi"), func(w *world) {
			is(w, "www-web-2", model.ClaimStorage{Request: "100Gi", Capacity: "10Gi", Conditions: failing})
			notes(w, "www-web-2", asked, "15Gi")
		}, "www-web-1=20Gi", "CLAIM_CHANGE_WAITS www-web-0"},
		{"nor to what the volume has, whatever the capacity says", asksFor("20Gi"), func(w *world) {
			is(w, "www-web-2", model.ClaimStorage{Request: "100Gi", Capacity: "10Gi", ResizeStatus: "NodeResizePending",
				Conditions: []model.Condition{{Type: "FileSystemResizePending", Status: "True", ChangedAt: noon}}})
			notes(w, "www-web-2", asked, "100Gi", changed, "2026-03-01T11:59:00Z")
			is(w, "www-web-1", model.ClaimStorage{Request: "100Gi", Capacity: "10Gi", ResizeStatus: "NodeResizeInfeasible", Conditions: nodeFails})
			notes(w, "www-web-1", asked, "100Gi", changed, "2026-03-01T11:59:00Z")
		}, "", "CLAIM_CHANGE_FAILED www-web-1, CLAIM_CHANGE_WAITS www-web-0, CLAIM_SHRINKS www-web-2, FILE_SYSTEM_RESIZE www-web-2"},
		{"a node that fails is a failure", asksFor("20Gi"), func(w *world) {
			is(w, "www-web-2", model.ClaimStorage{Request: "20Gi", Capacity: "10Gi", ResizeStatus: "NodeResizeInfeasible", Conditions: nodeFails})
			notes(w, "www-web-2", asked, "20Gi", changed, "2026-03-01T11:00:00Z")
			w.asks(policy.ClaimPolicy, "InPlaceOrRecreate")
		}, "", "CLAIM_CHANGE_FAILED www-web-2, CLAIM_CHANGE_WAITS www-web-1"},
		{"a node that fails, and does not wait for a mount", asksFor("20Gi"), func(w *world) {
			is(w, "www-web-2", model.ClaimStorage{Request: "20Gi", Capacity: "10Gi", ResizeStatus: "NodeResizeInProgress", Conditions: []model.Condition{
				{Type: "NodeResizeError", Status: "True", Message: "rpc error: code = FailedPrecondition desc = the volume is in use"}}})
			notes(w, "www-web-2", asked, "20Gi", changed, "2026-03-01T11:00:00Z")
		}, "", "CLAIM_CHANGE_FAILED www-web-2, CLAIM_CHANGE_WAITS www-web-1"},
		{"what nobody works at yet is lowered", asksFor("20Gi"), func(w *world) {
			is(w, "www-web-2", model.ClaimStorage{Request: "100Gi", Capacity: "10Gi"})
			notes(w, "www-web-2", asked, "100Gi", changed, "2026-03-01T11:59:00Z")
		}, "www-web-2=20Gi", "CLAIM_CHANGES www-web-2, CLAIM_CHANGE_WAITS www-web-1"},
		{"what the provider works at is not", asksFor("20Gi"), func(w *world) {
			is(w, "www-web-2", model.ClaimStorage{Request: "100Gi", Capacity: "10Gi", ResizeStatus: "ControllerResizeInProgress"})
			notes(w, "www-web-2", asked, "100Gi", changed, "2026-03-01T11:59:00Z")
		}, "", "CLAIM_CHANGES www-web-2, CLAIM_CHANGE_WAITS www-web-1"},
		{"what was asked for and does not stand there", asksFor("20Gi"), func(w *world) {
			is(w, "www-web-2", model.ClaimStorage{Request: "15Gi", Capacity: "10Gi", Conditions: failing})
			notes(w, "www-web-2", asked, "20Gi", changed, "2026-03-01T11:00:00Z")
		}, "www-web-1=20Gi", "CLAIM_CHANGE_FAILED www-web-2, CLAIM_CHANGE_WAITS www-web-0"},
		{"a class that was asked for and does not stand there", `{"www":{"spec":{"volumeAttributesClassName":"gold"}}}`, func(w *world) {
			notes(w, "www-web-2", asked, "10Gi", changed, "2026-03-01T11:59:50Z")
		}, "www-web-1=", "CLAIM_CHANGE_WAITS www-web-0, CLAIM_CHANGE_WAITS www-web-2"},
		{"a class that does not exist is corrected, and does not hold back growth", `{"www":{"spec":{"volumeAttributesClassName":"gold","resources":{"requests":{"storage":"20Gi"}}}}}`, func(w *world) {
			is(w, "www-web-2", model.ClaimStorage{Request: "10Gi", Capacity: "10Gi", AttributesClass: "godl", ModifyStatus: "Pending"})
			notes(w, "www-web-2", asked, "10Gi", changed, "2026-03-01T11:59:50Z")
		}, "www-web-2=20Gi", "CLAIM_CHANGE_WAITS www-web-1"},
		{"a class that nobody wants any more", asksFor("20Gi"), func(w *world) {
			is(w, "www-web-2", model.ClaimStorage{Request: "20Gi", Capacity: "20Gi", AttributesClass: "godl", ModifyStatus: "Infeasible"})
			notes(w, "www-web-2", asked, "20Gi", changed, "2026-03-01T11:00:00Z")
		}, "www-web-1=20Gi www-web-0=20Gi", ""},
		{"a time that is yet to come is none", asksFor("30Gi"), func(w *world) {
			w.asks(policy.ClaimCooldown, "6h")
			notes(w, "www-web-2", changed, "9999-01-01T00:00:00Z")
		}, "www-web-2=30Gi", "CLAIM_CHANGE_WAITS www-web-1"},
		{"what an earlier plan asked for does not shrink", asksFor("15Gi"), func(w *world) {
			for i := range 3 {
				is(w, fmt.Sprintf("www-web-%d", i), model.ClaimStorage{Request: "20Gi", Capacity: "20Gi"})
				notes(w, fmt.Sprintf("www-web-%d", i), asked, "20Gi", changed, "2026-03-01T11:00:00Z")
			}
		}, "", "CLAIM_SHRINKS www-web-2"},
		{"below the set's own template", asksFor("5Gi"), func(w *world) {}, "", "CLAIM_SHRINKS web"},
		{"not bound", asksFor("20Gi"), func(w *world) { w.c("www-web-2").Phase = model.ClaimPending }, "www-web-1=20Gi",
			"CLAIM_CHANGE_WAITS www-web-0, CLAIM_CHANGE_WAITS www-web-2"},
		{"made so, and not bound", asksFor("20Gi"), func(w *world) {
			is(w, "www-web-2", model.ClaimStorage{Request: "20Gi"})
			w.c("www-web-2").Phase = model.ClaimPending
		}, "www-web-1=20Gi", "CLAIM_CHANGE_WAITS www-web-0"},
		{"going", asksFor("20Gi"), func(w *world) { w.c("www-web-2").DeletedAt = noon }, "www-web-1=20Gi", "CLAIM_CHANGE_WAITS www-web-0, CLAIM_TERMINATING www-web-2"},
		{"lost", asksFor("20Gi"), func(w *world) { w.c("www-web-2").Phase = model.ClaimLost }, "www-web-1=20Gi", "CLAIM_CHANGE_WAITS www-web-0, CLAIM_LOST www-web-2"},
		{"somebody else's", asksFor("20Gi"), func(w *world) { w.c("www-web-2").Owners = []model.Owner{{Kind: "Backup", UID: "b", Controller: true}} },
			"www-web-1=20Gi", "CLAIM_CHANGE_WAITS www-web-0, CLAIM_CHANGE_WAITS www-web-2, CLAIM_FOREIGN_CONTROLLER www-web-2"},
		{"another set's too", asksFor("20Gi"), func(w *world) { w.ClaimNeighbours = []model.ClaimNeighbour{{Set: "b", ClaimTemplate: "www"}} }, "",
			"CLAIM_CHANGE_WAITS www-web-0, CLAIM_CHANGE_WAITS www-web-1, CLAIM_CHANGE_WAITS www-web-2"},
		{"it was changed a while ago", asksFor("30Gi"), func(w *world) {
			w.asks(policy.ClaimCooldown, "6h")
			notes(w, "www-web-2", asked, "10Gi", changed, "2026-03-01T11:00:00Z")
		}, "www-web-1=30Gi", "CLAIM_CHANGE_WAITS www-web-0, CLAIM_CHANGE_WAITS www-web-2"},
		{"a limit", asksFor("20Gi"), func(w *world) {
			w.asks(policy.ClaimLimit, "1")
			is(w, "www-web-2", model.ClaimStorage{Request: "20Gi", Capacity: "20Gi"})
			notes(w, "www-web-2", asked, "20Gi", changed, "2026-03-01T11:00:00Z")
		}, "www-web-1=20Gi", "CLAIM_CHANGE_WAITS www-web-0"},
		{"one that is growing is not asked for more", asksFor("30Gi"), func(w *world) {
			is(w, "www-web-2", model.ClaimStorage{Request: "30Gi", Capacity: "30Gi"})
			notes(w, "www-web-2", asked, "30Gi", changed, "2026-03-01T11:00:00Z")
			is(w, "www-web-1", model.ClaimStorage{Request: "20Gi", Capacity: "10Gi"})
		}, "www-web-0=30Gi", "CLAIM_CHANGES www-web-1"},
		{"a time that is yet to come counts as none", asksFor("30Gi"), func(w *world) {
			w.asks(policy.ClaimCooldown, "6h")
			notes(w, "www-web-2", asked, "10Gi", changed, "2036-03-01T12:00:00Z")
		}, "www-web-2=30Gi", "CLAIM_CHANGE_WAITS www-web-1"},
		{"a class that nobody wants any more holds nothing back", asksFor("20Gi"), func(w *world) {
			is(w, "www-web-2", model.ClaimStorage{Request: "10Gi", Capacity: "10Gi", AttributesClass: "gold", CurrentAttributesClass: "silver"})
		}, "www-web-2=20Gi", "CLAIM_CHANGE_WAITS www-web-1"},
		{"one that was made so proves nothing", asksFor("20Gi"), func(w *world) {
			is(w, "www-web-2", model.ClaimStorage{Request: "20Gi", Capacity: "20Gi"})
			notes(w, "www-web-2", asked, "20Gi")
		}, "www-web-1=20Gi", "CLAIM_CHANGE_WAITS www-web-0"},
		{"another class", `{"www":{"spec":{"volumeAttributesClassName":"gold"}}}`, func(w *world) {}, "www-web-2=", "CLAIM_CHANGE_WAITS www-web-1"},
		{"a class that is on its way", `{"www":{"spec":{"volumeAttributesClassName":"gold"}}}`, func(w *world) {
			is(w, "www-web-2", model.ClaimStorage{Request: "10Gi", Capacity: "10Gi", AttributesClass: "gold"})
			notes(w, "www-web-2", asked, "10Gi", changed, "2026-03-01T11:59:59Z")
		}, "", "CLAIM_CHANGES www-web-2, CLAIM_CHANGE_WAITS www-web-1"},
		{"a class that is there", `{"www":{"spec":{"volumeAttributesClassName":"gold"}}}`, func(w *world) {
			is(w, "www-web-2", model.ClaimStorage{Request: "10Gi", Capacity: "10Gi", AttributesClass: "gold", CurrentAttributesClass: "gold"})
			notes(w, "www-web-2", asked, "10Gi", changed, "2026-03-01T11:59:59Z")
		}, "www-web-1= www-web-0=", ""},
		{"a class that fails", `{"www":{"spec":{"volumeAttributesClassName":"gold"}}}`, func(w *world) {
			is(w, "www-web-2", model.ClaimStorage{Request: "10Gi", Capacity: "10Gi", AttributesClass: "gold", ModifyStatus: "Infeasible"})
		}, "", "CLAIM_CHANGE_FAILED www-web-2, CLAIM_CHANGE_WAITS www-web-1"},
		{"a file system that waits for its pod holds nothing back", asksFor("20Gi"), func(w *world) {
			is(w, "www-web-2", model.ClaimStorage{Request: "20Gi", Capacity: "10Gi", ResizeStatus: "NodeResizePending",
				Conditions: []model.Condition{{Type: "FileSystemResizePending", Status: "True", ChangedAt: noon}}})
			notes(w, "www-web-2", asked, "20Gi", changed, "2026-03-01T11:00:00Z")
			w.without("web-2")
		}, "www-web-1=20Gi www-web-0=20Gi", "FILE_SYSTEM_RESIZE www-web-2"},
		{"the adapter says nothing", asksFor("20Gi"), func(w *world) { w.c("www-web-2").Storage = nil }, "www-web-1=20Gi",
			"CLAIM_CHANGE_WAITS www-web-0, CLAIM_CHANGE_WAITS www-web-2"},
		{"a number", `{"www":{"spec":{"resources":{"requests":{"storage":21474836480}}}}}`, func(w *world) {}, "", "INVALID_POLICY web"},
		{"a template that cannot be read", "", func(w *world) {
			w.Set.ClaimTemplates[0] = []byte(strings.Replace(tenGi, "10Gi", "+20Gi", 1))
			w.asks(policy.ClaimPolicy, "InPlace")
		}, "", "INVALID_TEMPLATE web"},
		{"labels go to all", `{"www":{"metadata":{"labels":{"tier":"gold"}}}}`, func(w *world) {}, "www-web-2= www-web-1= www-web-0=", ""},
		{"labels come apart from growth", `{"www":{"metadata":{"labels":{"tier":"gold"}},"spec":{"resources":{"requests":{"storage":"20Gi"}}}}}`, func(w *world) {},
			"www-web-2=20Gi www-web-1= www-web-0=", "CLAIM_CHANGE_WAITS www-web-1"},
		{"labels of the template go to all, by the policy alone", "", func(w *world) {
			w.Set.ClaimTemplates[0] = []byte(strings.Replace(tenGi, `"name"`, `"labels":{"tier":"gold"},"annotations":{"plan":"daily"},"name"`, 1))
			w.asks(policy.ClaimPolicy, "InPlace")
		}, "www-web-2= www-web-1= www-web-0=", ""},
		{"a patch alone asks for no labels of the template", asksFor("20Gi"), func(w *world) {
			w.Set.ClaimTemplates[0] = []byte(strings.Replace(tenGi, `"name"`, `"labels":{"tier":"gold"},"name"`, 1))
		}, "www-web-2=20Gi", "CLAIM_CHANGE_WAITS www-web-1"},
		{"those that claims have otherwise do not", "", func(w *world) {
			w.Set.ClaimTemplates[0] = []byte(strings.Replace(tenGi, `"name"`, `"labels":{"app":"x","a":1,"b":"no label value!"},"annotations":{"setplan.io/claim-request":"1Gi","volume.beta.kubernetes.io/storage-class":"x"},"name"`, 1))
			w.asks(policy.ClaimPolicy, "InPlace")
		}, "", ""},
		{"a label that no object can have", `{"www":{"metadata":{"labels":{"tier":"not a label value!"}}}}`, func(w *world) {}, "", "INVALID_POLICY web"},
		{"a key that no object can have", `{"www":{"metadata":{"annotations":{"not a key":"x"}}}}`, func(w *world) {}, "", "INVALID_POLICY web"},
		{"HealOnly", asksFor("20Gi"), func(w *world) { w.asks(policy.Pause, "HealOnly") }, "", "PAUSED web"},
		{"an unknown policy", asksFor("20Gi"), func(w *world) { w.asks(policy.ClaimPolicy, "Now") }, "", "INVALID_POLICY web"},
		{"an unknown template", `{"data":{}}`, func(w *world) {}, "", "INVALID_POLICY web"},
		{"no amount", asksFor("much"), func(w *world) {}, "", "INVALID_POLICY web"},
		{"nothing", asksFor("0"), func(w *world) {}, "", "INVALID_POLICY web"},
		{"what cannot be changed", `{"www":{"spec":{"accessModes":["ReadWriteMany"]}}}`, func(w *world) {}, "", "INVALID_POLICY web"},
		{"null", `{"www":{"spec":null}}`, func(w *world) {}, "", "INVALID_POLICY web"},
		{"null below", `{"www":{"spec":{"resources":{"requests":{"storage":null}}}}}`, func(w *world) {}, "", "INVALID_POLICY web"},
		{"a list", `{"www":{"metadata":{"labels":["a"]}}}`, func(w *world) {}, "", "INVALID_POLICY web"},
		{"no object", `[]`, func(w *world) {}, "", "INVALID_POLICY web"},
		{"an annotation of the volume controllers", `{"www":{"metadata":{"annotations":{"volume.beta.kubernetes.io/storage-class":"x"}}}}`, func(w *world) {}, "", "INVALID_POLICY web"},
		{"a label of the selector", `{"www":{"metadata":{"labels":{"app":"x"}}}}`, func(w *world) {}, "", "INVALID_POLICY web"},
		{"an annotation of ours", `{"www":{"metadata":{"annotations":{"setplan.io/claim-request":"1Gi"}}}}`, func(w *world) {}, "", "INVALID_POLICY web"},
		{"a class that the API server would refuse", `{"www":{"spec":{"volumeAttributesClassName":"` + tooLong + `"}}}`, func(w *world) {}, "", "INVALID_POLICY web"},
		{"one in the template itself", "", func(w *world) {
			w.asks(policy.ClaimPolicy, "InPlace").Set.ClaimTemplates[0] = []byte(strings.Replace(tenGi, `"spec":{`, `"spec":{"volumeAttributesClassName":"`+tooLong+`",`, 1))
		}, "", "INVALID_TEMPLATE web"},
		{"a limit of 0", asksFor("20Gi"), func(w *world) { w.asks(policy.ClaimLimit, "0") }, "", "INVALID_POLICY web"},
		{"an odd cooldown", asksFor("20Gi"), func(w *world) { w.asks(policy.ClaimCooldown, "-1s") }, "", "INVALID_POLICY web"},
		{"an adapter that cannot", asksFor("20Gi"), func(w *world) { w.Capabilities &^= model.CanPatchClaim }, "", "CAPABILITY_MISSING web"},
		{"an adapter that cannot, and an unknown policy", asksFor("20Gi"), func(w *world) { w.asks(policy.ClaimPolicy, "Now").Capabilities &^= model.CanPatchClaim }, "",
			"CAPABILITY_MISSING web, INVALID_POLICY web"},
		{"a template that is patched in nothing", `{"www":{}}`, func(w *world) { w.Set.ClaimTemplates[0] = []byte(strings.Replace(tenGi, "10Gi", "20Gi", 1)) },
			"www-web-2=20Gi", "CLAIM_CHANGE_WAITS www-web-1"},
		{"a template that is removed", `{"www":null}`, func(w *world) { w.Set.ClaimTemplates[0] = []byte(strings.Replace(tenGi, "10Gi", "20Gi", 1)) }, "", "UPDATE_BUDGET web-1"},
		{"a template more says nothing of the others", `{"wal":` + wal + `}`, func(w *world) { w.Set.ClaimTemplates[0] = []byte(strings.Replace(tenGi, "10Gi", "20Gi", 1)) }, "", ""},
		{"what was asked for before, and is not any more", `{"wal":` + wal + `}`, func(w *world) {
			is(w, "www-web-2", model.ClaimStorage{Request: "20Gi", Capacity: "10Gi", ResizeStatus: "ControllerResizeInfeasible"})
			notes(w, "www-web-2", asked, "20Gi", changed, "2026-03-01T11:00:00Z")
			w.c("www-web-1").Storage = nil
		}, "", ""},
		{"an adapter that need not", asksFor("20Gi"), func(w *world) { w.asks(policy.ClaimPolicy, "OnDelete").Capabilities &^= model.CanPatchClaim }, "", ""},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			w := disks(3)
			if test.patch != "" {
				w.asks(policy.ClaimTemplates, test.patch)
			}
			test.edit(w)
			plan := Decide(&w.settled().Snapshot)
			check(t, test.name, "blocks", sortedBlocks(plan), test.blocks)
			check(t, test.name, "changes", strings.Join(w.patched(plan, false), " "), test.want)
		})
	}
}

// TestClaimFields: a field of our own kind means what the annotation means.
func TestClaimFields(t *testing.T) {
	for _, test := range []struct{ annotation, text, fields string }{
		{policy.ClaimPolicy, "InPlace", `{"claimUpdatePolicy":"InPlace"}`},
		{policy.ClaimPolicy, "OnDelete", `{"claimUpdatePolicy":"OnDelete"}`},
		{policy.ClaimPolicy, "Now", `{"claimUpdatePolicy":"Now"}`},
		{policy.ClaimLimit, "1", `{"claimUpdateLimit":1}`},
		{policy.ClaimLimit, "odd", `{"claimUpdateLimit":"odd"}`},
		{policy.ClaimCooldown, "6h", `{"claimUpdateCooldown":"6h"}`},
	} {
		var plans [2]string
		for i := range plans {
			w := disks(4).asks(policy.ClaimTemplates, asksFor("20Gi"))
			w.c("www-web-3").Storage = &model.ClaimStorage{Request: "20Gi", Capacity: "20Gi"}
			w.c("www-web-3").Annotations = &model.Annotations{Values: map[string]string{claimtemplate.AnnotationClaimRequest: "20Gi", claimtemplate.AnnotationClaimChanged: "2026-03-01T11:00:00Z"}}
			w.c("www-web-2").Annotations = &model.Annotations{Values: map[string]string{claimtemplate.AnnotationClaimChanged: "2026-03-01T11:00:00Z"}}
			if i == 0 {
				w.asks(test.annotation, test.text)
			} else {
				w.Set.OwnFields = []byte(test.fields)
			}
			plan := Decide(&w.settled().Snapshot)
			plans[i] = sortedBlocks(plan) + " / " + strings.Join(w.patched(plan, false), " ")
		}
		check(t, test.fields, "plan", plans[1], plans[0])
	}
}

// TestClaimsAreCounted: a block names one claim and counts the others.
func TestClaimsAreCounted(t *testing.T) {
	w := disks(3).asks(policy.ClaimTemplates, asksFor("15Gi"))
	for i := range w.Claims {
		w.Claims[i].Storage = &model.ClaimStorage{Request: "20Gi", Capacity: "20Gi"}
		w.Claims[i].Annotations = &model.Annotations{Values: map[string]string{claimtemplate.AnnotationClaimRequest: "20Gi"}}
	}
	found := ""
	for _, b := range Decide(&w.Snapshot).Blocks {
		if b.Code == model.BlockClaimShrinks {
			found += b.Message
		}
	}
	if !strings.HasSuffix(found, "so the claim stays as it is. The same applies to 2 more claims.") {
		t.Errorf("the block says %q", found)
	}
}

// TestRefusedChange: what the API server refuses is tried again, and nothing else is, until the set asks for something else.
func TestRefusedChange(t *testing.T) {
	w := disks(3).asks(policy.ClaimTemplates, asksFor("100Gi"))
	id := ""
	for _, stage := range Decide(&w.Snapshot).Stages {
		if stage.Phase == model.PhaseClaims {
			id = stage.Steps[0].Actions[0].ID
		}
	}
	w.ObservedAt = noon.Add(time.Minute)
	w.Outcomes = []model.Outcome{{ActionID: id, Result: model.OutcomeRejected, Count: 3, Message: "exceeded quota"}}
	plan := Decide(&w.Snapshot)
	check(t, "again", "blocks", sortedBlocks(plan), "ACTION_FAILED_BEFORE www-web-2, CLAIM_CHANGE_WAITS www-web-1")
	w.asks(policy.ClaimTemplates, asksFor("20Gi"))
	check(t, "less", "changes", strings.Join(w.patched(Decide(&w.Snapshot), true), " "), "www-web-2=20Gi")
}

// TestNewClaimsFollow: a claim that is made follows its template's patch, and says what it was asked for.
func TestNewClaimsFollow(t *testing.T) {
	w := disks(2).asks(policy.ClaimTemplates, `{"www":{"spec":{"resources":{"requests":{"storage":"20Gi"}}},"metadata":{"labels":{"tier":"gold"}}}}`)
	w.Set.Replicas = 3
	for _, stage := range Decide(&w.Snapshot).Stages {
		for _, step := range stage.Steps {
			for _, a := range step.Actions {
				if op, ok := a.Op.(model.CreateClaim); ok {
					want := `{"apiVersion":"v1","kind":"PersistentVolumeClaim","metadata":{"annotations":{"setplan.io/claim-metadata":"` + digestIn(t, op.Manifest) +
						`","setplan.io/claim-request":"20Gi"},"labels":{"app":"web","tier":"gold"},"name":"www-web-2","namespace":"default"},` +
						`"spec":{"accessModes":["ReadWriteOnce"],"resources":{"requests":{"storage":"20Gi"}}}}`
					check(t, "the claim", "manifest", string(op.Manifest), want)
					return
				}
			}
		}
	}
	t.Error("no claim is made")
}

func digestIn(t *testing.T, manifest []byte) string {
	t.Helper()
	digest := mustTree(string(manifest)).Get("metadata").Get("annotations").Get(claimtemplate.AnnotationClaimMetadata).Text
	if digest == "" {
		t.Fatal("the claim has no digest of its labels")
	}
	return digest
}

// TestFileSystemsGrow: a pod is recreated for its file system only if the policy says so, the volume has waited, and the budget allows it.
func TestFileSystemsGrow(t *testing.T) {
	waits := func(since time.Duration) []model.Condition {
		return []model.Condition{{Type: "FileSystemResizePending", Status: "True", ChangedAt: noon.Add(-since)}}
	}
	tests := []struct {
		name, policy string
		edit         func(w *world)
		want, blocks string
	}{
		{"just now", "InPlaceOrRecreate", func(w *world) { w.c("www-web-1").Storage.Conditions = waits(time.Minute) }, "", "FILE_SYSTEM_RESIZE www-web-1"},
		{"for long", "InPlaceOrRecreate", func(w *world) { w.c("www-web-1").Storage.Conditions = waits(time.Hour) }, "delete-pod web-1", "FILE_SYSTEM_RESIZE www-web-1"},
		{"for long, without the policy", "InPlace", func(w *world) { w.c("www-web-1").Storage.Conditions = waits(time.Hour) }, "", "FILE_SYSTEM_RESIZE www-web-1"},
		{"the pod has started since", "InPlaceOrRecreate", func(w *world) {
			w.c("www-web-1").Storage.Conditions = waits(time.Hour)
			w.p("web-1").CreatedAt = noon.Add(-30 * time.Minute)
		}, "", "FILE_SYSTEM_RESIZE www-web-1"},
		{"the budget is spent", "InPlaceOrRecreate", func(w *world) {
			w.c("www-web-1").Storage.Conditions = waits(time.Hour)
			w.parallel().unready("web-0")
		}, "", "FILE_SYSTEM_RESIZE www-web-1, POD_NOT_READY web-0, RECREATE_WAITS web-1"},
		{"that very pod is down", "InPlaceOrRecreate", func(w *world) {
			w.c("www-web-1").Storage.Conditions = waits(time.Hour)
			w.parallel().unready("web-1")
		}, "delete-pod web-1", "FILE_SYSTEM_RESIZE www-web-1, POD_NOT_READY web-1"},
		{"it is paused", "InPlaceOrRecreate", func(w *world) {
			w.c("www-web-1").Storage.Conditions = waits(time.Hour)
			w.asks(policy.Pause, "Updates")
		}, "", "FILE_SYSTEM_RESIZE www-web-1, PAUSED web"},
		{"nobody has agreed", "InPlaceOrRecreate", func(w *world) {
			w.c("www-web-1").Storage.Conditions = waits(time.Hour)
			w.asks(policy.Before, "agent")
		}, "", "FILE_SYSTEM_RESIZE www-web-1, UPDATE_GATED web-1"},
		{"somebody has", "InPlaceOrRecreate", func(w *world) {
			w.c("www-web-1").Storage.Conditions = waits(time.Hour)
			w.asks(policy.Before, "agent").answers(policy.Before, w.p("web-1").Revision, "web-1")
		}, "delete-pod web-1", "FILE_SYSTEM_RESIZE www-web-1"},
		{"nobody has agreed, and somebody wants a lower pod recreated", "InPlaceOrRecreate", func(w *world) {
			w.c("www-web-1").Storage.Conditions = waits(time.Hour)
			w.asks(policy.Before, "agent").chosen("web-0")
		}, "delete-pod web-0", "FILE_SYSTEM_RESIZE www-web-1, UPDATE_GATED web-1"},
		{"its driver does not grow it while it is mounted", "InPlaceOrRecreate", func(w *world) {
			w.c("www-web-1").Storage.Conditions = append(waits(time.Hour), model.Condition{Type: "NodeResizeError", Status: "True",
				Message: "failed to expand pvc with Expander.NodeExpand failed to expand the volume : rpc error: code = FailedPrecondition desc = the volume is in use"})
		}, "delete-pod web-1", "FILE_SYSTEM_RESIZE www-web-1"},
		{"there is no pod", "InPlaceOrRecreate", func(w *world) {
			w.c("www-web-1").Storage.Conditions = waits(time.Hour)
			w.without("web-1")
		}, "create-pod web-1", "FILE_SYSTEM_RESIZE www-web-1"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			w := disks(3).asks(policy.ClaimPolicy, test.policy)
			test.edit(w)
			plan := Decide(&w.settled().Snapshot)
			check(t, test.name, "actions", actions(plan), test.want)
			check(t, test.name, "blocks", sortedBlocks(plan), test.blocks)
		})
	}
}

// TestQuantities compares amounts as numbers.
func TestQuantities(t *testing.T) {
	for _, pair := range [][2]string{{"1Gi", "1024Mi"}, {"1Gi", "1073741824"}, {"1.5Gi", "1536Mi"}, {"2G", "2e9"}, {"1E", "1000P"}, {"1000m", "1"}, {"0.5k", "500"}, {".5k", "500"}} {
		a, okA := quantity.Parse(pair[0])
		b, okB := quantity.Parse(pair[1])
		if !okA || !okB || a.Compare(b) != 0 {
			t.Errorf("%s and %s are not the same amount", pair[0], pair[1])
		}
	}
	small, _ := quantity.Parse("6G")
	if large, _ := quantity.Parse("6Gi"); small.Compare(large) >= 0 || (quantity.Amount{}).Compare(small) >= 0 || small.Compare(quantity.Amount{}) <= 0 {
		t.Error("the order is wrong")
	}
	for _, text := range []string{"", "Gi", "-1", "+1", "1.2.3", "1 Gi", "1e99", "1e", "1gi", ".", "0.0000000001", strings.Repeat("1", 65)} {
		if _, ok := quantity.Parse(text); ok {
			t.Errorf("%q is an amount", text)
		}
	}
}
