package explore

import (
	"fmt"
	"strings"
)

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
			notes := map[string]string{}
			for name, text := range map[string]string{"reserved-ordinals": strings.Join(list, ","), "pause": pauses[pause],
				"scale-in-guard": map[bool]string{true: "named"}[s.config.Guarded]} {
				if text != "" {
					notes["setplan.io/"+name] = text
				}
			}
			s.policies[reserved][pause] = notes
		}
	}
}
