package testbed

import "testing"

func TestNumbers(t *testing.T) {
	var hundred []float64
	for i := range 100 {
		hundred = append(hundred, float64(100-i))
	}
	for name, row := range map[string]struct{ got, want float64 }{
		"half of a hundred do not exceed it": {Percentile(hundred, 50), 50},
		"all but one":                        {Percentile(hundred, 99), 99},
		"all":                                {Percentile(hundred, 100), 100},
		"of two, the larger":                 {Percentile([]float64{1, 2}, 99), 2},
		"of one":                             {Percentile([]float64{7}, 50), 7},
		"the one in the middle":              {Median([]float64{9, 1, 5}), 5},
		"between the two in the middle":      {Median([]float64{9, 1, 5, 3}), 4},
		"as large as much":                   {Exponent(100, 1000, 3, 30), 1},
		"the square":                         {Exponent(10, 20, 1, 4), 2},
		"the same":                           {Exponent(10, 20, 4, 4), 0},
	} {
		if diff := row.got - row.want; diff > 1e-9 || diff < -1e-9 {
			t.Errorf("%s: got %g, want %g", name, row.got, row.want)
		}
	}
}
