package setplan

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strings"

	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
)

// tokenFile is the path of a file with a bearer token.
type tokenFile string

func (f tokenFile) read() (string, error) {
	data, err := os.ReadFile(string(f))
	if err != nil {
		return "", fmt.Errorf("bearer token: %w", err)
	}
	token := strings.TrimSpace(string(data))
	if token == "" {
		return "", fmt.Errorf("bearer token: %s is empty", string(f))
	}
	if strings.ContainsFunc(token, func(r rune) bool { return r <= ' ' || r > '~' }) {
		return "", fmt.Errorf("bearer token: %s has more than one", string(f))
	}
	return token, nil
}

// GetRequestMetadata implements credentials.PerRPCCredentials.
func (f tokenFile) GetRequestMetadata(context.Context, ...string) (map[string]string, error) {
	token, err := f.read()
	if err != nil {
		return nil, status.Error(codes.Unauthenticated, err.Error())
	}
	return map[string]string{"authorization": "Bearer " + token}, nil
}

// RequireTransportSecurity implements credentials.PerRPCCredentials: in plaintext anybody on the way could take the token.
func (tokenFile) RequireTransportSecurity() bool { return true }

var errPlainToken = errors.New("setplan: WithTokenFile and WithInsecure exclude each other: anybody on the way could take the token")

var errTokenToAnybody = errors.New("setplan: WithTokenFile with a TLS configuration that verifies no server: anybody could answer, and take the token")
