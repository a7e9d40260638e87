package explore

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/setplan/setplan/engine/model"
)

// patches is how many patches of the claim template a set can have: none, its removal or addition, and one for each size beyond its own.
const patches = 1 + largest

// patch is the place of a set's patch.
func (config *Config) patch(template revision, size uint8) int {
	if config.isWithout(template) != config.Adds {
		return 1
	}
	return int(size)
}

// claimPatch is the annotation.
func (config *Config) claimPatch(at int) string {
	switch {
	case at == 0:
		return ""
	case at == 1 && config.Adds:
		return addition
	case at == 1:
		return `{"` + claimName + `":null}`
	}
	return `{"` + claimName + `":{"spec":{` + request(uint8(at)) + `}}}`
}

func request(size uint8) string {
	return `"resources":{"requests":{"storage":"` + gi(size) + `"}}`
}

// claimSize is what a claim template asks for by itself, if claims grow.
func (config *Config) claimSize() string {
	if !config.Grows {
		return ""
	}
	return "," + request(1)
}

func gi(n uint8) string { return fmt.Sprintf("%dGi", n) }

// fromGi is the way back; ok is false for an amount that no set asks for.
func fromGi(text string) (n uint8, ok bool) {
	number, found := strings.CutSuffix(text, "Gi")
	amount, err := strconv.ParseUint(number, 10, 8)
	return uint8(amount), found && err == nil && amount > 0 && amount <= largest
}

// prepareVolumes makes what a claim shows of each volume.
func (s *scribe) prepareVolumes() {
	for at, v := range volumes {
		storage := &model.ClaimStorage{Request: gi(v.asks), Capacity: gi(v.has)}
		if v.provider != waits {
			condition := model.Condition{Type: "Resizing", Status: "True", ChangedAt: noon.Add(-time.Minute)}
			if v.provider == fails {
				condition.Type, condition.Message = "ControllerResizeError", "no room"
			}
			storage.Conditions = []model.Condition{condition}
		}
		values := map[string]string{}
		if v.noted {
			values["setplan.io/claim-request"] = gi(v.asks)
		}
		if v.changed {
			values["setplan.io/claim-changed"] = noon.Add(-time.Hour).Format(time.RFC3339)
		}
		s.storages[at], s.requests[at] = storage, &model.Annotations{Values: values}
	}
}

// readPatch translates another request of a claim.
func readPatch(w *write, a *model.Action, op model.PatchClaim) error {
	w.op = patchClaim
	asks, ok := fromGi(op.Request)
	if w.asks = asks; !ok {
		return fmt.Errorf("%s asks for %q", a.ID, op.Request)
	}
	return nil
}

// sizeIn is what a new claim asks for.
func sizeIn(manifest []byte) uint8 {
	_, after, _ := strings.Cut(string(manifest), `"storage":"`)
	text, _, _ := strings.Cut(after, `"`)
	if n, ok := fromGi(text); ok {
		return n
	}
	return 1
}
