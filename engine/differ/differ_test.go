package differ

import (
	"strings"
	"testing"
)

// TestSentence: one line says what differs between two revisions. The reason is the line.
func TestSentence(t *testing.T) {
	const db = `{"name":"db","image":"registry.example/db:15.3","env":[{"name":"PASSWORD","value":"s3cret"},{"name":"A","value":"1"}],` +
		`"args":["--token=s3cret"],"resources":{"limits":{"memory":"64Mi"}},"livenessProbe":{"periodSeconds":10}}`
	const spec = `{"spec":{"template":{"metadata":{"labels":{"app":"web"},"annotations":{"token":"s3cret"}},"spec":{"containers":[` + db +
		`],"volumes":[{"name":"tmp","emptyDir":{}},{"name":"conf","configMap":{"name":"a"}}],"tolerations":[{"key":"a"},{"key":"b"}],"dnsPolicy":"ClusterFirst"}}}}`
	for want, edit := range map[string][]string{
		"image of container db: 15.3 -> 15.4":                              {`db:15.3`, `db:15.4`},
		"image of container db: registry.example/db:15.3 -> other/db:15.3": {`registry.example/db`, `other/db`},
		"only the order of volumes":                                        {`{"name":"tmp","emptyDir":{}},{"name":"conf","configMap":{"name":"a"}}`, `{"name":"conf","configMap":{"name":"a"}},{"name":"tmp","emptyDir":{}}`},
		"only the order of tolerations":                                    {`{"key":"a"},{"key":"b"}`, `{"key":"b"},{"key":"a"}`},
		"only the order of env of container db":                            {`{"name":"PASSWORD","value":"s3cret"},{"name":"A","value":"1"}`, `{"name":"A","value":"1"},{"name":"PASSWORD","value":"s3cret"}`},
		"env PASSWORD of container db":                                     {`"value":"s3cret"`, `"value":"other"`},
		"env B of container db added":                                      {`"env":[`, `"env":[{"name":"B","value":"s3cret"},`},
		"env A of container db removed":                                    {`,{"name":"A","value":"1"}`, ``},
		"args of container db":                                             {`--token=s3cret`, `--token=other`},
		"resources.limits.memory of container db: 64Mi -> 128Mi":           {`64Mi`, `128Mi`},
		"resources.limits.cpu of container db added":                       {`"memory"`, `"cpu":"1","memory"`},
		"livenessProbe.periodSeconds of container db: 10 -> 20":            {`:10`, `:20`},
		"annotation token":                                                 {`"token":"s3cret"`, `"token":"other"`},
		"label tier added":                                                 {`"app":"web"`, `"app":"web","tier":"gold"`},
		"configMap.name of volume conf":                                    {`{"name":"a"}`, `{"name":"b"}`},
		"volume new added, the order of volumes":                           {`{"name":"tmp","emptyDir":{}},{"name":"conf","configMap":{"name":"a"}}`, `{"name":"conf","configMap":{"name":"a"}},{"name":"new"},{"name":"tmp","emptyDir":{}}`},
		"volume tmp removed":                                               {`{"name":"tmp","emptyDir":{}},`, ``},
		"container side added":                                             {`"containers":[`, `"containers":[{"name":"side","image":"x"},`},
		"dnsPolicy":                                                        {`"dnsPolicy":"ClusterFirst"`, `"securityContext":{},"dnsPolicy":"Default"`},
		"the claim templates":                                              {`{"spec":{"template"`, `{"spec":{"volumeClaimTemplates":[{"a":1}],"template"`},
		"label app removed, label b added, label c added, label d added, and 2 more": {`"app":"web"`, `"b":"","c":"","d":"","e":"","f":""`},
		"annotation " + strings.Repeat("é", mostOfName/2) + "... added":              {`"token"`, `"` + strings.Repeat("é", 5000) + `":"","token"`},
	} {
		changed := strings.Replace(spec, edit[0], edit[1], 1)
		got := Sentence([]byte(spec), []byte(changed))
		if got != "What differs: "+want+"." {
			t.Errorf("%s -> %s:\n%s, want\n%s", edit[0], edit[1], got, want)
		}
		if back := Sentence([]byte(changed), []byte(spec)); back == "" || strings.Contains(back+got, "s3cret") {
			t.Errorf("%s: back: %s", want, back)
		}
	}
	for data, want := range map[string]string{
		strings.Replace(spec, `"dnsPolicy"`, `"hostIPC":null,"securityContext":{},"dnsPolicy"`, 1): "No field of the pod template differs.",
		"{": "",
	} {
		if got := Sentence([]byte(spec), []byte(data)); got != want {
			t.Errorf("%s: %q, want %q", data, got, want)
		}
	}
}
