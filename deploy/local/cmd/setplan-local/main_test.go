package main

import (
	"bytes"
	"slices"
	"strings"
	"testing"
)

func TestFlagsAndOperandsInAnyOrder(t *testing.T) {
	for _, line := range []string{
		"restart --name a apiserver --dir d",
		"restart apiserver --name a --dir d",
		"restart --dir=d -name=a apiserver",
	} {
		args := strings.Fields(line)
		o := newOptions(args[0])
		operands, err := o.parse(args[1:], 1)
		if err != nil || !slices.Equal(operands, []string{"apiserver"}) || o.name != "a" || o.dir != "d" {
			t.Errorf("%q: operands %q, name %q, dir %q, %v", line, operands, o.name, o.dir, err)
		}
	}
}

func TestMisuse(t *testing.T) {
	dir := t.TempDir()
	for line, want := range map[string]string{
		"":                      "usage:",
		"fly":                   "usage:",
		"up":                    "--name is missing",
		"up --name a --nodes 0": "want at least 1",
		"up --name a --statefulset-controller maybe": "want on, off or alone",
		"down":                            "either --name or --all",
		"down --all --name a":             "either --name or --all",
		"restart --name a":                "got 0 operands",
		"restart kubelet --name a":        "unknown component",
		"statefulset-controller --name a": "got 0 operands",
	} {
		args := strings.Fields(line)
		if len(args) > 1 {
			args = append(args, "--dir", dir)
		}
		var out, progress bytes.Buffer
		if code := run(t.Context(), args, &out, &progress); code != 2 || !strings.Contains(progress.String(), want) {
			t.Errorf("%q: code %d, want 2; said %q, want %q", line, code, progress.String(), want)
		}
		if out.Len() > 0 {
			t.Errorf("%q: wrote %q where results go", line, out.String())
		}
	}
}

func TestUnknownInstance(t *testing.T) {
	var out, progress bytes.Buffer
	code := run(t.Context(), []string{"kubeconfig", "--name", "a", "--dir", t.TempDir()}, &out, &progress)
	if code != 1 || !strings.Contains(progress.String(), "no such instance: a") {
		t.Errorf("code %d, said %q", code, progress.String())
	}
}
