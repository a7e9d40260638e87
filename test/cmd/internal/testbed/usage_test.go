package testbed

import (
	"os"
	"testing"
	"time"
)

// TestUsage: the kernel's figures for this process, listed once and twice.
func TestUsage(t *testing.T) {
	me := os.Getpid()
	before, err := CPU([]int{me})
	one := before
	for began := time.Now(); err == nil && one < before+20*time.Millisecond; one, err = CPU([]int{me}) {
		if time.Since(began) > time.Minute {
			t.Fatalf("CPU %s before, and %s a minute later", before, one)
		}
	}
	if err != nil {
		t.Fatal(err)
	}
	if two, err := CPU([]int{me, me}); err != nil || two < 2*one {
		t.Errorf("CPU of two %s, of one %s, %v", two, one, err)
	}
	peak, err := Peak([]int{me})
	if err != nil || peak < 1<<20 {
		t.Errorf("peak %d bytes, %v", peak, err)
	}
	if now, err := Resident([]int{me, me}); err != nil || now < 1<<20 || now > 2*peak+(8<<20) { // the kernel counts in batches
		t.Errorf("resident %d bytes, peak %d, %v", now, peak, err)
	}
	if _, err := CPU([]int{-1}); err == nil {
		t.Error("there is no such process")
	}
}
