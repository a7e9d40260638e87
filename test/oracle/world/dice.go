package world

import "math/rand"

// dice is the randomness of one world. Equal seeds give equal worlds, on every machine.
type dice struct {
	*rand.Rand
	// wild is how often something is out of the ordinary, in percent. Most worlds are nearly healthy, because upstream only
	// reaches the later phases of a pass in those.
	wild int
}

// chance is true in this percentage of cases.
func (d *dice) chance(percent int) bool { return d.Intn(100) < percent }

// odd is true as often as this world is out of the ordinary.
func (d *dice) odd() bool { return d.chance(d.wild) }

// pick returns one of the values. A value that is listed twice is twice as likely.
func pick[T any](d *dice, values ...T) T { return values[d.Intn(len(values))] }

func ptr[T any](value T) *T { return &value }
