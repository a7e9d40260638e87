package adapters

import "strings"

// OwnAnnotations are those of an object that snapshots carry: all under our prefix, of a later release too, and no others. Their
// texts are as they stand, but for what is not valid UTF-8, which protobuf cannot carry and which becomes U+FFFD, as it does in
// JSON. Nil where there are none, as for nearly all objects.
func OwnAnnotations(annotations map[string]string) map[string]string {
	var own map[string]string
	for name, text := range annotations {
		if !strings.HasPrefix(name, annotationPrefix) {
			continue
		}
		if own == nil {
			own = map[string]string{}
		}
		own[name] = strings.ToValidUTF8(text, "\uFFFD")
	}
	return own
}
