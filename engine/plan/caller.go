package plan

// Caller is who waits for the plan. A caller that has gone gets none: what is under way then ends early, wherever it is.
type Caller struct {
	stop func() bool // reports whether the caller has gone; nil: it stays
	gone bool
}

// placesAtOnce is how many places a long walk visits between two looks at whether the caller has gone.
const placesAtOnce = 512

// NewCaller is one that stays until stop reports true; nil: it stays.
func NewCaller(stop func() bool) *Caller { return &Caller{stop: stop} }

// Gone reports whether the caller was found to have gone.
func (c *Caller) Gone() bool { return c.gone }

// Ends looks whether the caller has gone. It stays a call, so that EndsAt, which long walks ask at each place, is none.
//
//go:noinline
func (c *Caller) Ends() bool {
	c.gone = c.gone || c.stop != nil && c.stop()
	return c.gone
}

// EndsAt looks at the i-th place of a long walk, now and then.
func (c *Caller) EndsAt(i int) bool { return i%placesAtOnce == placesAtOnce-1 && c.Ends() }
