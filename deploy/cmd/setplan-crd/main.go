// Command setplan-crd writes the definition of our own kind of StatefulSet to standard output.
package main

import (
	"context"
	"fmt"
	"os"

	"github.com/setplan/setplan/deploy/crd"
)

func main() {
	if err := run(context.Background()); err != nil {
		fmt.Fprintln(os.Stderr, "setplan-crd:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context) error {
	openapi, err := crd.Published(ctx, "deploy/local")
	if err != nil {
		return err
	}
	text, err := crd.Make(openapi)
	if err != nil {
		return err
	}
	_, err = os.Stdout.Write(text)
	return err
}
