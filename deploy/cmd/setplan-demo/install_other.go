//go:build !linux

package main

import (
	"context"
	"errors"

	"github.com/setplan/setplan/deploy/scenario"
)

type installation struct{}

func (i *installation) end() error { return nil }

func (s *stage) installed(context.Context, string) error { return nil }

func (s *stage) playInstall(context.Context, *scenario.Managed) error {
	return errors.New("the containers of pods run as processes on Linux only")
}
