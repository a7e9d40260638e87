package scale

import (
	"context"
	"fmt"
	"strings"
	"time"

	"golang.org/x/sync/errgroup"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/setplan/setplan/test/cmd/internal/testbed"
)

// between is the time from one edit to the next.
const between = 50 * time.Millisecond

// edit edits each of some sets once, one after another, and returns how many milliseconds each waited for the side's first
// write, once all have had one. The edit only asks for a new status: the time goes into learning of it, deciding, and writing.
func (p *place) edit(ctx context.Context, side *testbed.Side) ([]float64, error) {
	log, err := testbed.FollowAudit(p.AuditLog())
	if err != nil {
		return nil, err
	}
	defer log.Close()
	sets := p.sets.edited()
	answers := newAnswers(side.User, sets)
	p.edition++
	patch := fmt.Appendf(nil, `{"spec":{"revisionHistoryLimit":%d}}`, 10+p.edition)
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	both, ctx := errgroup.WithContext(ctx)
	both.Go(func() error {
		for _, m := range sets {
			if _, err := p.Client.AppsV1().StatefulSets(m.namespace).Patch(ctx, m.name, types.MergePatchType, patch, metav1.PatchOptions{}); err != nil {
				return err
			}
			time.Sleep(between)
		}
		return nil
	})
	both.Go(func() error {
		for answers.open() > 0 {
			if err := log.Read(answers.note); err != nil {
				return err
			}
			select {
			case <-ctx.Done():
				return fmt.Errorf("%d of %d edits had no answer: %w", answers.open(), len(sets), ctx.Err())
			case <-time.After(10 * time.Millisecond):
			}
		}
		return nil
	})
	if err := both.Wait(); err != nil {
		return nil, err
	}
	return answers.waits(), nil
}

// answers are the first writes of a side to sets that were edited.
type answers struct {
	user string
	sets map[string]*answer // by namespace/name
}

type answer struct {
	edited time.Time   // when the API server received the edit
	made   time.Time   // when the API server had answered the edit
	writes []time.Time // when the API server received each of the side's writes to the set
}

func newAnswers(user string, sets members) *answers {
	a := &answers{user, map[string]*answer{}}
	for _, m := range sets {
		a.sets[m.namespace+"/"+m.name] = &answer{}
	}
	return a
}

// note classifies a line of the audit log: an edit, a write of the side, or neither.
func (a *answers) note(line *testbed.AuditLine) {
	ref := &line.ObjectRef
	if !line.Writes() || ref.Resource == "events" {
		return
	}
	name := ref.Name
	if last := strings.LastIndexByte(name, '-'); ref.Resource != "statefulsets" && last > 0 { // of a pod or a revision
		name = name[:last]
	}
	set := a.sets[ref.Namespace+"/"+name]
	switch {
	case set == nil:
	case line.User.Username == a.user:
		set.writes = append(set.writes, line.RequestReceivedTimestamp)
	case ref.Resource == "statefulsets" && ref.Subresource == "":
		set.edited, set.made = line.RequestReceivedTimestamp, line.StageTimestamp
	}
}

// first is the first write after the edit. The log has a line once a request was answered, so the edit's line may come later.
func (a *answer) first() (at time.Time, answered bool) {
	for _, write := range a.writes {
		if !a.edited.IsZero() && write.After(a.edited) && (!answered || write.Before(at)) {
			at, answered = write, true
		}
	}
	return at, answered
}

func (a *answers) open() (count int) {
	for _, set := range a.sets {
		if _, answered := set.first(); !answered {
			count++
		}
	}
	return count
}

// waits are measured from the answer to the edit, in milliseconds; 0 if the side was quicker.
func (a *answers) waits() (all []float64) {
	for _, set := range a.sets {
		at, _ := set.first()
		all = append(all, max(0, at.Sub(set.made).Seconds()*1000))
	}
	return all
}
