//go:build nodes

package test

import (
	"strings"
	"testing"
)

// TestWhy: the first line of why names the cause of what real kubelets make of a pod. Each case changes the set's template, or its manifest.
func TestWhy(t *testing.T) {
	t.Parallel()
	const container = "image: setplan.local/app:1"
	for name, c := range map[string]struct {
		from, to string
		names    []string // what the first wait must tell
	}{
		"image that is never pulled": {container, "image: setplan.local/none:1\n        imagePullPolicy: Never", []string{"ErrImageNeverPull", "setplan.local/none:1"}},
		"image that is not there":    {container, "image: setplan.local/none:1", []string{"setplan.local/none:1"}},
		"image without a name":       {container, "image: 'Setplan/APP'", []string{"InvalidImageName"}},
		"program that is not there":  {container, container + "\n        command: [/nothing]", []string{"/nothing"}},
		"crash loop":                 {"value: /data}", "value: /data}, {name: CRASH, value: '3'}", []string{"exit code 3"}},
		"out of memory":              {"value: /data}", "value: /data}, {name: EAT, value: '200'}", []string{"OOMKilled"}},
		"missing key": {"value: /data}", "value: /data}, {name: KEY, valueFrom: {configMapKeyRef: {name: kube-root-ca.crt, key: none}}}",
			[]string{"CreateContainerConfigError", "none"}},
		"missing config map": {"value: /data}", "value: /data}, {name: KEY, valueFrom: {configMapKeyRef: {name: nothing, key: none}}}", []string{"nothing"}},
		"missing secret":     {"volumeMounts: [", "volumeMounts: [{name: secret, mountPath: /secret}, ", []string{"nothing"}},
		"never ready":        {"path: /ready", "path: /nothing", []string{"404"}},
		"never alive":        {container, container + "\n        livenessProbe: {httpGet: {path: /nothing, port: 8080}, periodSeconds: 1, failureThreshold: 1}", []string{"iveness"}},
		"never started":      {container, container + "\n        startupProbe: {httpGet: {path: /nothing, port: 8080}, periodSeconds: 1, failureThreshold: 2}", []string{"tartup"}},
		"init container fails": {"containers:", "initContainers: [{name: first, image: 'setplan.local/app:1', env: [{name: CRASH, value: '4'}]}]\n      containers:",
			[]string{"first", "exit code 4"}},
		"no node has the processor": {"cpu: 10m", "cpu: '1000'", []string{"Insufficient cpu"}},
		"no node has the label":     {"containers:", "nodeSelector: {disk: tape}\n      containers:", []string{"node"}},
		"no such service account":   {"containers:", "serviceAccountName: nobody\n      containers:", []string{"nobody"}},
		"no such storage class":     {"storage: 64Mi}}", "storage: 64Mi}}, storageClassName: none", []string{"none"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if !strings.Contains(web, c.from) {
				t.Fatalf("the manifest has no %q", c.from)
			}
			s := newSpace(t, c.from, c.to)
			s.says(c.names...)
		})
	}
}
