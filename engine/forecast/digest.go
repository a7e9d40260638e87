package forecast

import (
	"crypto/sha256"
	"encoding/binary"
	"hash"
	"maps"
	"reflect"
	"slices"

	"github.com/setplan/setplan/engine/inplace"
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

// put takes texts, lists of them, integers and bools.
func (d *digester) put(values ...any) {
	for _, value := range values {
		switch v := value.(type) {
		case string:
			d.out = appendText(d.out, v)
		case []string:
			d.put(len(v))
			for _, s := range v {
				d.put(s)
			}
		case bool:
			n := 0
			if v {
				n = 1
			}
			d.put(n)
		default:
			d.out = binary.AppendVarint(d.out, reflect.ValueOf(v).Int())
		}
		d.flush(4 << 10)
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
		if key != inplace.AnnotationUpdate {
			d.put(key, a.Values[key])
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
