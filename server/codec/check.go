package codec

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"google.golang.org/protobuf/encoding/protowire"
)

// Check looks at the bytes of a request before memory is spent on its message, which takes many times its bytes. It
// allocates only the error: a *TooManyPodsError, an *InvalidError or ErrStopped.
//
// The generated code that reads the request afterwards is less strict than protobuf: it accepts text that is not UTF-8, numbers
// that are too long or cut off, and map entries whose key is a number. Check refuses those. Whatever passes is read as
// proto.Unmarshal would read it, or refused.
func Check(data []byte, limits Limits) error {
	c := check{limits: limits, waiting: waiting{stop: limits.Stop}}
	if limits.MaxPods > 0 {
		pods := c.countPods(data)
		if c.gone {
			return ErrStopped
		}
		if err := limits.refusePods(pods); err != nil {
			return err
		}
	}
	return c.message(data, requestShape)
}

// check is the state of one walk over a request.
type check struct {
	limits Limits
	all    int             // elements so far
	counts [maxCounted]int // of each list so far, or its bytes
	way    [maxWay]place   // to the field at hand
	depth  int
	waiting
}

// place is one field of a path.
type place struct {
	field *fieldShape
	index int // -1: not an element of a list
}

func (c *check) message(data []byte, s *shape) error {
	for _, counter := range s.each {
		c.counts[counter] = 0
	}
	for len(data) > 0 {
		if c.over() {
			return ErrStopped
		}
		number, kind, value, n := takeField(data)
		var f *fieldShape
		if int(number) < len(s.fields) {
			f = s.fields[number]
		}
		if f != nil && kind != protowire.BytesType && !f.packed { // no field of a later contract: that would have another number
			c.enter(f)
			return c.refuse("has wire type %d, must have %d", kind, protowire.BytesType)
		}
		if n < 0 {
			return c.malformed()
		}
		data = data[n:]
		if f == nil {
			continue
		}
		c.enter(f)
		if err := c.field(kind, value, f); err != nil {
			return err
		}
		c.depth--
	}
	return nil
}

func (c *check) enter(f *fieldShape) {
	c.way[c.depth] = place{f, -1}
	c.depth++
}

func (c *check) field(kind protowire.Type, value []byte, f *fieldShape) error {
	if kind != protowire.BytesType { // numbers, one by one
		return c.element(f)
	}
	if f.sum {
		if c.counts[f.bytes] += len(value); c.counts[f.bytes] > f.longest {
			return c.refuse("more than %d bytes in total", f.longest)
		}
	}
	if f.packed {
		return c.unpack(value, f)
	}
	if f.repeated {
		if err := c.element(f); err != nil {
			return err
		}
	}
	switch {
	case f.message != nil:
		return c.message(value, f.message)
	case len(value) > f.longest && !f.sum:
		return c.refuse("%s", tooLong(len(value), f.longest))
	case f.text && !utf8.Valid(value):
		return c.refuse("is not valid UTF-8")
	}
	return nil
}

func (c *check) malformed() error {
	return c.refuse("not a message of the contract: its bytes are incomplete or malformed")
}

// element counts one element of a list.
func (c *check) element(f *fieldShape) error {
	c.way[c.depth-1].index = c.counts[f.counter]
	c.counts[f.counter]++
	c.all++
	if most := c.most(f); most > 0 && c.counts[f.counter] > most {
		if f.each {
			return c.refuse("more than %d of them in one list", most)
		}
		return c.refuse("more than %d of them in one request", most)
	}
	if c.limits.MaxElements > 0 && c.all > c.limits.MaxElements {
		return c.refuse("more than %d elements of lists and maps in one request", c.limits.MaxElements)
	}
	return nil
}

// unpack checks packed numbers. If the last one is cut off, the generated code reads on into the next field, and then reads the
// rest as something that nobody has checked.
func (c *check) unpack(value []byte, f *fieldShape) error {
	for len(value) > 0 {
		_, n := varint(value)
		if n < 0 {
			return c.malformed()
		}
		value = value[n:]
		if err := c.element(f); err != nil {
			return err
		}
	}
	return nil
}

// most is how many elements a list may have; 0 is no limit.
func (c *check) most(f *fieldShape) int {
	if f.isClaims {
		return c.limits.MaxClaims
	}
	return f.most
}

// refuse names the field. Its path has an index only for the outermost list: elements are counted over the whole request, so
// the index within an inner list is not known.
func (c *check) refuse(format string, args ...any) error {
	var path strings.Builder
	listed := false
	for i, p := range c.way[:c.depth] {
		if i > 0 {
			path.WriteByte('.')
		}
		path.WriteString(p.field.name)
		if p.index >= 0 && !listed {
			listed = true
			fmt.Fprintf(&path, "[%d]", p.index)
		}
	}
	if c.depth == 0 {
		path.WriteString("request")
	}
	return invalid(path.String(), format, args...)
}

// countPods counts pods without reading them.
func (c *check) countPods(data []byte) (pods int) {
	c.each(data, snapshotNumber, func(snapshot []byte) {
		c.each(snapshot, podsNumber, func([]byte) { pods++ })
	})
	return pods
}

// each calls f for every field of a number that holds bytes.
func (c *check) each(data []byte, wanted protowire.Number, f func(value []byte)) {
	for len(data) > 0 && !c.over() {
		number, kind, value, n := takeField(data)
		if n < 0 {
			return
		}
		if number == wanted && kind == protowire.BytesType {
			f(value)
		}
		data = data[n:]
	}
}

// takeField reads the first field of a message: what it holds, if it holds bytes, and how many bytes it takes. n is negative if it is
// malformed, and the number is 0 if its tag is.
func takeField(data []byte) (number protowire.Number, kind protowire.Type, value []byte, n int) {
	tag, n := varint(data)
	number, kind = protowire.DecodeTag(tag)
	if n < 0 || !number.IsValid() {
		return 0, 0, nil, -1
	}
	length, m := uint64(0), 0
	switch kind {
	case protowire.BytesType:
		if length, m = varint(data[n:]); m >= 0 && length > uint64(len(data)-n-m) {
			m = -1
		}
	case protowire.VarintType:
		_, m = varint(data[n:])
	default:
		m = protowire.ConsumeFieldValue(number, kind, data[n:])
	}
	if m < 0 {
		return number, kind, nil, -1
	}
	end := n + m + int(length)
	return number, kind, data[n+m : end], end
}

// varint is protowire.ConsumeVarint with a shortcut for one byte, as nearly all tags, numbers and lengths are.
func varint(data []byte) (uint64, int) {
	if len(data) > 0 && data[0] < 0x80 {
		return uint64(data[0]), 1
	}
	return protowire.ConsumeVarint(data)
}
