package cluster

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/x509"
	"encoding/hex"
	"encoding/pem"
	"fmt"
	"path/filepath"
	"strings"
)

// user is somebody the API server knows by a token.
type user struct {
	name       string
	token      string
	group      string
	kubeconfig string
	inside     bool // of the nodes' network
}

func (u user) server(port int) string {
	if u.inside {
		return clusterAPIServer
	}
	return httpsURL(port)
}

const masters = "system:masters"

// kubeconfigOf is the file of a component's own kubeconfig. The components are
// users of their own so that the audit log tells them apart.
func kubeconfigOf(c Component) string { return filepath.Join("kubeconfigs", string(c)) }

// newUsers makes everybody who may talk to an instance. The adapter is in no
// group, so it can do exactly what RBAC objects grant to it by name.
func newUsers() []user {
	users := []user{
		{name: "admin", group: masters, kubeconfig: adminKubeconfig},
		{name: "setplan-adapter", kubeconfig: adapterKubeconfig},
		{name: "system:kube-controller-manager", group: masters, kubeconfig: kubeconfigOf(ControllerManager)},
		{name: "system:kube-scheduler", group: masters, kubeconfig: kubeconfigOf(Scheduler)},
		{name: "system:statefulset-controller", group: masters, kubeconfig: kubeconfigOf(StatefulSetController)},
		{name: "kwok", group: masters, kubeconfig: kubeconfigOf(Kwok)},
		{name: "storage", group: masters, kubeconfig: kubeconfigOf(Storage)},
		{name: "dns", group: masters, kubeconfig: kubeconfigOf(Network), inside: true},
		{name: "kubelets", group: masters, kubeconfig: kubeconfigOf(kubelets), inside: true},
	}
	for n := range users {
		secret := make([]byte, 16)
		_, _ = rand.Read(secret) // never fails, by its documentation
		users[n].token = hex.EncodeToString(secret)
	}
	return users
}

// tokens is the API server's token file: token, name, uid and groups.
func tokens(users []user) []byte {
	var out strings.Builder
	for _, u := range users {
		fmt.Fprintf(&out, "%s,%s,%s", u.token, u.name, u.name)
		if u.group != "" {
			fmt.Fprintf(&out, ",%s", u.group)
		}
		out.WriteByte('\n')
	}
	return []byte(out.String())
}

// accountKey signs and checks the tokens of service accounts.
func accountKey() ([]byte, error) {
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		return nil, fmt.Errorf("make service account key: %w", err)
	}
	der, err := x509.MarshalECPrivateKey(key)
	if err != nil {
		return nil, fmt.Errorf("make service account key: %w", err)
	}
	return pem.EncodeToMemory(&pem.Block{Type: "EC PRIVATE KEY", Bytes: der}), nil
}
