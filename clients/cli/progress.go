package cli

import "time"

// progress says on standard error how far a long command is, once in a while.
type progress struct {
	now  func() time.Time
	tell func(format string, args ...any)

	total int // 0: nobody knows
	done  int
	told  time.Time
}

// progressEvery is how often progress is told. A command that is done before says nothing.
const progressEvery = 5 * time.Second

func (o *options) progress(total int) *progress {
	return &progress{now: time.Now, tell: o.note, total: total, told: time.Now()}
}

// step counts one set that is done.
func (p *progress) step() {
	p.done++
	if p.now().Sub(p.told) < progressEvery {
		return
	}
	p.told = p.now()
	if p.total == 0 {
		p.tell("%d done", p.done)
		return
	}
	p.tell("%d of %d sets done", p.done, p.total)
}
