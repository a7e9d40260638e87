package kube

import setplanv1 "github.com/setplan/setplan/proto/setplan/v1"

// annotationRepair is the annotation of a set that says which of its pods are repaired.
const annotationRepair = "setplan.io/repair"

// encodePolicy takes what a set asks for beyond Kubernetes from its annotations, unread: what the words mean, and what
// becomes of one that means nothing, is the planner's business. Nil where it asks for nothing.
func encodePolicy(annotations map[string]string) *setplanv1.Policy {
	repair := annotations[annotationRepair]
	if repair == "" {
		return nil
	}
	return &setplanv1.Policy{Repair: repair}
}
