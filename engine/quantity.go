package engine

import (
	"math/big"
	"strconv"
	"strings"
)

// quantity is an amount of a resource, exact: the texts 1Gi, 1024Mi and 1073741824 are the same amount. A zero quantity is nothing, and less
// than any other.
type quantity struct{ nanos *big.Int }

const (
	longestQuantity = 64 // bytes; the API server writes none that is half as long
	largestExponent = 30
	nanoDigits      = 9
)

// binarySuffixes stand for powers of 1024, and decimalSuffixes for powers of 10 (k8s.io/apimachinery/pkg/api/resource, suffix.go).
var (
	binarySuffixes  = map[string]uint{"Ki": 10, "Mi": 20, "Gi": 30, "Ti": 40, "Pi": 50, "Ei": 60}
	decimalSuffixes = map[string]int{"n": -9, "u": -6, "m": -3, "": 0, "k": 3, "M": 6, "G": 9, "T": 12, "P": 15, "E": 18}
)

// parseQuantity reads an amount as the API server does, except that it takes no sign and nothing below a billionth.
func parseQuantity(text string) (q quantity, ok bool) {
	if text == "" || len(text) > longestQuantity {
		return quantity{}, false
	}
	end := strings.IndexFunc(text, func(c rune) bool { return c != '.' && (c < '0' || c > '9') })
	number, suffix := text, ""
	if end >= 0 {
		number, suffix = text[:end], text[end:]
	}
	whole, fraction, _ := strings.Cut(number, ".")
	digits := whole + fraction
	nanos, valid := new(big.Int).SetString(digits, 10)
	if digits == "" || !valid {
		return quantity{}, false
	}
	exponent, bits := 0, uint(0)
	if bits = binarySuffixes[suffix]; bits == 0 {
		if exponent, ok = exponentOf(suffix); !ok {
			return quantity{}, false
		}
	}
	nanos.Lsh(nanos, bits)
	return shifted(nanos, exponent+nanoDigits-len(fraction))
}

// exponentOf reads a decimal suffix, or an exponent such as e3.
func exponentOf(suffix string) (exponent int, ok bool) {
	if exponent, ok = decimalSuffixes[suffix]; ok {
		return exponent, true
	}
	if suffix[0] != 'e' && suffix[0] != 'E' {
		return 0, false
	}
	exponent, err := strconv.Atoi(suffix[1:])
	return exponent, err == nil && -largestExponent <= exponent && exponent <= largestExponent
}

// shifted multiplies by a power of ten; ok is false if a digit would be lost.
func shifted(n *big.Int, power int) (q quantity, ok bool) {
	factor := new(big.Int).Exp(big.NewInt(10), big.NewInt(int64(max(power, -power))), nil)
	if power >= 0 {
		return quantity{n.Mul(n, factor)}, true
	}
	rest := new(big.Int)
	n.QuoRem(n, factor, rest)
	return quantity{n}, rest.Sign() == 0
}

// isZero reports whether an amount is nothing, or zero.
func (q quantity) isZero() bool { return q.nanos == nil || q.nanos.Sign() == 0 }

// isWhole reports whether an amount has no fraction.
func (q quantity) isWhole() bool {
	return q.nanos == nil || new(big.Int).Rem(q.nanos, big.NewInt(1e9)).Sign() == 0
}

// plus adds two amounts.
func (q quantity) plus(other quantity) quantity {
	if q.nanos == nil {
		return other
	}
	return quantity{new(big.Int).Add(q.nanos, other.nanos)}
}

// compare is negative if q is less than other, and 0 if they are the same amount.
func (q quantity) compare(other quantity) int {
	switch {
	case q.nanos == nil && other.nanos == nil:
		return 0
	case q.nanos == nil:
		return -1
	case other.nanos == nil:
		return 1
	}
	return q.nanos.Cmp(other.nanos)
}
