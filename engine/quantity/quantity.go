// Package quantity has amounts of resources, as Kubernetes writes them.
package quantity

import (
	"cmp"
	"math/big"
	"strconv"
	"strings"
)

// Amount is an amount of a resource, exact: the texts 1Gi, 1024Mi and 1073741824 are the same amount. A zero quantity is nothing, and less
// than any other.
type Amount struct {
	nanos string // digits, without zeros before them but for 0 itself
}

const (
	longest         = 32 // bytes; the API server writes none that is as long
	largestExponent = 30
	nanoDigits      = 9
)

// binarySuffixes stand for powers of 1024, and decimalSuffixes for powers of 10 (k8s.io/apimachinery/pkg/api/resource, suffix.go).
var (
	binarySuffixes  = map[string]int{"Ki": 10, "Mi": 20, "Gi": 30, "Ti": 40, "Pi": 50, "Ei": 60}
	decimalSuffixes = map[string]int{"n": -9, "u": -6, "m": -3, "": 0, "k": 3, "M": 6, "G": 9, "T": 12, "P": 15, "E": 18}
)

// Parse reads an amount as the API server does, except that it takes no sign and nothing below a billionth.
func Parse(text string) (q Amount, ok bool) {
	if text == "" || len(text) > longest {
		return Amount{}, false
	}
	end := strings.IndexFunc(text, func(c rune) bool { return c != '.' && (c < '0' || c > '9') })
	digits, suffix := text, ""
	if end >= 0 {
		digits, suffix = text[:end], text[end:]
	}
	whole, fraction, _ := strings.Cut(digits, ".")
	if whole+fraction == "" || strings.Contains(fraction, ".") {
		return Amount{}, false
	}
	exponent, bits := 0, 0
	if bits = binarySuffixes[suffix]; bits == 0 {
		if exponent, ok = exponentOf(suffix); !ok {
			return Amount{}, false
		}
	}
	nanos := whole + fraction
	if bits > 0 {
		n := number(nanos)
		nanos = n.Lsh(n, uint(bits)).String()
	}
	power := exponent + nanoDigits - len(fraction)
	if power >= 0 {
		return amountOf(nanos + strings.Repeat("0", power)), true
	}
	nanos = strings.Repeat("0", -power) + nanos
	kept, lost := nanos[:len(nanos)+power], nanos[len(nanos)+power:]
	return amountOf(kept), strings.Trim(lost, "0") == ""
}

func amountOf(digits string) Amount {
	if digits = strings.TrimLeft(digits, "0"); digits == "" {
		return Amount{"0"}
	}
	return Amount{digits}
}

// number reads decimal digits.
func number(digits string) *big.Int {
	n, _ := new(big.Int).SetString(digits, 10)
	return n
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

// IsZero reports whether an amount is nothing, or zero.
func (q Amount) IsZero() bool { return q.nanos == "" || q.nanos == "0" }

// IsWhole reports whether an amount has no fraction.
func (q Amount) IsWhole() bool {
	return q.IsZero() || strings.HasSuffix(q.nanos, strings.Repeat("0", nanoDigits))
}

// Plus adds two amounts.
func (q Amount) Plus(other Amount) Amount {
	if q.nanos == "" {
		return other
	}
	n := number(q.nanos)
	return amountOf(n.Add(n, number(other.nanos)).String())
}

// Compare is negative if q is less than other, and 0 if they are the same amount.
func (q Amount) Compare(other Amount) int {
	return cmp.Or(cmp.Compare(len(q.nanos), len(other.nanos)), strings.Compare(q.nanos, other.nanos))
}
