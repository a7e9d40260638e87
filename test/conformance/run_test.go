package conformance_test

import (
	"context"
	"testing"

	"github.com/setplan/setplan/adapters"
	setplanv1 "github.com/setplan/setplan/proto/setplan/v1"
	"github.com/setplan/setplan/test/conformance"
	"github.com/setplan/setplan/test/conformance/simtest"
)

// TestCatchesCarelessAdapters runs the suite against adapters with one fault each. That the cases fail is what makes
// their exceptions needed.
func TestCatchesCarelessAdapters(t *testing.T) {
	tests := map[string]struct {
		reason string
		apply  func(adapters.Executor, adapters.Key, *setplanv1.Action) adapters.Result
		fails  []string
	}{
		"NoPreconditions": {
			reason: "writes to whatever has the name",
			apply: func(e adapters.Executor, key adapters.Key, action *setplanv1.Action) adapters.Result {
				action.Precondition = nil
				return e.Apply(context.Background(), key, action)
			},
			fails: []string{
				"delete_pod with another uid is a conflict", "delete_revision with another uid is a conflict",
				"patch_pod at another resource version is a conflict", "adopt_pod with another uid is a conflict",
				"renumber_revision at another resource version is a conflict",
				"set_claim_owners at another resource version is a conflict",
				"update_status at another resource version is a conflict", "delete_pod",
				"evict_pod", "evict_pod with another uid is a conflict", "evict_pod at another resource version is a conflict",
				"patch_annotations at another resource version is a conflict", "delete_claim", "patch_claim at another resource version is a conflict", "update_pod at another resource version is a conflict", "resize_pod at another resource version is a conflict",
				"delete_claim with another uid is a conflict", "set_finalizer of another set of the name is a conflict",
			},
		},
		"SilentFailures": {
			reason: "counts every conflict as success",
			apply: func(e adapters.Executor, key adapters.Key, action *setplanv1.Action) adapters.Result {
				result := e.Apply(context.Background(), key, action)
				if result.Outcome == setplanv1.OutcomeResult_OUTCOME_RESULT_CONFLICT {
					return adapters.Result{}
				}
				return result
			},
			fails: []string{
				"create_pod that is there and a stranger's is a conflict", "create_claim that is there is a conflict",
				"create_revision that is there with other data is a conflict",
				"create_revision that is there and a stranger's is a conflict",
				"delete_pod with another uid is a conflict", "delete_revision with another uid is a conflict",
				"evict_pod with another uid is a conflict", "evict_pod at another resource version is a conflict",
				"patch_pod at another resource version is a conflict", "patch_pod that is gone is a conflict",
				"renumber_revision at another resource version is a conflict", "adopt_pod with another uid is a conflict",
				"set_claim_owners at another resource version is a conflict",
				"update_status at another resource version is a conflict",
				"update_status of a set that is gone is a conflict",
				"patch_annotations at another resource version is a conflict", "patch_annotations that is gone is a conflict",
				"patch_claim at another resource version is a conflict", "patch_claim that is gone is a conflict",
				"update_pod at another resource version is a conflict", "update_pod that is gone is a conflict",
				"resize_pod at another resource version is a conflict", "resize_pod that is gone is a conflict",
				"delete_claim with another uid is a conflict", "set_finalizer of another set of the name is a conflict",
				"set_finalizer of a set that is gone",
			},
		},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			var exceptions []conformance.Exception
			for _, c := range tt.fails {
				exceptions = append(exceptions, conformance.Exception{Case: c, Reason: tt.reason})
			}
			conformance.Run(t, func(t *testing.T) conformance.Harness {
				return careless{Harness: simtest.New(t), apply: tt.apply}
			}, exceptions...)
		})
	}
}

// careless is a sim adapter whose executor has a fault.
type careless struct {
	*simtest.Harness
	apply func(adapters.Executor, adapters.Key, *setplanv1.Action) adapters.Result
}

func (c careless) Executor() adapters.Executor { return c }

// Apply implements adapters.Executor.
func (c careless) Apply(_ context.Context, key adapters.Key, action *setplanv1.Action) adapters.Result {
	return c.apply(c.Harness.Executor(), key, action)
}

var _ conformance.Harness = (*simtest.Harness)(nil)
