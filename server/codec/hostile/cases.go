package hostile

import setplanv1 "github.com/setplan/setplan/proto/setplan/v1"

// Case is one request and what it multiplies.
type Case struct {
	Name, What string
	Build      func() *setplanv1.PlanRequest
}

// Cases lists all of them.
func Cases() []Case {
	return []Case{
		{"nest", "depth of a template that the newest revision writes otherwise", nest},
		{"wide", "keys of one object of such a template", wide},
		{"affinity", "labels in an affinity term, image edited: needs only the right to create a set", affinity},
		{"del", "DEL characters in a template", del},
		{"del-claims", "DEL characters × claim templates", delClaims},
		{"zeros", "values of an array in a template", zeros},
		{"template-claims", "bytes of the template × claim templates", templateClaims},
		{"match-labels", "labels of selector and template × claim templates", matchLabels},
		{"labels-claims", "the same as a set: needs only the right to create it", labelsClaims},
		{"incapable", "replicas × bytes of a template, for an adapter that creates no pods", incapable},
		{"unusable-revision", "replicas × bytes of a current revision that cannot be used", unusableRevision},
		{"slots", "replicas × claim templates", slots},
		{"claim-templates", "claim templates × claim templates", claimTemplates},
		{"claims-templates", "claims × claim templates", claimsTemplates},
		{"volumes", "pods × claim templates × volumes that pods share", volumes},
		{"futile", "pods × claim templates, under Kubernetes' own rules", futile},
		{"owners-pods", "owners that are shared × pods", ownersPods},
		{"owners-claims", "owners that are shared × claims", ownersClaims},
		{"owners-answers", "owners that are shared × actions", ownersAnswers},
		{"owners-revisions", "owners that are shared × revisions", ownersRevisions},
		{"selector-pods", "requirements of the selector × pods", selectorPods},
		{"selector-values", "values of a requirement × label sets", selectorValues},
		{"selector-revisions", "requirements of the selector × revisions", selectorRevisions},
		{"label-sets", "two large label sets × pods", labelSets},
		{"collide", "forged names of revisions × bytes of a template", collide},
		{"history", "revisions × revisions that pods are at", history},
		{"long-name", "bytes of a revision's name × sentences", longName},
		{"long-kind", "bytes of an owner's kind × blocks", longKind},
		{"long-claim", "bytes of a claim template's name × actions", longClaim},
		{"empty-revisions", "revisions of two bytes each", emptyRevisions},
		{"empty-owners", "owners of two bytes each", emptyOwners},
		{"most-values", "the most values of template and revision", mostValues},
		{"most-collisions", "the most forged names of revisions", mostCollisions},
		{"most-claims", "the most claims and pods", mostClaims},
		{"most-elements", "the most elements of lists", mostElements},
		{"most-bytes", "the most bytes: revisions like the template, but for one byte", mostBytes},
		{"drain-places", "ordinals to drain × claim templates", drainPlaces},
		{"drain-missing", "ordinals to drain × claims that are missing", drainMissing},
		{"drain-claims", "claims of one ordinal × claims that a drain pod names", drainClaims},
		{"drain-template", "ordinals to drain × bytes of a drain pod template", drainTemplate},
	}
}
