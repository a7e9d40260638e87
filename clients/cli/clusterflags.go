package cli

import (
	"fmt"

	"github.com/setplan/setplan/clients/cli/shell"
)

// clusterFlags are the flags by which kubectl, and this program, come to the cluster that was read, by whatever rights. Commands that are
// run later name it: what is current in a kubeconfig may be another one by then. Secrets are not repeated.
func (o *options) clusterFlags() ([]string, error) {
	if *o.kube.Context != "" {
		return o.givenFlags(), nil
	}
	raw, err := o.kube.ToRawKubeConfigLoader().RawConfig()
	if err != nil {
		return nil, fmt.Errorf("the kubeconfig: %w", err)
	}
	return o.flagsWith(raw.CurrentContext), nil
}

// givenFlags are those of them that this program was called with: kubectl, called without them, would come to another cluster.
func (o *options) givenFlags() []string { return o.flagsWith(*o.kube.Context) }

func (o *options) flagsWith(context string) []string {
	k := o.kube
	var flags []string
	for _, flag := range []struct{ name, value string }{
		{"kubeconfig", *k.KubeConfig}, {"context", context}, {"cluster", *k.ClusterName}, {"user", *k.AuthInfoName}, {"server", *k.APIServer},
		{"tls-server-name", *k.TLSServerName}, {"certificate-authority", *k.CAFile}, {"client-certificate", *k.CertFile}, {"client-key", *k.KeyFile},
		{"as", *k.Impersonate}, {"as-uid", *k.ImpersonateUID},
	} {
		if flag.value != "" {
			flags = append(flags, shell.Command("--"+flag.name+"=%s", flag.value))
		}
	}
	for _, group := range *k.ImpersonateGroup {
		flags = append(flags, shell.Command("--as-group=%s", group))
	}
	if *k.Insecure {
		flags = append(flags, "--insecure-skip-tls-verify=true")
	}
	return flags
}
