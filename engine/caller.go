package engine

// caller is who waits for the plan. A caller that has gone gets none: what is under way then ends early, wherever it is.
type caller struct {
	stop func() bool // reports whether the caller has gone; nil: it stays
	gone bool
}

// placesAtOnce is how many places a long walk visits between two looks at whether the caller has gone.
const placesAtOnce = 512

// ends looks whether the caller has gone.
func (c *caller) ends() bool {
	c.gone = c.gone || c.stop != nil && c.stop()
	return c.gone
}

// endsAt looks at the i-th place of a long walk, now and then.
func (c *caller) endsAt(i int) bool { return i%placesAtOnce == placesAtOnce-1 && c.ends() }
