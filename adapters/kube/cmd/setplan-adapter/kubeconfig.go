package main

import (
	"fmt"

	_ "k8s.io/client-go/plugin/pkg/client/auth" // credentials of clouds and OIDC, as kubectl has them
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/clientcmd"
)

// kubeConfig finds the API server the way kubectl does.
func kubeConfig(f *flags) (*rest.Config, error) {
	rules := clientcmd.NewDefaultClientConfigLoadingRules()
	rules.ExplicitPath = f.kubeconfig
	overrides := &clientcmd.ConfigOverrides{CurrentContext: f.context}
	config, err := clientcmd.NewNonInteractiveDeferredLoadingClientConfig(rules, overrides).ClientConfig()
	if err != nil {
		return nil, fmt.Errorf("no API server to talk to (see --kubeconfig and --context): %w", err)
	}
	config.QPS, config.Burst = f.qps, f.burst
	return config, nil
}
