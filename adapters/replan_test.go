package adapters_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"

	"github.com/setplan/setplan/adapters"
	setplanv1 "github.com/setplan/setplan/proto/setplan/v1"
	"github.com/setplan/setplan/proto/vectors"
)

// answers is a planner with one answer.
type answers struct {
	response *setplanv1.PlanResponse
	err      error
	asked    []*setplanv1.PlanRequest
}

func (a *answers) Plan(_ context.Context, request *setplanv1.PlanRequest) (*setplanv1.PlanResponse, error) {
	a.asked = append(a.asked, request)
	return a.response, a.err
}

func answer(version, uid string) *answers {
	return &answers{response: &setplanv1.PlanResponse{Version: version, Plan: &setplanv1.Plan{Fence: &setplanv1.Fence{SetUid: uid}}}}
}

func ignore(string, string) {}

// TestReplan: of a planner of this build nothing is taken but what this build decides, and of no other is anything made again.
func TestReplan(t *testing.T) {
	refusal, away := &answers{err: errors.New("too large")}, &answers{err: errors.New("away")}
	for name, test := range map[string]struct {
		remote, own *answers
		want        string // what the plan is of; empty: refused
		made        bool   // again
	}{
		"the same":                    {answer("v1", "a"), answer("v1", "a"), "a", true},
		"another plan":                {answer("v1", "a"), answer("v1", "b"), "", true},
		"no plan":                     {&answers{response: &setplanv1.PlanResponse{Version: "v1"}}, answer("v1", "b"), "", true},
		"this build refuses":          {answer("v1", "a"), refusal, "", true},
		"another build":               {answer("v2", "a"), answer("v1", "b"), "a", false},
		"a build that does not say":   {answer("", "a"), answer("v1", "b"), "a", false},
		"the planner cannot be asked": {away, answer("v1", "b"), "", false},
	} {
		request := &setplanv1.PlanRequest{}
		got, err := adapters.NewReplan(test.remote, test.own, "v1", nil, ignore).Plan(t.Context(), request)
		if (err == nil) != (test.want != "") || got.GetPlan().GetFence().GetSetUid() != test.want || (len(test.own.asked) == 1) != test.made {
			t.Errorf("%s: %v, %v, asked %d times", name, got, err, len(test.own.asked))
		}
		if err != nil && errors.Is(err, adapters.ErrPlanDiffers) != test.made {
			t.Errorf("%s: %v", name, err)
		}
		if test.made && (!slices.Contains(test.own.asked, request) || got != nil && got != test.own.response) {
			t.Errorf("%s: what is carried out is not made here of what was sent", name)
		}
	}
}

// TestReplanHolds: the loop carries out nothing of a plan that differs, and says why.
func TestReplanHolds(t *testing.T) {
	w := newWorld(&setplanv1.Plan{Fence: &setplanv1.Fence{SetUid: "u1", Generation: 3}, Stages: []*setplanv1.Stage{{Steps: []*setplanv1.Step{{
		Actions: []*setplanv1.Action{{Id: "a", Operation: &setplanv1.Action_DeletePod{DeletePod: &setplanv1.DeletePod{}}}}}}}}})
	loop := adapters.NewLoop(w, w, adapters.NewReplan(w, answer("", "u1"), "", nil, ignore), w, adapters.Options{})
	_, err := loop.Reconcile(t.Context(), key)
	held := slices.ContainsFunc(w.take(), func(line string) bool { return strings.HasPrefix(line, "held: "+adapters.ReasonReplan) })
	if !errors.Is(err, adapters.ErrPlanDiffers) || !held || !strings.HasSuffix(err.Error(), "plan.fence.generation") {
		t.Errorf("%v, held: %t", err, held)
	}
}

// TestReplanSays: how plans are verified is said with the first answer and when that changes, and not with each answer of planners that are
// upgraded one after the other.
func TestReplanSays(t *testing.T) {
	now, said := start, []string(nil)
	remote := answer("v1", "a")
	r := adapters.NewReplan(remote, answer("v1", "a"), "v1", func() time.Time { return now }, func(by, planner string) { said = append(said, by+" "+planner) })
	for i, step := range []struct {
		after   time.Duration
		version string
		want    string // what is said
	}{
		{0, "v1", "replan v1"}, {0, "v1", ""}, {0, "v2", "checks v2"}, {0, "v1", ""}, {time.Minute, "v3", ""},
		{9 * time.Minute, "v1", ""}, {time.Minute, "v1", "replan v1"}, {0, "", "checks "},
	} {
		now, said, remote.response.Version = now.Add(step.after), nil, step.version
		if _, err := r.Plan(t.Context(), nil); err != nil || strings.Join(said, ", ") != step.want {
			t.Errorf("step %d: said %q, want %q; %v", i, said, step.want, err)
		}
	}
}

