package jsontree

// Lookup reads one value out of an object, by the keys on the way to it, without a tree for the rest; null if it is not
// there. It fails where Parse fails, so what it has looked at can be parsed later.
func Lookup(data []byte, path ...string) (Value, error) {
	p := parser{text: string(data)}
	v, err := p.lookup(path, 0)
	if err != nil {
		return Value{}, err
	}
	return v, p.end()
}

// lookup reads the value at hand: it is the one that is looked for where no key is left.
func (p *parser) lookup(path []string, depth int) (found Value, err error) {
	if len(path) == 0 {
		return p.value(depth)
	}
	if p.space(); p.at >= len(p.text) || p.text[p.at] != '{' {
		return Value{}, p.skip(depth)
	}
	if p.values++; p.values > maxValues {
		return Value{}, tooManyValues()
	}
	err = p.members(func(key string) error {
		if key != path[0] {
			return p.skip(depth + 1)
		}
		found, err = p.lookup(path[1:], depth+1) // of a repeated key the last counts
		return err
	})
	return found, err
}

// skip reads a value and drops it.
func (p *parser) skip(depth int) error {
	p.space()
	switch {
	case p.values >= maxValues: // value says so
	case p.at < len(p.text) && p.text[p.at] == '{' && depth <= maxDepth:
		p.values++
		return p.members(func(string) error { return p.skip(depth + 1) })
	case p.at < len(p.text) && p.text[p.at] == '[' && depth <= maxDepth:
		p.values++
		return p.items(func() error { return p.skip(depth + 1) })
	}
	_, err := p.value(depth)
	return err
}
