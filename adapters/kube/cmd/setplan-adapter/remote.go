package main

import (
	"github.com/setplan/setplan/adapters"
	"github.com/setplan/setplan/adapters/kube"
)

// remotePlanner connects to a planner service; the first plan opens the connection.
func remotePlanner(f *flags) (adapters.Planner, func(), error) {
	client, err := f.planner.Dial(kube.Manager)
	if err != nil {
		return nil, nil, err
	}
	return client, func() { _ = client.Close() }, nil
}
