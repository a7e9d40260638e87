package main

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"fmt"
	"net"
	"os"

	"google.golang.org/grpc"
	"google.golang.org/grpc/credentials"
	"google.golang.org/grpc/credentials/insecure"

	"github.com/setplan/setplan/adapters"
	setplanv1 "github.com/setplan/setplan/proto/setplan/v1"
)

// remotePlanner connects to a planner service; the first plan opens the connection.
func remotePlanner(f *flags) (adapters.Planner, func(), error) {
	transport, err := transportCredentials(f)
	if err != nil {
		return nil, nil, err
	}
	connection, err := grpc.NewClient(f.plannerAddress, grpc.WithTransportCredentials(transport))
	if err != nil {
		return nil, nil, fmt.Errorf("--planner-address: %w", err)
	}
	return stub{setplanv1.NewPlannerServiceClient(connection)}, func() { _ = connection.Close() }, nil
}

// stub fits a generated client to the loop's interface.
type stub struct {
	client setplanv1.PlannerServiceClient
}

func (s stub) Plan(ctx context.Context, request *setplanv1.PlanRequest) (*setplanv1.PlanResponse, error) {
	return s.client.Plan(ctx, request)
}

// transportCredentials is TLS, except where the flags say otherwise, or for a planner on this machine that no
// certificate was given for.
func transportCredentials(f *flags) (credentials.TransportCredentials, error) {
	files := f.plannerCAFile != "" || f.plannerCertFile != ""
	if f.plannerInsecure || (isLoopback(f.plannerAddress) && !files) {
		return insecure.NewCredentials(), nil
	}
	config := &tls.Config{MinVersion: tls.VersionTLS12}
	if f.plannerCAFile != "" {
		pem, err := os.ReadFile(f.plannerCAFile)
		if err != nil {
			return nil, fmt.Errorf("--planner-ca-file: %w", err)
		}
		config.RootCAs = x509.NewCertPool()
		if !config.RootCAs.AppendCertsFromPEM(pem) {
			return nil, fmt.Errorf("--planner-ca-file %s holds no certificate", f.plannerCAFile)
		}
	}
	if f.plannerCertFile != "" {
		certificate, err := tls.LoadX509KeyPair(f.plannerCertFile, f.plannerKeyFile)
		if err != nil {
			return nil, fmt.Errorf("--planner-cert-file and --planner-key-file: %w", err)
		}
		config.Certificates = []tls.Certificate{certificate}
	}
	return credentials.NewTLS(config), nil
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
