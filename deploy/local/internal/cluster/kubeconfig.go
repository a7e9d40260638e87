package cluster

import (
	"bytes"
	"crypto/x509"
	"encoding/base64"
	"encoding/pem"
	"errors"
	"fmt"
	"os"
	"text/template"
)

// kubeconfigTemplate quotes nothing: names, tokens and addresses are made here.
var kubeconfigTemplate = template.Must(template.New("kubeconfig").Parse(`apiVersion: v1
kind: Config
clusters:
- name: {{.Cluster}}
  cluster:
    server: {{.Server}}
    certificate-authority-data: {{.CA}}
users:
- name: {{.User}}
  user:
    token: {{.Token}}
contexts:
- name: {{.Cluster}}
  context:
    cluster: {{.Cluster}}
    user: {{.User}}
current-context: {{.Cluster}}
`))

// kubeconfig is one user's way to an instance's API server.
func (i *Instance) kubeconfig(u user, ca []byte) ([]byte, error) {
	var out bytes.Buffer
	err := kubeconfigTemplate.Execute(&out, map[string]string{
		"Cluster": "setplan-" + i.Name,
		"Server":  u.server(i.Ports.APIServer),
		"CA":      base64.StdEncoding.EncodeToString(ca),
		"User":    u.name,
		"Token":   u.token,
	})
	return out.Bytes(), err
}

// writeKubeconfigs can run only when the API server is up: it is the API server
// that makes the certificate they have to trust.
func (i *Instance) writeKubeconfigs(users []user) error {
	ca, err := i.authority()
	if err != nil {
		return err
	}
	for _, u := range users {
		data, err := i.kubeconfig(u, ca)
		if err != nil {
			return fmt.Errorf("make kubeconfig of %s: %w", u.name, err)
		}
		if err := writeFile(i.path(u.kubeconfig), data); err != nil {
			return err
		}
	}
	return nil
}

// authority is the certificate authority that the API server made for itself:
// the last certificate of its serving certificate's chain.
func (i *Instance) authority() ([]byte, error) {
	chain, err := os.ReadFile(i.path(certsDir, string(APIServer), "apiserver.crt"))
	if err != nil {
		return nil, fmt.Errorf("read the API server's certificate: %w", err)
	}
	var last *pem.Block
	for block, rest := pem.Decode(chain); block != nil; block, rest = pem.Decode(rest) {
		last = block
	}
	if last == nil {
		return nil, errors.New("read the API server's certificate: no certificate in it")
	}
	cert, err := x509.ParseCertificate(last.Bytes)
	if err != nil {
		return nil, fmt.Errorf("read the API server's certificate: %w", err)
	}
	if !cert.IsCA {
		return nil, errors.New("read the API server's certificate: no authority in its chain")
	}
	return pem.EncodeToMemory(last), nil
}
