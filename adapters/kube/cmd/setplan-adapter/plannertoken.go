package main

import (
	"errors"
	"fmt"
	"os"
	"strings"

	"k8s.io/client-go/rest"
)

var errOwnToken = errors.New("--planner-token-file has the token with which this adapter calls the API server: whoever runs the planner could do what " +
	"the adapter may. Give it one for the planner's --token-audience")

// checkPlannerToken refuses to show the planner the adapter's own credentials.
func checkPlannerToken(file string, config *rest.Config) error {
	if file == "" {
		return nil
	}
	theirs, err := os.ReadFile(file)
	if err != nil {
		return fmt.Errorf("--planner-token-file: %w", err)
	}
	own := []byte(config.BearerToken)
	if config.BearerTokenFile != "" {
		if own, err = os.ReadFile(config.BearerTokenFile); err != nil {
			return err
		}
	}
	if token := strings.TrimSpace(string(own)); token != "" && token == strings.TrimSpace(string(theirs)) {
		return errOwnToken
	}
	return nil
}
