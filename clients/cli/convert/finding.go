package convert

// Severity says what a finding asks for.
type Severity string

const (
	// Stop: go on, and pods or data are lost, or two controllers fight.
	Stop Severity = "stop"
	// Act: something that works now does not work afterwards, unless somebody sees to it.
	Act Severity = "act"
	// Note: what is different afterwards, or was not looked at.
	Note Severity = "note"
)

// Finding is something around a set that its move has to do with.
type Finding struct {
	Severity Severity `json:"severity"`
	Code     string   `json:"code"`
	Subject  string   `json:"subject,omitempty"`
	Message  string   `json:"message"`
	Remedy   string   `json:"remedy,omitempty"`
	Commands []string `json:"commands,omitempty"`
}

// checks are in the order of danger: what may cost most comes first.
var checks = []func(*Case) []Finding{
	owned, synced, beingDeleted, unfinished, waking, forgotten, unsupported, exists, unserved, refused, adopted, drained, restless, heldBack, young,
	remembered, claimed, scaled, finalized, foreignEncoding, halfway, collided, leftover, budgeted, unread,
}

// preflight is everything that was found, the most dangerous first.
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
