package skew

import (
	"context"
	"errors"
	"slices"
	"sync"
	"testing"
	"time"

	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"
	"google.golang.org/protobuf/types/known/timestamppb"

	"github.com/setplan/setplan/adapters"
	setplanv1 "github.com/setplan/setplan/proto/setplan/v1"
	"github.com/setplan/setplan/test/need"
)

// TestLaterContract: it only adds. What is made with it is more than what today's contract knows, and all of today's is still there.
func TestLaterContract(t *testing.T) {
	contract := need.Value(Later())(t)
	for what, change := range map[string]func(protoreflect.Message){
		"fields":    func(m protoreflect.Message) { SetFields(m) },
		"operation": func(m protoreflect.Message) { SetOperation(At(m, action...)) },
		"values":    func(m protoreflect.Message) { SetValues(m) },
		"nothing":   func(protoreflect.Message) {},
	} {
		later := need.Value(contract.Of(plan()))(t)
		change(later)
		sent := need.Value(Bytes(later))(t)
		read := &setplanv1.PlanResponse{}
		need.NoError(t, proto.Unmarshal(sent, read))
		if same := proto.Equal(read, plan()); same != (what == "nothing") {
			t.Errorf("with %s of the later contract, today's reads the same: %v", what, same)
		}
		// Without what it does not know, it is what it was.
		if visit(read.ProtoReflect(), func(m protoreflect.Message) { m.SetUnknown(nil) }); what == "fields" && !proto.Equal(read, plan()) {
			t.Errorf("fields of the later contract change what today's reads: %v", read)
		}
	}
}

// TestAnswers: our adapter does with each answer what is said of it.
func TestAnswers(t *testing.T) {
	answers := need.Value(Answers())(t)
	for _, answer := range answers {
		c := &cluster{answer: answer.Response}
		_, err := adapters.NewLoop(c, c, c, c, adapters.Options{}).Reconcile(t.Context(), adapters.Key{Namespace: "default", Name: "web"})
		if slices.Sort(c.deleted); !slices.Equal(c.deleted, answer.Deleted) {
			t.Errorf("%s deleted %v, want %v", answer.About, c.deleted, answer.Deleted)
		}
		refused := map[string]bool{
			"":          err == nil,
			"fence":     slices.Equal(c.held, []string{adapters.ReasonFence}),
			"guard":     errors.Is(err, adapters.ErrUnknownGuard),
			"operation": errors.Is(err, adapters.ErrUnknownOperation),
		}
		if !refused[answer.Refused] {
			t.Errorf("%s %v, held %v, want refused: %q", answer.About, err, c.held, answer.Refused)
		}
	}
}

// cluster has a set with two pods, and a planner that gives one answer.
type cluster struct {
	answer []byte

	mu      sync.Mutex
	deleted []string
	held    []string
}

func (c *cluster) Snapshot(context.Context, adapters.Key) (*setplanv1.Snapshot, error) {
	return &setplanv1.Snapshot{
		ObservedAt: timestamppb.New(time.Now()),
		Set: &setplanv1.StatefulSet{ApiVersion: "apps/v1", Kind: "StatefulSet", Namespace: "default", Name: "web", Uid: "set", Generation: 1,
			Selector: &setplanv1.LabelSelector{MatchLabels: map[string]string{"app": "web"}}},
		Tables: &setplanv1.Tables{OwnerSets: []*setplanv1.OwnerSet{{}, {Owners: []*setplanv1.OwnerReference{{Uid: "set", Controller: true}}}}},
		Pods: []*setplanv1.Pod{{Name: "web-0", Uid: "uid-web-0", ResourceVersion: "1", OwnerSetIndex: 1},
			{Name: "web-1", Uid: "uid-web-1", ResourceVersion: "1", OwnerSetIndex: 1}},
	}, nil
}

func (c *cluster) Set(context.Context, adapters.Key) (adapters.SetIdentity, error) {
	return adapters.SetIdentity{UID: "set", Generation: 1}, nil
}

func (c *cluster) LiveSet(ctx context.Context, key adapters.Key) (adapters.SetIdentity, error) {
	return c.Set(ctx, key)
}

func (c *cluster) Observed(context.Context, adapters.Key, adapters.Write) bool { return true }

func (c *cluster) Current(context.Context, adapters.Key, adapters.Write) (bool, error) {
	return true, nil
}

func (c *cluster) Plan(context.Context, *setplanv1.PlanRequest) (*setplanv1.PlanResponse, error) {
	response := &setplanv1.PlanResponse{}
	return response, proto.Unmarshal(c.answer, response)
}

func (c *cluster) Apply(_ context.Context, _ adapters.Key, action *setplanv1.Action) adapters.Result {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.deleted = append(c.deleted, action.GetTarget().GetName())
	return adapters.Result{}
}

func (c *cluster) Planned(adapters.Key, *setplanv1.Snapshot, *setplanv1.Plan) {}
func (c *cluster) Applied(adapters.Key, *setplanv1.Snapshot, *setplanv1.Action, adapters.Result) {
}
func (c *cluster) Held(_ adapters.Key, reason string, _ error) { c.held = append(c.held, reason) }
func (c *cluster) Forgotten(adapters.Key)                      {}
