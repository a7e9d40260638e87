package verify

import (
	"math/big"
	"strconv"
	"strings"
)

// A quantity is read exactly: 1Gi, 1024Mi and 1073741824 are the same.

const (
	longestQuantity = 64
	largestExponent = 30
)

var (
	binaryPowers  = map[string]uint{"Ki": 10, "Mi": 20, "Gi": 30, "Ti": 40, "Pi": 50, "Ei": 60}
	decimalPowers = map[string]int{"n": -9, "u": -6, "m": -3, "": 0, "k": 3, "M": 6, "G": 9, "T": 12, "P": 15, "E": 18}
)

// quantityOf is nil for a text that is no quantity, or one that is negative.
func quantityOf(text string) *big.Rat {
	if len(text) > longestQuantity {
		return nil
	}
	number, suffix := text, ""
	if end := strings.IndexFunc(text, func(c rune) bool { return c != '.' && (c < '0' || c > '9') }); end >= 0 {
		number, suffix = text[:end], text[end:]
	}
	value, ok := new(big.Rat).SetString(number)
	factor := factorOf(suffix)
	if !ok || factor == nil {
		return nil
	}
	return value.Mul(value, factor)
}

// factorOf is nil for a text that is no suffix of a quantity.
func factorOf(suffix string) *big.Rat {
	if bits := binaryPowers[suffix]; bits > 0 {
		return new(big.Rat).SetInt(new(big.Int).Lsh(big.NewInt(1), bits))
	}
	power, known := decimalPowers[suffix]
	if !known {
		exponent, err := strconv.Atoi(suffix[1:])
		if suffix[0] != 'e' && suffix[0] != 'E' || err != nil || exponent > largestExponent || exponent < -largestExponent {
			return nil
		}
		power = exponent
	}
	factor := new(big.Rat).SetInt(new(big.Int).Exp(big.NewInt(10), big.NewInt(int64(max(power, -power))), nil))
	if power < 0 {
		factor.Inv(factor)
	}
	return factor
}

// sameQuantity reports whether two texts are the same quantity. No text is as good as zero.
func sameQuantity(a, b string) bool {
	x, y := quantityOf(orZero(a)), quantityOf(orZero(b))
	return x != nil && y != nil && x.Cmp(y) == 0
}

func orZero(text string) string {
	if text == "" {
		return "0"
	}
	return text
}
