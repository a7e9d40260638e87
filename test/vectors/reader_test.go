package vectors

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/testing/protocmp"
	"k8s.io/apimachinery/pkg/api/resource"

	setplanv1 "github.com/setplan/setplan/proto/setplan/v1"
	files "github.com/setplan/setplan/proto/vectors"
	"github.com/setplan/setplan/server/objects"
	"github.com/setplan/setplan/test/need"
)

// TestTwoReaders changes the objects of the vectors at random, and reads them twice: with Kubernetes' types, as adapters do, and as JSON, as the planner does. Where both
// can be read they say the same.
func TestTwoReaders(t *testing.T) {
	var all []*files.Vector
	pool := map[byte][]any{}
	for _, v := range every(t) {
		if v.Objects == nil {
			continue
		}
		all = append(all, v)
		o := need.Value(clusterOf(v.Objects))(t)
		for _, one := range append(append(o.pods, o.claims...), o.set) {
			gather(one, pool)
		}
	}
	random := rand.New(rand.NewPCG(1, 2))
	both, refused := 0, map[string]int{}
	for i := range 2000 {
		v := all[random.IntN(len(all))]
		request := need.Value(v.PlanRequest())(t)
		c := need.Value(clusterOf(v.Objects))(t)
		lists := [][]object{{c.set}, c.others, c.pods, c.claims, c.revisions}
		for range 1 + random.IntN(3) {
			list := lists[random.IntN(len(lists))]
			if len(list) > 0 {
				mutate(random, list[random.IntN(len(list))], pool)
			}
		}
		changed := need.Value(c.objects())(t)
		like := proto.CloneOf(request.GetSnapshot())
		like.Outcomes, like.Policy, like.FixedStorageClasses = nil, nil, nil
		typed, err := build(changed, like)
		if err != nil {
			continue // a type that no API server serves
		}
		raw, err := objects.Read(asObjects(changed, typed, like), objects.Limits{})
		if err != nil {
			wrong := new(objects.Error)
			if !errors.As(err, &wrong) {
				t.Fatal(err)
			}
			refused[wrong.Description]++
			continue
		}
		both++
		canonical(raw.Snapshot)
		if same, err := alike(typed, raw.Snapshot); err != nil || !same {
			t.Errorf("%d, %s: (-types +JSON, %v)\n%s", i, v.Name, err, cmp.Diff(typed, raw.Snapshot, protocmp.Transform()))
		}
	}
	if both < 1500 {
		t.Errorf("%d of 2000 could be read both ways", both)
	}
	for _, what := range slices.Sorted(maps.Keys(refused)) {
		if !slices.ContainsFunc(mayRefuse, func(part string) bool { return strings.Contains(what, part) }) {
			t.Errorf("%d times types read what JSON does not: %s", refused[what], what)
		}
	}
	t.Logf("%d could be read both ways; refused as JSON only: %v", both, refused)
}

// canonical writes amounts as the API server does: types do that, and JSON is passed on as it was sent.
func canonical(s *setplanv1.Snapshot) {
	amount := func(text string) string {
		if quantity, err := resource.ParseQuantity(text); err == nil {
			return quantity.String()
		}
		return text
	}
	for _, storage := range s.GetTables().GetClaimStorages() {
		storage.Request, storage.Capacity = amount(storage.Request), amount(storage.Capacity)
	}
	for _, pod := range s.GetPods() {
		for _, c := range append(pod.GetContainers().GetContainers(), pod.GetContainers().GetInitContainers()...) {
			for _, of := range []map[string]string{c.GetResources().GetRequests(), c.GetResources().GetLimits(), c.GetStatusResources().GetRequests(), c.GetStatusResources().GetLimits()} {
				for name, text := range of {
					of[name] = amount(text)
				}
			}
		}
	}
}

// mayRefuse are refusals of what types read and no API server sends: objects without an identity, or of another kind.
var mayRefuse = []string{"uid", "required", "the documents have no", "second time", "sets of the name"}

func asObjects(o *files.Objects, typed, like *setplanv1.Snapshot) *setplanv1.Objects {
	out := &setplanv1.Objects{Namespace: typed.GetSet().GetNamespace(), Name: typed.GetSet().GetName(), ApiVersion: typed.GetSet().GetApiVersion(),
		Kind: typed.GetSet().GetKind(), ObservedAt: like.GetObservedAt(), Coverage: like.GetCoverage(), Documents: [][]byte{o.Set}}
	for _, list := range [][]json.RawMessage{o.Others, o.Pods, o.Claims, o.Revisions} {
		for _, one := range list {
			out.Documents = append(out.Documents, one)
		}
	}
	return out
}

// gather collects values by their kind.
func gather(value any, pool map[byte][]any) {
	switch v := value.(type) {
	case object:
		for _, key := range slices.Sorted(maps.Keys(v)) {
			gather(v[key], pool)
		}
	case []any:
		for _, item := range v {
			gather(item, pool)
		}
	}
	if kind := fmt.Sprintf("%T", value)[0]; len(pool[kind]) < 5000 {
		pool[kind] = append(pool[kind], value)
	}
}

// mutate changes one value somewhere in an object: it goes, becomes null, another of its kind, or is there twice.
func mutate(random *rand.Rand, o object, pool map[byte][]any) {
	keys := slices.Sorted(maps.Keys(o))
	if len(keys) == 0 {
		return
	}
	key := keys[random.IntN(len(keys))]
	if key == "kind" || key == "apiVersion" {
		return
	}
	amount := key == "storage" || key == "cpu" || key == "memory" // of which null is 0 to types, and no API server sends it
	switch inside := o[key].(type) {
	case object:
		if random.IntN(8) > 0 {
			mutate(random, inside, pool)
			return
		}
	case []any:
		if len(inside) > 0 && random.IntN(6) > 0 {
			at := random.IntN(len(inside))
			if item, is := inside[at].(object); is && random.IntN(4) > 0 {
				mutate(random, item, pool)
			} else {
				o[key] = slices.Insert(slices.Clone(inside), at, inside[at])
			}
			return
		}
	}
	same := pool[fmt.Sprintf("%T", o[key])[0]]
	switch random.IntN(3) {
	case 0:
		delete(o, key)
	case 1:
		if !amount {
			o[key] = nil
		}
	default:
		if len(same) > 0 {
			o[key] = same[random.IntN(len(same))]
		}
	}
}
