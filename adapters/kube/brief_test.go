package kube

import (
	"bytes"
	"errors"
	"log/slog"
	"net/http/httptest"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/setplan/setplan/adapters"
	setplanv1 "github.com/setplan/setplan/proto/setplan/v1"
)

// TestNothingIsLong: users' texts, and what API servers quote of them, are cut in every output.
func TestNothingIsLong(t *testing.T) {
	long := strings.Repeat("ß", 128<<10)
	plan := &setplanv1.Plan{}
	for i := range 3 * mostBlocks {
		plan.Blocks = append(plan.Blocks, &setplanv1.Block{Code: setplanv1.BlockCode_BLOCK_CODE_INVALID_POLICY,
			Severity: setplanv1.Severity_SEVERITY_ATTENTION, Message: long, Remedy: long,
			Subject: &setplanv1.Target{Kind: kindPod, Name: strings.Repeat("x", i)}})
	}
	for range 3 * mostNext {
		odd := deletePod(is("p", ""))
		odd.Target.Name = long
		plan.Stages = append(plan.Stages, &setplanv1.Stage{Steps: []*setplanv1.Step{{Actions: []*setplanv1.Action{odd}}}})
	}
	fails := adapters.Result{Err: errors.New(long), Outcome: rejected}
	act := createPod()
	act.Cause = &setplanv1.Cause{Message: long}

	events, recorder := newEvents()
	recorder.Events = make(chan string, 10*mostBlocks)
	plans := NewPlans()
	var log bytes.Buffer
	text := slog.New(slog.NewTextHandler(&log, nil))
	for _, observer := range []adapters.Observer{events, plans, NewLogs(text, false), NewLogs(text, true)} {
		observer.Planned(webKey, eventSnapshot, plan)
		observer.Applied(webKey, eventSnapshot, act, fails)
		observer.Held(webKey, adapters.ReasonPlannerRefused, errors.New(long))
	}
	all := told(recorder)
	if len(all) < 3 || len(all) > mostBlocks+2 {
		t.Errorf("%d events of one plan", len(all))
	}
	for _, event := range all {
		if len(event) > mostText+100 || !utf8.ValidString(event) {
			t.Errorf("an event of %d bytes: %.80s", len(event), event)
		}
	}
	for line := range strings.Lines(log.String()) {
		if len(line) > 3*mostText {
			t.Errorf("a line of %d bytes: %.80s", len(line), line)
		}
	}
	answer := httptest.NewRecorder()
	plans.ServeHTTP(answer, httptest.NewRequest("GET", "/plans", nil))
	if most := mostBlocks*(2*mostText+500) + mostNext*mostText; answer.Body.Len() > most || !strings.Contains(answer.Body.String(), `"moreBlocks":200`) || !strings.Contains(answer.Body.String(), `"moreNext":20`) {
		t.Errorf("a summary of %d bytes", answer.Body.Len())
	}
}
