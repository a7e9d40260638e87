package cli

import (
	"context"
	"time"

	"google.golang.org/protobuf/proto"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/fields"

	"github.com/setplan/setplan/adapters"
	"github.com/setplan/setplan/clients/cli/compare"
	setplanv1 "github.com/setplan/setplan/proto/setplan/v1"
)

// witness answers what the snapshot of a set does not say.
type witness struct {
	*comparison
	key     adapters.Key
	request *setplanv1.PlanRequest
}

// Plan implements compare.Witness.
func (w *witness) Plan(ctx context.Context, snapshot *setplanv1.Snapshot) (*setplanv1.Plan, error) {
	request := proto.CloneOf(w.request)
	request.Snapshot = snapshot
	response, err := w.planner.Plan(ctx, request)
	return response.GetPlan(), err
}

// Deleted implements compare.Witness.
func (w *witness) Deleted(ctx context.Context, pod, uid string, seen time.Time) compare.Deletion {
	of := fields.Set{"involvedObject.kind": w.kind.Kind, "involvedObject.name": w.key.Name}
	events, err := w.events.Events(w.key.Namespace).List(ctx, metav1.ListOptions{FieldSelector: of.String()})
	if err != nil {
		if !w.unread {
			w.options.note("events could not be read, so the report cannot say who deletes pods: %v", err)
		}
		w.unread = true
		return compare.Who(pod, w.Trace(uid), seen, nil, false)
	}
	return compare.Who(pod, w.Trace(uid), seen, events.Items, true)
}
