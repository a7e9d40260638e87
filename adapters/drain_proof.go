package adapters

import "strings"

// DrainTokenVariable is the environment variable by which a drain pod's container was given a token. Snapshots carry the
// termination messages of containers that have it, and of drain pods only.
const DrainTokenVariable = "SETPLAN_DRAIN_TOKEN"

// maxDrainMessage is as much of a termination message as a kubelet keeps.
const maxDrainMessage = 4096

// DrainMessage is a termination message in the form of the contract: valid UTF-8, and no longer than a kubelet keeps it.
func DrainMessage(text string) string {
	return strings.ToValidUTF8(text[:min(len(text), maxDrainMessage)], "")
}
