package explore

import (
	"fmt"
	"strings"
)

// What the set asks for by its annotations.

// pauses are the texts of the annotation.
var pauses = [...]string{"", "Updates", "HealOnly", "All"}

// preparePolicies makes every set of annotations that the set may have: snapshots are made by the million.
func (s *scribe) preparePolicies() {
	for reserved := range s.policies {
		var list []string
		for i := range maxOrdinals {
			if reserved>>i&1 == 1 {
				list = append(list, fmt.Sprint(i))
			}
		}
		for pause := range s.policies[reserved] {
			for patch := range s.policies[reserved][pause] {
				notes := s.config.annotations()
				notes["reserved-ordinals"], notes["pause"], notes["claim-templates"] = strings.Join(list, ","), pauses[pause], s.config.claimPatch(patch)
				s.policies[reserved][pause][patch] = prefixed(notes)
			}
		}
	}
}

// asked lists what the set asks for, in a search's line.
func (config *Config) asked() (text string) {
	for _, policy := range []struct {
		is   bool
		name string
	}{
		{config.Bounds.OrdinalEdits, "ordinals reserved"},
		{config.Guarded, "guarded"},
		{config.Budgets, "disruption budget"},
		{config.InPlace != "", config.InPlace + config.Inside.String()},
		{config.Removes, fmt.Sprintf("claim removed, history %d", config.HistoryLimit)},
		{config.Adds, fmt.Sprintf("claim added, history %d", config.HistoryLimit)},
		{config.Grows, "claims grow"},
		{config.Gated, "gated"},
		{config.Moments, "moments"},
		{config.Quorum, "quorum"},
		{config.Ranked, "ranked"},
		{config.ScaleUpLimit > 0, fmt.Sprintf("scale-up limit %d", config.ScaleUpLimit)},
	} {
		if policy.is {
			text += ", " + policy.name
		}
	}
	return text
}

// notes are what the searches of a set store.
func (config *Config) notes() notes {
	switch {
	case config.Grows:
		return ofGrowth
	case config.Gated:
		return ofGates
	case config.Moments:
		return ofMoments
	}
	return ofDrains
}

// annotations are those that no edit changes.
func (config *Config) annotations() map[string]string {
	limit := ""
	if config.ScaleUpLimit > 0 {
		limit = fmt.Sprint(config.ScaleUpLimit)
	}
	asked := map[bool]string{true: "agent"}[config.Gated]
	return map[string]string{
		"scale-in-guard":    map[bool]string{true: "named"}[config.Guarded],
		"disruption-budget": map[bool]string{true: "Respect"}[config.Budgets],
		"in-place":          config.InPlace,
		"before-update":     asked,
		"after-update":      asked,
		"update-rank":       map[bool]string{true: "role=primary"}[config.Ranked],
		"scale-up-limit":    limit,
	}
}

// prefixed are annotations as a set has them: none is empty.
func prefixed(notes map[string]string) map[string]string {
	full := map[string]string{}
	for name, text := range notes {
		if text != "" {
			full["setplan.io/"+name] = text
		}
	}
	return full
}
