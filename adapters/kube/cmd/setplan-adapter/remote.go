package main

import (
	"fmt"
	"net"

	"github.com/setplan/setplan/adapters"
	"github.com/setplan/setplan/adapters/kube"
	setplan "github.com/setplan/setplan/clients/go"
)

// remotePlanner connects to a planner service; the first plan opens the connection.
func remotePlanner(f *flags) (adapters.Planner, func(), error) {
	client, err := setplan.Dial(f.plannerAddress, f.protection(), setplan.WithUserAgent(kube.Manager))
	if err != nil {
		return nil, nil, fmt.Errorf("--planner-address: %w", err)
	}
	return client, func() { _ = client.Close() }, nil
}

// protection is TLS, except where the flags say otherwise, and for a planner on this machine that no certificate was
// given for.
func (f *flags) protection() setplan.Option {
	files := f.plannerCAFile != "" || f.plannerCertFile != ""
	if f.plannerInsecure || (isLoopback(f.plannerAddress) && !files) {
		return setplan.WithInsecure()
	}
	return setplan.WithTLSFiles(f.plannerCAFile, f.plannerCertFile, f.plannerKeyFile)
}

// isLoopback reports whether an address cannot leave this machine.
func isLoopback(address string) bool {
	host, _, err := net.SplitHostPort(address)
	if err != nil {
		return false
	}
	ip := net.ParseIP(host)
	return host == "localhost" || (ip != nil && ip.IsLoopback())
}
