package kube

import (
	"math"
	"time"
)

const (
	// shareHalved is the half-life of what a namespace has used.
	shareHalved = 10 * time.Second
	// heavyShare is what makes a namespace heavy. One worker that is always busy comes to 14 seconds.
	heavyShare = 5 * time.Second
	// lightShare is what a namespace must have used to count as working.
	lightShare = 10 * time.Millisecond
)

// shares is how much of the workers' time each namespace has recently used. What a pass costs the API server is not known here,
// but expensive passes take longer: a namespace that keeps several workers busy keeps the API server busy, too. It is not safe for
// several goroutines.
type shares struct {
	of     map[string]share
	pruned time.Time
}

// share is what one namespace had used at a time.
type share struct {
	had time.Duration
	at  time.Time
}

func (s share) now(now time.Time) time.Duration {
	return time.Duration(float64(s.had) * math.Exp2(-float64(now.Sub(s.at))/float64(shareHalved)))
}

// add notes a pass, and now and then forgets namespaces that have long been idle.
func (s *shares) add(namespace string, began, ended time.Time) {
	s.of[namespace] = share{had: s.of[namespace].now(ended) + ended.Sub(began), at: ended}
	if ended.Sub(s.pruned) < shareHalved {
		return
	}
	s.pruned = ended
	for other, share := range s.of {
		if share.now(ended) < lightShare {
			delete(s.of, other)
		}
	}
}

// heavy reports whether a namespace has used more than its share while another works, too. A namespace alone may use everything.
func (s *shares) heavy(namespace string, now time.Time) bool {
	return len(s.of) > 1 && s.of[namespace].now(now) > heavyShare
}
