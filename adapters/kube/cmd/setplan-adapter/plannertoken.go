package main

import (
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"

	"k8s.io/client-go/rest"
)

var errOwnToken = errors.New("the token in --planner-token-file is valid for the API server, so whoever runs the planner could use the adapter's rights. " +
	"Use a token for the planner's --token-audience")

// checkPlannerToken refuses to show the planner a token that is good for the API server: the adapter's own, or another one with its audience.
// An adapter with another kind of credentials knows no audience, and shows what it is given.
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
	ours, shown := strings.TrimSpace(string(own)), strings.TrimSpace(string(theirs))
	for _, audience := range audiencesOf(ours) {
		if slices.Contains(audiencesOf(shown), audience) {
			return errOwnToken
		}
	}
	if ours != "" && ours == shown {
		return errOwnToken
	}
	return nil
}

// audiencesOf is whom a token is for, as it says itself; none, if it is no JSON Web Token.
func audiencesOf(token string) []string {
	parts := strings.Split(token, ".")
	if len(parts) != 3 {
		return nil
	}
	var claims struct {
		Audiences any `json:"aud"` // one text or a list of them
	}
	text, err := base64.RawURLEncoding.DecodeString(parts[1])
	if err != nil || json.Unmarshal(text, &claims) != nil {
		return nil
	}
	list, several := claims.Audiences.([]any)
	if !several {
		list = []any{claims.Audiences}
	}
	var audiences []string
	for _, one := range list {
		if audience, ok := one.(string); ok {
			audiences = append(audiences, audience)
		}
	}
	return audiences
}
