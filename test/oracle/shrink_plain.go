package oracle

import (
	"bytes"

	apiequality "k8s.io/apimachinery/pkg/api/equality"

	"github.com/setplan/setplan/test/oracle/world"
)

// plainChanges make a world easier to read. Shrink keeps one only if the difference stays, so they need not be exact.
var plainChanges = []func(*world.World) bool{
	func(w *world.World) bool { return w.Set.Name != "web" && renameSet(w, "web") },
	func(w *world.World) bool {
		plain := world.Plain(0, w.Gate).Set.Spec.Template // with defaults, as an API server admits it
		if apiequality.Semantic.DeepEqual(w.Set.Spec.Template, plain) {
			return false
		}
		w.Set.Spec.Template = plain
		return true
	},
	func(w *world.World) bool {
		had := false
		for _, pod := range w.Pods {
			had = had || len(pod.Spec.Volumes) > 0
			pod.Spec.Volumes = nil
		}
		return had
	},
	func(w *world.World) bool {
		had := len(w.Set.Finalizers) > 0 && w.Set.DeletionTimestamp == nil
		if had {
			w.Set.Finalizers = nil
		}
		return had
	},
}

// renameSet gives the set another name, and renames whatever is named after it.
func renameSet(w *world.World, name string) bool {
	text := w.Format("")
	text = bytes.ReplaceAll(text, []byte(w.Set.Name), []byte(name))
	const cut = 223 // revisions of a longer name start with its first 223 bytes
	if len(w.Set.Name) > cut {
		text = bytes.ReplaceAll(text, []byte(w.Set.Name[:cut]), []byte(name))
	}
	renamed, err := world.Parse(text)
	if err != nil {
		return false // the name is part of something else, too
	}
	*w = *renamed
	return true
}
