package convert

// Severity says how urgent a finding is.
type Severity string

const (
	// Stop: if you go on, pods or data are lost, or two controllers fight.
	Stop Severity = "stop"
	// Act: something that works now stops working, unless you act.
	Act Severity = "act"
	// Note: something is different afterwards.
	Note Severity = "note"
)

// Finding is something that matters for the move of a set.
type Finding struct {
	Severity Severity `json:"severity"`
	Code     string   `json:"code"`
	Subject  string   `json:"subject,omitempty"`
	Message  string   `json:"message"`
	Remedy   string   `json:"remedy,omitempty"`
	Commands []string `json:"commands,omitempty"`
}

// checks lists all checks, the most dangerous findings first.
var checks = []func(*Case) []Finding{
	owned, synced, beingDeleted, unfinished, waking, forgotten, lacking, unsupported, exists, unserved, refused, adopted, drained, restless, heldBack, young,
	remembered, claimed, scaled, finalized, foreignEncoding, grown, halfway, collided, leftover, budgeted, unread,
}

// preflight returns all findings: by severity, then in the order of checks.
func (c *Case) preflight() []Finding {
	found := []Finding{}
	for _, severity := range []Severity{Stop, Act, Note} {
		for _, check := range checks {
			for _, finding := range check(c) {
				if finding.Severity == severity {
					found = append(found, finding)
				}
			}
		}
	}
	return found
}
