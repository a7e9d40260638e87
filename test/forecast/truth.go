package forecast

import (
	"fmt"
	"math/rand/v2"
	"strings"

	"github.com/setplan/setplan/engine/forecast"
	"github.com/setplan/setplan/engine/model"
	"github.com/setplan/setplan/server/codec"
)

// Trial is one life, its forecast and what came of it.
type Trial struct {
	Lines          []string // what was done to the set
	Told, Happened []string
	Verdict        string
	Tally          Tally
	Skipped        bool // there was no set left to ask about
}

// Tally counts what has happened.
type Tally struct{ Writes, Restarts, Drains, ClaimsGone, Unavailable, ContainerRestarts int }

// Add counts what another life was.
func (t *Tally) Add(other Tally) {
	t.Writes += other.Writes
	t.Restarts += other.Restarts
	t.Drains += other.Drains
	t.ClaimsGone += other.ClaimsGone
	t.Unavailable += other.Unavailable
	t.ContainerRestarts += other.ContainerRestarts
}

// Try makes the life of a seed. lie, if set, changes the snapshot and the assumptions before the forecast.
func Try(seed uint64, lie func(*model.Snapshot, *forecast.Hosts)) (*Trial, error) {
	l, snapshot, err := lived(seed)
	trial := &Trial{Lines: l.lines, Skipped: snapshot == nil}
	if err != nil || trial.Skipped {
		return trial, err
	}
	takes := l.takes
	if lie != nil {
		lie(snapshot, &takes)
	}
	said := told(snapshot, takes)
	happened := l.happens()
	trial.Told, trial.Happened = said.lines(), happened.lines()
	trial.Verdict = happened.verdict
	trial.Tally = Tally{len(happened.writes), len(happened.restarts), len(happened.drainPods), len(happened.claimsGone), happened.peak, len(happened.containerRestarts)}
	return trial, nil
}

// lived is the life of a seed up to the edit, and the snapshot after it; nil if the set is gone.
func lived(seed uint64) (*life, *model.Snapshot, error) {
	l := newLife(rand.New(rand.NewPCG(seed, 1)))
	l.begin()
	l.live()
	l.decide()
	if l.world.State().Set(web.Name) == nil {
		return l, nil, nil
	}
	l.begun = l.world.Now()
	request, err := l.request()
	if err != nil {
		return l, nil, err
	}
	snapshot, err := codec.Decode(request, codec.Limits{})
	return l, snapshot, err
}

// happens is what comes of the edit.
func (l *life) happens() *outcome {
	seen := watch(l.cluster)
	return seen.outcome(l.run(maxPasses))
}

// True reports whether the forecast came true.
func (t *Trial) True() bool { return strings.Join(t.Told, "\n") == strings.Join(t.Happened, "\n") }

// String shows both side by side, as far as they differ.
func (t *Trial) String() string {
	var out strings.Builder
	fmt.Fprintf(&out, "%s\n\nforecast:\n", strings.Join(t.Lines, "\n"))
	mark := func(lines, others []string) {
		for i, line := range lines {
			sign := " "
			if i >= len(others) || others[i] != line {
				sign = ">"
			}
			fmt.Fprintf(&out, "%s %s\n", sign, line)
		}
	}
	mark(t.Told, t.Happened)
	out.WriteString("\nhappened:\n")
	mark(t.Happened, t.Told)
	return out.String()
}
