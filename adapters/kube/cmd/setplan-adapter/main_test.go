package main

import (
	"bytes"
	"testing"

	"github.com/setplan/setplan/server"
)

// TestVersion: --version needs none of the required flags.
func TestVersion(t *testing.T) {
	c, out := command(), &bytes.Buffer{}
	c.SetOut(out)
	c.SetArgs([]string{"--version"})
	if err := c.Execute(); err != nil || out.String() != "setplan-adapter version "+server.Version()+"\n" {
		t.Errorf("%q, %v", out, err)
	}
}
