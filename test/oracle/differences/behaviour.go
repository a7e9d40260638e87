package differences

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/setplan/setplan/engine/model"
	"github.com/setplan/setplan/test/oracle/planned"
	"github.com/setplan/setplan/test/oracle/upstream"
	"github.com/setplan/setplan/test/oracle/world"
)

// Theirs runs upstream over a world and describes what it does, a line for each request.
func Theirs(w *world.World) []string {
	out := upstream.Pass(w)
	lines := writeLines(w, out.Writes)
	if out.Err != nil {
		lines = append(lines, "fails, and tries the same again later")
	}
	return orNothing(lines)
}

// Ours plans for a world and describes what an adapter then does, and what the plan holds back.
func Ours(w *world.World, rules model.Rules) ([]string, error) {
	out, err := planned.Pass(w, rules)
	if err != nil {
		return nil, err
	}
	var writes []world.Write
	for i := range out.Stages {
		writes = append(writes, out.Stages[i].Writes()...)
	}
	lines := orNothing(writeLines(w, writes))
	for _, b := range out.Plan.Blocks {
		lines = append(lines, fmt.Sprintf("block %s %s", b.Code, b.Name))
	}
	return lines, nil
}

func orNothing(lines []string) []string {
	if len(lines) == 0 {
		return []string{"writes nothing"}
	}
	return lines
}

func writeLines(w *world.World, writes []world.Write) []string {
	var lines []string
	for _, write := range writes {
		line := fmt.Sprintf("%s %s", write.Op, write.Name)
		switch write.Op {
		case world.UpdateStatus:
			line = "update status: " + statusChange(world.StatusBody(&w.Set.Status), write.Body)
		case world.OwnPod:
			line = "release pod " + write.Name
			if strings.Contains(write.Body, string(w.Set.UID)) {
				line = "adopt pod " + write.Name
			}
		}
		if write.Refused != "" {
			line += ": refused, " + write.Refused
		}
		lines = append(lines, line)
	}
	return lines
}

// statusChange lists the fields of a status that another status changes.
func statusChange(from, to string) string {
	var old, now map[string]any
	for text, into := range map[string]*map[string]any{from: &old, to: &now} {
		if err := json.Unmarshal([]byte(text), into); err != nil {
			panic(err) // it is our own encoding
		}
	}
	keys := slices.Collect(maps.Keys(old))
	keys = append(keys, slices.Collect(maps.Keys(now))...)
	slices.Sort(keys)
	var changes []string
	for _, key := range slices.Compact(keys) {
		if key == "conditions" {
			changes = append(changes, conditionChanges(now[key].([]any))...)
			continue
		}
		if old[key] != now[key] {
			changes = append(changes, fmt.Sprintf("%s %v -> %v", key, orZero(old[key]), orZero(now[key])))
		}
	}
	return strings.Join(changes, ", ")
}

func conditionChanges(conditions []any) []string {
	var changes []string
	for _, c := range conditions {
		condition := c.(map[string]any)
		changes = append(changes, fmt.Sprintf("condition %s %s, %s", condition["type"], condition["status"], condition["reason"]))
	}
	return changes
}

func orZero(value any) any {
	if value == nil {
		return 0
	}
	return value
}
