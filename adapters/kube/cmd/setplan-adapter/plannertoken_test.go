package main

import (
	"context"
	"encoding/base64"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"testing"
	"time"
)

// TestOwnToken: the token of the adapter's own service account, which is mounted into every pod, is never shown to a planner; nor is another
// one that the API server takes.
func TestOwnToken(t *testing.T) {
	folder := t.TempDir()
	file := func(name, content string) string {
		path := filepath.Join(folder, name)
		if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	own, other, copied := file("own", "one.two.three\n"), file("other", "one.two.four"), file("copied", "one.two.three")
	withAudience := func(name, audience string) string {
		return file(name, "e30."+base64.RawURLEncoding.EncodeToString([]byte(`{"aud":`+audience+`}`))+"."+name+"\n")
	}
	mounted, forBoth, forPlanner := withAudience("mounted", `["api","k3s"]`), withAudience("both", `["setplan","k3s"]`), withAudience("planner", `"setplan"`)
	const cluster = `{clusters: [{name: a, cluster: {server: "https://127.0.0.1:1"}}], contexts: [{name: a, context: {cluster: a, user: a}}], current-context: a, users: [{name: a, user: {%s}}]}`
	for user, refused := range map[string]map[string]bool{
		"tokenFile: " + own:                        {own: true, copied: true, other: false, "": false},
		"tokenFile: " + mounted:                    {mounted: true, forBoth: true, withAudience("api", `"api"`): true, forPlanner: false, other: false},
		`token: one.two.three`:                     {own: true, other: false},
		`username: admin, password: one.two.three`: {own: false},
	} {
		f, _ := parse(t, "--kubeconfig "+file("kubeconfig", fmt.Sprintf(cluster, user)))
		config, err := kubeConfig(f)
		if err != nil {
			t.Fatal(err)
		}
		for token, want := range refused {
			if err := checkPlannerToken(token, config); errors.Is(err, errOwnToken) != want || !want && err != nil {
				t.Errorf("%s, --planner-token-file=%s: %v", user, token, err)
			}
		}
	}

	ctx, cancel := context.WithTimeout(t.Context(), 10*time.Second)
	defer cancel()
	f, set := parse(t, "--kubeconfig "+file("kubeconfig", fmt.Sprintf(cluster, "tokenFile: "+own))+" --own apps/v1 --planner-address 127.0.0.1:1 --planner-token-file "+own)
	if err := run(ctx, f, set.Changed); !errors.Is(err, errOwnToken) {
		t.Errorf("the program starts: %v", err)
	}
}
