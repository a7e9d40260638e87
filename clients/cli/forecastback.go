package cli

import (
	"context"
	"fmt"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/setplan/setplan/clients/cli/rollout"
)

// goBack puts the set into what was read as rollout undo would leave it, by the patch that rollout undo sends.
func (s *session) goBack(ctx context.Context, o *options, number int64) error {
	key := s.keys[0]
	live := s.world.Set(key)
	history, err := rollout.HistoryIn(s.world.Revisions.Items, live)
	if err != nil {
		return err
	}
	back, err := rollout.Back(live, history, number)
	if err != nil {
		return fmt.Errorf("%s: %w", key, err)
	}
	if back.There {
		o.note("rollout undo would skip the rollback: the set already has the template of that revision")
		return nil
	}
	after := live
	if s.cluster == nil {
		if after, err = back.Patch.Apply(live); err != nil {
			return err
		}
		after.SetGeneration(live.GetGeneration() + 1) // an API server does it
	} else {
		clients, err := o.clients()
		if err != nil {
			return err
		}
		options := metav1.PatchOptions{FieldManager: rolloutManager, DryRun: []string{metav1.DryRunAll}}
		if after, err = (anySet{live, s.kind.GVR()}).patch(ctx, clients, back.Patch, options); err != nil {
			return fmt.Errorf("%s: %w", key, err)
		}
	}
	return s.edit(after)
}
