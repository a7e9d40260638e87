package kube

import (
	"strings"
)

// mostText bounds the text of an event, a log line or a summary: blocks and errors of the API server quote what users wrote,
// which may be a quarter of a megabyte. The API server accepts no longer note in an event either.
const mostText = 1024

// brief cuts a text that is too long, and says so.
func brief(text string) string {
	if len(text) <= mostText {
		return text
	}
	const cut = "..."
	return strings.ToValidUTF8(text[:mostText-len(cut)], "") + cut
}

// briefly is brief for errors.
func briefly(err error) string {
	if err == nil {
		return ""
	}
	return brief(err.Error())
}
