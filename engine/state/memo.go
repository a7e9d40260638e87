package state

// Memo remembers what was found about things that objects share. Nearly all objects share one, so the last comes first and needs no map.
type Memo[K comparable, V any] struct {
	of     K
	found  V
	filled bool
	before map[K]V
}

// Get returns what was found about a thing.
func (m *Memo[K, V]) Get(of K) (found V, known bool) {
	if m.filled && m.of == of {
		return m.found, true
	}
	found, known = m.before[of]
	if known {
		m.Set(of, found)
	}
	return found, known
}

// Set notes what was found about a thing.
func (m *Memo[K, V]) Set(of K, found V) {
	if m.filled {
		if m.before == nil {
			m.before = map[K]V{}
		}
		m.before[m.of] = m.found
	}
	m.of, m.found, m.filled = of, found, true
}
