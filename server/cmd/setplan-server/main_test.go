package main

import (
	"bytes"
	"context"
	"strings"
	"testing"
	"time"
)

func TestFlagsThatMakeNoSense(t *testing.T) {
	for line, want := range map[string]string{
		"--max-pods=0":                        "--max-pods",
		"--max-message-bytes=0":               "--max-message-bytes",
		"--max-message-bytes=9":               "--max-message-bytes",
		"--drain-timeout=0s":                  "--drain-timeout",
		"--listen-address=":                   "--listen-address",
		"--reflection=":                       "--reflection",
		"--reflection=perhaps":                "--reflection",
		"--log-level=loud":                    "--log-level",
		"--log-format=xml":                    "--log-format",
		"--tls-cert-file=x":                   "--tls-key-file",
		"--listen-address=0.0.0.0:0":          "--insecure-plaintext",
		"extra":                               "extra",
		"--listen-address=127.0.0.1:0 --what": "--what",
	} {
		c := command()
		c.SetArgs(strings.Fields(line))
		ctx, cancel := context.WithTimeout(t.Context(), 5*time.Second)
		if err := c.ExecuteContext(ctx); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: err = %v, want one that names %s", line, err, want)
		}
		cancel()
	}
}

func TestDefaultsAndHelp(t *testing.T) {
	c := command()
	for name, want := range map[string]string{
		"listen-address": "127.0.0.1:7450", "metrics-address": "", "tls-cert-file": "", "tls-key-file": "",
		"client-ca-file": "", "insecure-plaintext": "false", "reflection": "auto", "max-message-bytes": "67108864", "max-pods": "100000",
		"drain-timeout": "20s", "log-level": "info", "log-format": "text",
	} {
		flag := c.Flags().Lookup(name)
		if flag == nil || flag.DefValue != want {
			t.Errorf("--%s: %+v, want default %q", name, flag, want)
		}
	}
	var out bytes.Buffer
	c.SetOut(&out)
	c.SetArgs([]string{"--version"})
	if err := c.Execute(); err != nil || !strings.HasPrefix(out.String(), "setplan-server version ") {
		t.Errorf("--version: %q, %v", &out, err)
	}
}
