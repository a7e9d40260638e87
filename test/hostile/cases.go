package hostile

import (
	"strconv"
	"strings"

	setplanv1 "github.com/setplan/setplan/proto/setplan/v1"
)

// Case is one request and what it multiplies.
type Case struct {
	Name, What string
	Build      func() *setplanv1.PlanRequest
	Before     string // what it took when the server was first attacked; empty: it was not among the attacks
}

// Cases lists all of them.
func Cases() []Case { return append(attacks(), largest()...) }

// DocumentCases are requests with objects, as many as the limits let there be.
func DocumentCases() (all []Case) {
	for _, d := range Documents() {
		all = append(all, Case{Name: "documents: " + d.Name, What: "what is read before it is known what belongs to the set",
			Build: func() *setplanv1.PlanRequest { return d.Request(allPods) }})
	}
	return all
}

// attacks are small requests that took the server down, or would have.
func attacks() []Case {
	return []Case{
		{"nest", "depth of a template that the newest revision writes otherwise", nest, "never ended"},
		{"wide", "keys of one object of such a template", wide, "> 19 s"},
		{"affinity", "labels in an affinity term, image edited: needs only the right to create a set", affinity, "3.7 s"},
		{"del", "DEL characters in a template", del, "12.3 s"},
		{"del-claims", "DEL characters × claim templates", delClaims, "12.1 s"},
		{"zeros", "values of an array in a template", zeros, "1.2 GB"},
		{"template-claims", "bytes of the template × claim templates", templateClaims, ""},
		{"match-labels", "labels of selector and template × claim templates", matchLabels, "> 28 s"},
		{"labels-claims", "the same as a set: needs only the right to create it", labelsClaims, "38 s"},
		{"incapable", "replicas × bytes of a template, for an adapter that creates no pods", incapable, "10.7 s"},
		{"unusable-revision", "replicas × bytes of a current revision that cannot be used", unusableRevision, ""},
		{"slots", "replicas × claim templates", slots, "> 6 GB"},
		{"claim-templates", "claim templates × claim templates", claimTemplates, "5.6 s"},
		{"claims-templates", "claims × claim templates", claimsTemplates, ""},
		{"volumes", "pods × claim templates × volumes that pods share, each pod at a revision of its own", volumes, "9.7 s"},
		{"missing", "pods × claim templates whose claims are missing", func() *setplanv1.PlanRequest {
			r := base()
			addClaimTemplates(r.Snapshot, allTemplates)
			addPods(r.Snapshot, allPods, func(_ int, p *setplanv1.Pod) { p.CreatedUnixMs = 1 })
			return r
		}, "1.7 s"},
		{"said", "values of what revisions say of claim templates", func() *setplanv1.PlanRequest {
			r := base()
			for i := range 240 {
				addRevision(r.Snapshot, "web-"+strconv.Itoa(i), "").Data = []byte(`{"setplan.io/claim-templates":{"x":[0` + strings.Repeat(",0", 99_000) + `]}}`)
			}
			return r
		}, "1.7 GB"},
		{"futile", "pods × claim templates, under Kubernetes' own rules", futile, ""},
		{"owners-pods", "owners that are shared × pods", ownersPods, "6.6 s"},
		{"owners-claims", "owners that are shared × claims", ownersClaims, ""},
		{"owners-answers", "owners that are shared × actions", ownersAnswers, "> 6 GB"},
		{"owners-revisions", "owners that are shared × revisions", ownersRevisions, "7.8 s"},
		{"selector-pods", "requirements of the selector × pods", selectorPods, "> 20 s"},
		{"selector-values", "values of a requirement × names of pods", selectorValues, ""},
		{"selector-revisions", "requirements of the selector × revisions", selectorRevisions, ""},
		{"label-sets", "two large label sets × pods", labelSets, ""},
		{"collide", "forged names of revisions × bytes of a template", collide, "19.7 s"},
		{"large-revisions", "values of revisions of more than 256 KiB", largeRevisions, ""},
		{"history", "revisions × revisions that pods are at", history, ""},
		{"long-name", "bytes of a revision's name × sentences", longName, "2.7 GB"},
		{"long-kind", "bytes of an owner's kind × blocks", longKind, "1.3 GB"},
		{"long-claim", "bytes of a claim template's name × actions", longClaim, ""},
		{"empty-revisions", "revisions of two bytes each", emptyRevisions, "3.8 GB"},
		{"empty-owners", "owners of two bytes each", emptyOwners, ""},
		{"drain-places", "ordinals to drain × claim templates", drainPlaces, ""},
		{"drain-missing", "ordinals to drain × claims that are missing", drainMissing, ""},
		{"drain-claims", "claims of one ordinal × claims that a drain pod names", drainClaims, ""},
		{"drain-template", "ordinals to drain × bytes of a drain pod template", drainTemplate, ""},
		{"yaml-template", "bytes of a drain pod template that is YAML", yamlTemplate, ""},
		{"nest-in-place", "depth of a template × keys, updated in place", func() *setplanv1.PlanRequest {
			deep := func(last string) string {
				return `{"name":"c","x":` + strings.Repeat(`{"a":`, 180) + manyKeys(90_000, last) + strings.Repeat("}", 181)
			}
			return onTheWay(deep("0"), deep("1"), 1, "{}")
		}, "> 10 s"},
		{"old-image", "bytes of the image of a revision × pods", func() *setplanv1.PlanRequest {
			return onTheWay(`{"image":"`+strings.Repeat("x", 2_900_000)+`","name":"c"}`, `{"image":"new","name":"c"}`, 2_000,
				`{"at":1777895000,"containers":{"c":{"id":"i","image":"m"}},"revision":"web-1"}`)
		}, "> 10 s"},
		{"amounts", "digits of amounts × containers on their way", func() *setplanv1.PlanRequest {
			return onTheWay(`{"name":"c"}`, `{"name":"c","resources":{"limits":{"memory":"9`+eights+`"}}}`, 20_000,
				`{"at":1777895000,"containers":{},"resize":{"c":{"limits":{"memory":"`+eights+`"}}},"revision":"web-1"}`)
		}, "> 10 s"},
		{"grow-all", "claims that change × claims that change at once", growAll, ""},
		{"grow-labels", "labels of a patch of claims × claims", growLabels, ""},
		{"grow-class", "bytes of a class of attributes × claims", func() *setplanv1.PlanRequest {
			r := growing(2_000, `{"d0":{"metadata":{}}}`)
			r.Snapshot.Set.ClaimTemplates[0] = []byte(`{"metadata":{"name":"d0"},"spec":{"volumeAttributesClassName":"` + strings.Repeat("x", 3_000_000) + `"}}`)
			r.Snapshot.Outcomes = []*setplanv1.Outcome{{ActionId: "x", Result: setplanv1.OutcomeResult_OUTCOME_RESULT_REJECTED, Count: 1}}
			return r
		}, "8.6 s"},
		{"grow-conditions", "conditions that are shared × claims", growConditions, ""},
	}
}

