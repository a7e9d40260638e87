package upgrade

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/setplan/setplan/clients/cli/printable"
	setplanv1 "github.com/setplan/setplan/proto/setplan/v1"
)

// steps tells the first step whose writes differ, of forecasts that come to the same.
func (d *Difference) steps(old, now []*setplanv1.ForecastStep) {
	for i := range max(len(old), len(now)) {
		before, after := writes(old, i), writes(now, i)
		if !slices.Equal(before, after) {
			d.Words = append(d.Words, fmt.Sprintf("step %d: %s; with the old planner: %s", i+1, cmp.Or(listed(after), "none"), cmp.Or(listed(before), "none")))
			return
		}
	}
}

// writes names the writes of a step; none after the last.
func writes(steps []*setplanv1.ForecastStep, i int) (names []string) {
	if i >= len(steps) {
		return nil
	}
	for _, action := range printable.Message(steps[i]).GetActions() {
		names = append(names, strings.ReplaceAll(action.GetOperation(), "_", " ")+" "+action.GetTarget().GetName())
	}
	return names
}
