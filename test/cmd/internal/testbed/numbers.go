package testbed

import (
	"math"
	"slices"
)

// Percentile is the value that this percentage of the values does not exceed.
func Percentile(values []float64, percent int) float64 {
	sorted := slices.Sorted(slices.Values(values))
	at := (len(sorted)*percent + 99) / 100
	return sorted[max(at, 1)-1]
}

// Median returns the mean of the two middle values if their number is even.
func Median(values []float64) float64 {
	sorted := slices.Sorted(slices.Values(values))
	middle := len(sorted) / 2
	if len(sorted)%2 == 1 {
		return sorted[middle]
	}
	return (sorted[middle-1] + sorted[middle]) / 2
}

// Exponent says how cost grows with size: 1 is linear, 2 is quadratic, and less than 1 means a fixed part spread over more.
func Exponent(sizeA, sizeB int, costA, costB float64) float64 {
	return math.Log(costB/costA) / math.Log(float64(sizeB)/float64(sizeA))
}
