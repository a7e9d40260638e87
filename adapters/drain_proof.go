package adapters

import "strings"

// DrainTokenVariable is the environment variable by which a drain pod's container was given a token. Snapshots carry the
// termination messages of containers that have it.
const DrainTokenVariable = "SETPLAN_DRAIN_TOKEN"

// maxTerminationMessage is as much of a termination message as a kubelet keeps.
const maxTerminationMessage = 4096

// TerminationMessage is a termination message in the form of the contract: valid UTF-8, and no longer than a kubelet keeps it.
func TerminationMessage(text string) string {
	return strings.ToValidUTF8(text[:min(len(text), maxTerminationMessage)], "")
}
