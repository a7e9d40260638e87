package forecast

import (
	"strings"
	"testing"

	"github.com/setplan/setplan/engine/model"
)

// TestForecastsSayWhatDiffers: each restart has the line, and so has each pod that is given another image in place.
func TestForecastsSayWhatDiffers(t *testing.T) {
	const line = " What differs: image of container web: 1 -> 2."
	s := edit(running(t, newSet(2)), func(set *model.Set) { set.PodTemplate = image("web:2") })
	if _, r := forecastOf(t, s, Options{}); len(r.Restarts) != 2 || !strings.HasSuffix(r.Restarts[1].Why.Message, line) {
		t.Errorf("%+v", r.Restarts)
	}
	s.Set.Annotations = map[string]string{"setplan.io/in-place": "InPlaceIfPossible"}
	if _, r := forecastOf(t, s, Options{}); len(r.ContainerRestarts) != 2 || !strings.HasSuffix(r.ContainerRestarts[1].Why.Message, line) {
		t.Errorf("%+v", r.ContainerRestarts)
	}
}
