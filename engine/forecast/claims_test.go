package forecast

import (
	"testing"

	"github.com/setplan/setplan/engine/model"
)

// TestClaimsThatGrow: claims that follow a patch are listed in order, and what a provider is in the middle of comes to its end.
func TestClaimsThatGrow(t *testing.T) {
	const patch = `{"www":{"spec":{"resources":{"requests":{"storage":"2Gi"}}}}}`
	for reason, row := range map[string]struct {
		first   model.ClaimStorage // of www-web-2
		verdict Verdict
		changed string
	}{
		"all grow":                             {model.ClaimStorage{Request: "1Gi", Capacity: "1Gi"}, Converged, "www-web-2 www-web-1 www-web-0"},
		"one is growing":                       {model.ClaimStorage{Request: "2Gi", Capacity: "1Gi"}, Converged, "www-web-1 www-web-0"},
		"one waits for its pod":                {model.ClaimStorage{Request: "2Gi", Capacity: "1Gi", ResizeStatus: "NodeResizePending"}, Converged, "www-web-1 www-web-0"},
		"the class of one lets no volume grow": {model.ClaimStorage{Request: "1Gi", Capacity: "1Gi", Class: "slow"}, BlockedForEver, "www-web-1 www-web-0"},
		"one cannot": {model.ClaimStorage{Request: "2Gi", Capacity: "1Gi", Conditions: []model.Condition{
			{Type: "ControllerResizeError", Status: "True", Message: "no room"}}}, BlockedForEver, ""},
	} {
		t.Run(reason, func(t *testing.T) {
			s := edit(running(t, withClaims(newSet(3))), func(s *model.Set) { s.Annotations = map[string]string{"setplan.io/claim-templates": patch} })
			for i := range s.Claims {
				s.Claims[i].Storage = &model.ClaimStorage{Request: "1Gi", Capacity: "1Gi"}
				if s.Claims[i].Name == "www-web-2" {
					s.Claims[i].Storage = &row.first
					if row.first.Request == "2Gi" {
						s.Claims[i].Annotations = &model.Annotations{Values: map[string]string{"setplan.io/claim-request": "2Gi"}}
					}
				}
			}
			s.FixedClasses = []string{"slow"}
			_, r := forecastOf(t, s, Options{})
			if got := claimNames(r.Claims.Changed); r.Verdict != row.verdict || got != row.changed || r.restarts() != "" {
				t.Errorf("%v, changed: %s, restarts: %s", r.Verdict, got, r.restarts())
			}
		})
	}
}
