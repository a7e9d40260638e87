package plan

import (
	"hash/fnv"
	"io"
	"strconv"

	"github.com/setplan/setplan/engine/model"
)

// actionID is derived from the action: the same write has the same id in the next plan. facts are what the operation says beyond the
// target, such as the revision that a pod is created from.
func actionID(a *model.Action, facts []string) string {
	return a.Op.Traits().Name + "/" + a.Name + "/" + Digest(append([]string{a.UID}, facts...)...)
}

// Digest tells lists of texts apart.
func Digest(texts ...string) string {
	h := fnv.New64a()
	for _, text := range texts {
		io.WriteString(h, text)
		h.Write([]byte{0})
	}
	return strconv.FormatUint(h.Sum64(), 36)
}
