package forecast

import (
	"hash/fnv"
	"math/rand/v2"
	"time"

	"k8s.io/apimachinery/pkg/types"

	"github.com/setplan/setplan/engine/forecast"
)

// Bound is the worst case of an edit beside what is forecast, and what happens where hosts take as long as they like.
type Bound struct {
	Lines                 []string
	Worst, Told, Happened int
	Tried                 bool // the set is small enough for every order
}

// Exceed makes the life of a seed.
func Exceed(seed uint64) (*Bound, error) {
	l, snapshot, err := lived(seed)
	bound := &Bound{Lines: l.lines}
	if err != nil || snapshot == nil {
		return bound, err
	}
	options := forecast.Options{Hosts: l.takes}
	worst := forecast.Worst(nil, snapshot, options)
	if bound.Tried = worst.All; !worst.All {
		return bound, nil
	}
	l.unsteady = seed
	bound.Worst, bound.Told, bound.Happened = worst.PeakUnavailable, told(snapshot, l.takes).peak, l.happens().peak
	return bound, nil
}

// varied is how long something takes on an unsteady host: from nothing to four times as long, but always the same for the same pod.
func (c *cluster) varied(pod types.UID, what string, takes time.Duration) time.Duration {
	if c.unsteady == 0 {
		return takes
	}
	hash := fnv.New64a()
	hash.Write([]byte(string(pod) + what))
	random := rand.New(rand.NewPCG(c.unsteady, hash.Sum64()))
	return (takes * time.Duration(random.IntN(41)) / 10).Truncate(time.Second)
}
