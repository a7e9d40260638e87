package kube

import (
	"math"
	"time"
)

const (
	// shareHalved is the time in which half of what a namespace has had is forgotten.
	shareHalved = 10 * time.Second
	// heavyShare is what makes a namespace heavy: one worker, all the time, comes to 14 seconds.
	heavyShare = 5 * time.Second
	// lightShare is what a namespace has to have had to count as one that works.
	lightShare = 10 * time.Millisecond
)

// shares is the time of workers that each namespace has had of late. What a pass costs the API server is not known here, but a
// pass takes longer by it: whoever keeps several workers busy keeps the API server busy, and everybody else waits for that.
// It is not safe for several goroutines.
type shares struct {
	of     map[string]share
	pruned time.Time
}

// share is what one namespace had at a time.
type share struct {
	had time.Duration
	at  time.Time
}

func (s share) now(now time.Time) time.Duration {
	return time.Duration(float64(s.had) * math.Exp2(-float64(now.Sub(s.at))/float64(shareHalved)))
}

// add notes a pass, and now and then forgets who has done nothing for long.
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

// heavy reports whether a namespace has had more than its share while another works too. Who is alone has everything.
func (s *shares) heavy(namespace string, now time.Time) bool {
	return len(s.of) > 1 && s.of[namespace].now(now) > heavyShare
}
