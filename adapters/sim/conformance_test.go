package sim_test

import (
	"testing"

	"github.com/setplan/setplan/adapters/conformance"
	"github.com/setplan/setplan/adapters/sim/simtest"
)

func TestConformance(t *testing.T) {
	conformance.Run(t, func(t *testing.T) conformance.Harness { return simtest.New(t) })
}