// largest are as large as the limits let them be.
func largest() []Case {
	return []Case{
		{"most-values", "values of template, revision and drain template", mostValues, ""},
		{"most-keys", "keys of one object in template and revision", mostKeys, ""},
		{"most-escapes", "bytes of one text that is all escapes", mostEscapes, ""},
		{"most-labels", "labels of selector and template × claim templates", mostLabels, ""},
		{"most-match-labels", "labels of the selector × pods", mostMatchLabels, ""},
		{"most-templates", "claim templates × replicas", mostTemplates, ""},
		{"most-collisions", "forged names of revisions", mostCollisions, ""},
		{"most-bytes", "bytes: revisions like the template, but for one byte", mostBytes, ""},
		{"most-history", "revisions × revisions that pods are at", mostHistory, ""},
		{"most-pods", "pods that wait, and their claims, in no order", mostPods, ""},
		{"most-condemned", "pods outside the range, and their claims", mostCondemned, ""},
		{"most-orphans", "bytes of names of pods to adopt", mostOrphans, ""},
		{"most-strangers", "pods that bear our names, bytes of their owner's kind", mostStrangers, ""},
		{"most-volumes", "pods × claim templates × volumes that pods share", mostVolumes, ""},
		{"most-bindings", "volumes of pods that are bound to other claims", mostBindings, ""},
		{"most-claims", "claims × claim templates", mostClaims, ""},
		{"most-owners-pods", "owners that are shared × pods", mostOwnersPods, ""},
		{"most-owners-claims", "owners that are shared × claims × pods", mostOwnersClaims, ""},
		{"most-owners-answers", "owners that are shared × actions", mostOwnersAnswers, ""},
		{"most-requirements", "requirements of the selector × pods", mostRequirements, ""},
		{"most-label-sets", "large label sets × pods", mostLabelSets, ""},
		{"most-outcomes", "bytes of what the API said", mostOutcomes, ""},
		{"most-finalizers", "finalizers × claims", mostFinalizers, ""},
		{"most-conditions", "conditions that are stored", mostConditions, ""},
		{"most-drains", "drain pods that have succeeded, and their claims", mostDrains, ""},
		{"most-drains-wait", "pods outside the range that are to be drained", mostDrainsWait, ""},
		{"most-drains-begin", "ordinals of which the drain begins", mostDrainsBegin, ""},
		{"most-leftovers", "claims of one ordinal × claim templates, that no policy covers", mostLeftovers, ""},
		{"most-neighbours", "sets that call claims as this one", mostNeighbours, ""},
		{"most-tokens", "bytes of the claims that a drain pod names", mostTokens, ""},
		{"shared-lists", "bytes of the claims that drain pods share × drain pods", sharedLists, ""},
		{"shared-tokens", "the same, each with a token", sharedTokens, ""},
		{"shared-claims", "bytes of what is noted on claims × claims", sharedClaimNotes, ""},
		{"most-doomed", "owners that are shared × claims that would go with them", mostDoomed, ""},
	}
}