// TestReplanSeesEverything changes each field of true plans, one at a time, puts something into each list, takes something out, and changes its order: all of
// that is refused, and the field is named.
func TestReplanSeesEverything(t *testing.T) {
	all, err := vectors.Read("../proto/testdata/vectors")
	if err != nil {
		t.Fatal(err)
	}
	seen := map[string]bool{}
	for _, v := range all {
		if v.Plan == nil || len(v.Plan) > 20_000 { // each change takes as long as the plan
			continue
		}
		plan, err := v.WantedPlan()
		if err != nil {
			t.Fatal(err)
		}
		own := &answers{response: &setplanv1.PlanResponse{Plan: plan}}
		remote := &answers{response: proto.CloneOf(own.response)}
		r := adapters.NewReplan(remote, own, "", nil, ignore)
		changes(remote.response.ProtoReflect(), func(field protoreflect.FieldDescriptor) {
			if field.Name() == "version" || proto.Equal(remote.response, own.response) {
				return
			}
			_, err := r.Plan(t.Context(), nil)
			if !errors.Is(err, adapters.ErrPlanDiffers) || !strings.Contains(err.Error(), string(field.Name())) {
				t.Errorf("%s, %s: %v", v.Name, field.FullName(), err)
			}
			seen[fmt.Sprint(field.FullName())] = true
		})
		if _, err := r.Plan(t.Context(), nil); err != nil {
			t.Errorf("%s: the true plan: %v", v.Name, err)
		}
		remote.response.Plan.ProtoReflect().SetUnknown([]byte{0x98, 0x06, 1})
		if _, err := r.Plan(t.Context(), nil); !errors.Is(err, adapters.ErrPlanDiffers) {
			t.Errorf("%s: a field of a later contract: %v", v.Name, err)
		}
	}
	if len(seen) < 100 {
		t.Errorf("%d fields were changed: %v", len(seen), seen)
	}
}

// changes calls try after each change in a message, and takes the change back.
func changes(m protoreflect.Message, try func(protoreflect.FieldDescriptor)) {
	for i := range m.Descriptor().Fields().Len() {
		f := m.Descriptor().Fields().Get(i)
		was, had := m.Get(f), m.Has(f)
		switch {
		case f.ContainingOneof() != nil && !had: // it would take the place of another
		case f.IsMap():
			key := protoreflect.ValueOfString("x").MapKey()
			m.Mutable(f).Map().Set(key, f.MapValue().Default())
			try(f)
			m.Mutable(f).Map().Clear(key)
		case f.IsList():
			list := m.Mutable(f).List()
			n := list.Len()
			list.Append(list.NewElement())
			try(f)
			list.Truncate(n)
			if n > 0 {
				last := list.Get(n - 1)
				list.Truncate(n - 1)
				try(f)
				list.Append(last)
			}
			if n > 1 {
				first, second := list.Get(0), list.Get(1)
				list.Set(0, second)
				list.Set(1, first)
				try(f)
				list.Set(0, first)
				list.Set(1, second)
			}
			for j := range n {
				if f.Message() != nil {
					changes(list.Get(j).Message(), try)
				}
			}
		default:
			if f.Message() != nil && had {
				changes(was.Message(), try)
				m.Clear(f)
			} else {
				m.Set(f, another(m, f))
			}
			try(f)
			if m.Clear(f); had {
				m.Set(f, was)
			}
		}
	}
}

// another is a value that a field does not have.
func another(m protoreflect.Message, f protoreflect.FieldDescriptor) protoreflect.Value {
	was := m.Get(f)
	switch f.Kind() {
	case protoreflect.MessageKind:
		return m.NewField(f)
	case protoreflect.StringKind:
		return protoreflect.ValueOfString(was.String() + "x")
	case protoreflect.BytesKind:
		return protoreflect.ValueOfBytes(append(slices.Clone(was.Bytes()), 'x'))
	case protoreflect.BoolKind:
		return protoreflect.ValueOfBool(!was.Bool())
	case protoreflect.EnumKind:
		return protoreflect.ValueOfEnum(was.Enum() + 1)
	case protoreflect.Int32Kind:
		return protoreflect.ValueOfInt32(int32(was.Int()) + 1)
	default:
		return protoreflect.ValueOfInt64(was.Int() + 1)
	}
}
