package vectors

import (
	"fmt"

	"google.golang.org/protobuf/proto"

	setplanv1 "github.com/setplan/setplan/proto/setplan/v1"
	files "github.com/setplan/setplan/proto/vectors"
	"github.com/setplan/setplan/test/sim"
	"github.com/setplan/setplan/test/story"
)

// moment is one plan of a story.
type moment struct {
	during  string // the command that asked for it
	seen    seen
	request *setplanv1.PlanRequest
	plan    *setplanv1.Plan
}

// moments plays the commands of a story, and returns each plan that was made.
func moments(script string) ([]moment, error) {
	var all []moment
	var command string
	runner := story.NewRunner()
	runner.Record(func(view sim.View, request *setplanv1.PlanRequest, response *setplanv1.PlanResponse) {
		all = append(all, moment{during: command, seen: seenIn(view, request.GetSnapshot().GetSet().GetName()),
			request: proto.CloneOf(request), plan: proto.CloneOf(response.GetPlan())})
	})
	for _, step := range story.Script(script) {
		command = step.Text
		runner.Run(step.Command)
	}
	if problems := runner.Problems(); len(problems) > 0 {
		return nil, fmt.Errorf("an invariant did not hold: %s", problems[0])
	}
	return all, nil
}

// draft makes a vector of a moment. Its request is made from the objects as they are served, by the product's own adapter; it
// has to say what the simulated adapter has said.
func (m *moment) draft(name, about string) (*draft, error) {
	objects, err := m.seen.objects()
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	snapshot, err := build(objects, m.request.GetSnapshot())
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	if same, err := alike(snapshot, m.request.GetSnapshot()); err != nil || !same {
		return nil, fmt.Errorf("%s: two adapters read the same objects in different ways: %v\n%v\n%v", name, err, snapshot, m.request.GetSnapshot())
	}
	return &draft{Vector: files.Vector{Name: name, About: about, Objects: objects},
		request: &setplanv1.PlanRequest{Snapshot: snapshot, Capabilities: m.request.GetCapabilities()}}, nil
}

// last is the last moment of a script that is written here.
func last(name, about, script string) (*draft, error) {
	all, err := moments(script)
	if err != nil || len(all) == 0 {
		return nil, fmt.Errorf("%s: %d plans: %w", name, len(all), err)
	}
	return all[len(all)-1].draft(name, about)
}
