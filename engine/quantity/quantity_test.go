package quantity

import (
	"math/big"
	"strings"
	"testing"
)

// FuzzQuantity: amounts are those of exact arithmetic.
func FuzzQuantity(f *testing.F) {
	for _, seed := range []string{"1", "0", "00", "1.5", "1.", ".5", ".", "1.2.3", "0.000000001", "0.0000000001", "1500m", "1Gi", "1.5Ki", "7Ei", "12E", "3e3", "3e-3", "1e-10", "1E30", "1e31", "e3", "1n",
		"9" + strings.Repeat("0", 60) + "Ei", "0.10", "-1", "1x", "1Kix", "０"} {
		f.Add(seed, "1")
		f.Add(seed, seed)
	}
	f.Fuzz(func(t *testing.T, one, two string) {
		a, okA := Parse(one)
		b, okB := Parse(two)
		x, wantA := exactly(one)
		y, wantB := exactly(two)
		if okA != wantA || okB != wantB {
			t.Fatalf("%q is read: %t, %q: %t", one, okA, two, okB)
		}
		if !okA || !okB {
			return
		}
		total, _ := new(big.Int).SetString(a.Plus(b).nanos, 10)
		if a.nanos != x.String() || a.Compare(b) != x.Cmp(y) || a.IsZero() != (x.Sign() == 0) || total == nil || total.Cmp(new(big.Int).Add(x, y)) != 0 ||
			a.IsWhole() != (new(big.Int).Rem(x, big.NewInt(1e9)).Sign() == 0) {
			t.Fatalf("%q is %v, want %v; with %q: %v, %d", one, a, x, two, a.Plus(b), a.Compare(b))
		}
	})
}

// exactly is an amount in billionths.
func exactly(text string) (*big.Int, bool) {
	end := strings.IndexFunc(text, func(c rune) bool { return !strings.ContainsRune("0123456789.", c) })
	if end < 0 {
		end = len(text)
	}
	number, ok := new(big.Rat).SetString("0" + text[:end])
	if !ok || strings.Trim(text[:end], ".") == "" || len(text) > longest {
		return nil, false
	}
	factor := new(big.Int).Lsh(big.NewInt(1), uint(binarySuffixes[text[end:]]))
	if binarySuffixes[text[end:]] == 0 {
		power, ok := exponentOf(text[end:])
		if !ok {
			return nil, false
		}
		ten := new(big.Int).Exp(big.NewInt(10), big.NewInt(int64(max(power, -power))), nil)
		if power < 0 {
			number.Quo(number, new(big.Rat).SetInt(ten))
		} else {
			factor = ten
		}
	}
	number.Mul(number, new(big.Rat).SetInt(factor)).Mul(number, new(big.Rat).SetInt64(1e9))
	return number.Num(), number.IsInt()
}
