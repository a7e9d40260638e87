package main

import (
	"github.com/setplan/setplan/adapters/kube"
	setplan "github.com/setplan/setplan/clients/go"
)

// remotePlanner makes a client of a planner service. The first plan opens the connection.
func remotePlanner(f *flags) (*setplan.Client, func(), error) {
	client, err := f.planner.Dial(kube.Manager)
	if err != nil {
		return nil, nil, err
	}
	return client, func() { _ = client.Close() }, nil
}
