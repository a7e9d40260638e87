package conformance_test

import (
	"testing"

	"github.com/setplan/setplan/test/conformance"
	"github.com/setplan/setplan/test/conformance/simtest"
)

func TestConformance(t *testing.T) {
	conformance.Run(t, func(t *testing.T) conformance.Harness { return simtest.New(t) })
}
