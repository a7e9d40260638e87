package snapshot

// few is how many texts are compared faster than looked up in a map. Nearly all tables have no more.
const few = 4

// places maps texts to their indexes in a table, from 1.
type places struct {
	first [few]string
	count uint32
	all   map[string]uint32 // nil while there are few
}

// of finds the index of a text, or gives it the next one.
func (p *places) of(text string) (at uint32, found bool) {
	if p.all == nil {
		for i := range p.count {
			if p.first[i] == text {
				return i + 1, true
			}
		}
	} else if at, found = p.all[text]; found {
		return at, true
	}
	p.add(text)
	return p.count, false
}

func (p *places) add(text string) {
	if p.count == few {
		p.all = make(map[string]uint32, 2*few)
		for i, earlier := range p.first {
			p.all[earlier] = uint32(i) + 1
		}
	}
	p.count++
	if p.all != nil {
		p.all[text] = p.count
	} else {
		p.first[p.count-1] = text
	}
}
