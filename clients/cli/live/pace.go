package live

import "time"

// Pace learns how long a set takes for one pod.
type Pace struct {
	first, last point
	known       bool
}

type point struct {
	at   time.Time
	left int
}

// Saw takes the number of pods left to do at a time. If more are left than before, something new has begun, and Pace starts to learn
// again.
func (p *Pace) Saw(left int, at time.Time) {
	switch {
	case !p.known || left > p.last.left:
		p.first, p.last, p.known = point{at, left}, point{at, left}, true
	case left < p.last.left:
		p.last = point{at, left}
	}
}

// Left returns how long the rest takes at the pace so far; unknown before the first pod is done.
func (p *Pace) Left(now time.Time) (time.Duration, bool) {
	done := p.first.left - p.last.left
	if done <= 0 {
		return 0, false
	}
	each := p.last.at.Sub(p.first.at) / time.Duration(done)
	return max(0, each*time.Duration(p.last.left)-now.Sub(p.last.at)), true
}
