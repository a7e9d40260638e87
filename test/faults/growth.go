package faults

import (
	"fmt"

	"github.com/setplan/setplan/test/sim"
)

// The annotations that these lives are about.
const (
	claimTemplates = "setplan.io/claim-templates"
	claimPolicy    = "setplan.io/claim-update-policy"
	claimLimit     = "setplan.io/claim-update-limit"
)

// growthKinds are what comes in a life in which claims follow their templates, beside what comes in every life.
var growthKinds = []kind{
	{"claim templates", 4, func(t *teller) []Step { return steps(t.askOfClaims(t.set())) }},
	{"claim update policy", 2, func(t *teller) []Step {
		return steps("annotate " + t.set() + " " + t.pick(claimPolicy+"=InPlace", claimPolicy+"=InPlaceOrRecreate", claimPolicy+"=OnDelete", claimPolicy+"=odd",
			claimPolicy+"=", claimLimit+"=1", claimLimit+"=2", claimLimit+"="))
	}},
	{"provider", 4, func(t *teller) []Step { return t.provider(t.existing(sim.KindClaim, "www-web-0")) }},
	{"growth story", 3, (*teller).growthStory},
}

// askOfClaims patches or removes the first claim template of a set. 512Mi is less than any template asks for.
func (t *teller) askOfClaims(set string) string {
	template := map[string]string{"c": "a-b", "b-c": "a"}[set]
	if template == "" {
		template = "www"
	}
	size := func(of string) string {
		return `{"` + template + `":{"spec":{"resources":{"requests":{"storage":"` + of + `"}}}}}`
	}
	return "annotate " + set + " " + claimTemplates + "=" + t.pick(size("2Gi"), size("2048Mi"), size("3Gi"), size("4Gi"), size("512Mi"), "odd", "", `{"`+template+`":null}`,
		`{"`+template+`":{"metadata":{"labels":{"tier":"gold"}},"spec":{"volumeAttributesClassName":"gold"}}}`)
}

// provider fails, gets well again, or leaves the rest to the node.
func (t *teller) provider(claim string) []Step {
	at := t.runner.World().Now().UTC().Format("2006-01-02T15:04:05Z")
	return []Step{{Line: "claim " + claim + " is", Input: []string{t.pick(
		`{"status":{"conditions":[{"type":"ControllerResizeError","status":"True","message":"no room"}]}}`,
		`{"status":{"conditions":[{"type":"Resizing","status":"True"}]}}`,
		`{"status":{"conditions":[{"type":"FileSystemResizePending","status":"True","lastTransitionTime":"`+at+`"}]}}`,
		`{"status":{"conditions":null}}`, `{"status":{"conditions":null}}`)}}}
}

// growthStory asks for more, and for something else while that is on its way.
func (t *teller) growthStory() []Step {
	const kind = "growth story"
	set := t.set()
	if !t.putInOrder(kind, set) {
		return t.newSet(set)
	}
	t.say(kind, "edit "+set+" image=v1 replicas="+t.pick("2", "3", "4"))
	t.rounds(kind, set)
	for range 3 {
		for range 2 { // the second time nothing has grown yet
			t.say(kind, t.askOfClaims(set))
			t.say(kind, "reconcile "+set)
		}
		t.say(kind, fmt.Sprintf("crash after %d", 1+t.IntN(3)))
		t.rounds(kind, set)
	}
	return nil
}

// mendGrowth is what a user does about policies that cannot be read, and a provider about volumes that do not grow.
func (t *teller) mendGrowth() {
	for _, annotation := range []string{claimTemplates, claimPolicy} {
		for _, set := range t.annotated(sim.KindSet, annotation) {
			if t.runner.World().State().Set(set).Annotations[annotation] == "odd" {
				t.tell("odd no more", Step{Line: "annotate " + set + " " + annotation + "="})
			}
		}
	}
	for _, claim := range t.runner.World().State().Names(sim.KindClaim) {
		if len(t.runner.World().State().Claim(claim).Status.Conditions) > 0 {
			t.tell("provider is well", Step{Line: "claim " + claim + " is", Input: []string{`{"status":{"conditions":null}}`}})
		}
	}
}
