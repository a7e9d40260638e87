package forecast

import (
	"crypto/sha256"
	"encoding/binary"
	"hash"
	"maps"
	"slices"

	"github.com/setplan/setplan/engine/model"
)

// digest stands for a text that is too long to be kept.
type digest [sha256.Size]byte

// digester makes a digest of values one after another; no two lists of values are written the same.
type digester struct {
	*meter
	hash hash.Hash
	out  []byte
}

func newDigester(m *meter) *digester { return &digester{meter: m, hash: sha256.New()} }

func (d *digester) flush(atLeast int) {
	if len(d.out) >= atLeast {
		d.text(len(d.out))
		_, _ = d.hash.Write(d.out)
		d.out = d.out[:0]
	}
}

func (d *digester) number(n int64) {
	d.out = binary.AppendVarint(d.out, n)
	d.flush(4 << 10)
}

func (d *digester) flag(set bool) {
	if set {
		d.number(1)
	} else {
		d.number(0)
	}
}

func (d *digester) string(s string) {
	d.out = appendText(d.out, s)
	d.flush(4 << 10)
}

func (d *digester) strings(list []string) {
	d.number(int64(len(list)))
	for _, s := range list {
		d.string(s)
	}
}

// digestOf stands for the annotations of an object without the one that names containers: UnderWay is what that says. It is made once of those that
// many objects may share.
func (s *shared) digestOf(a *model.Annotations) (sum digest) {
	if a == nil {
		return sum
	}
	if known, ok := s.digests[a]; ok {
		return known
	}
	d := newDigester(s.meter)
	for _, key := range slices.Sorted(maps.Keys(a.Values)) {
		if key != annotationUpdate {
			d.string(key)
			d.string(a.Values[key])
		}
	}
	sum = d.sum()
	if _, remembered := s.weights[a]; remembered {
		s.keep(stateBytes)
		s.digests[a] = sum
	}
	return sum
}

func (d *digester) sum() (sum digest) {
	d.flush(1)
	d.hash.Sum(sum[:0])
	return sum
}

// appendText writes a text and where it ends.
func appendText(out []byte, s string) []byte {
	return append(binary.AppendUvarint(out, uint64(len(s))), s...)
}
