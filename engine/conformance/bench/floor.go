package main

import (
	"crypto/tls"
	"crypto/x509"
	"errors"
	"io"
	"net"
	"os"

	"google.golang.org/protobuf/proto"

	setplanv1 "github.com/setplan/setplan/proto/setplan/v1"
	"github.com/setplan/setplan/server/codec"
)

// floor moves the bytes of a steady set's call and of its answer through TLS on loopback, and does nothing else: no
// program that asks another one can be quicker.
func floor(pods int) (sides, error) {
	w, plan, err := scenarios[0].work("web", pods)
	if err != nil {
		return sides{}, err
	}
	request, err := readyRequest(pods)
	if err != nil {
		return sides{}, err
	}
	there := make([]byte, proto.Size(request))
	back := make([]byte, proto.Size(&setplanv1.PlanResponse{Plan: codec.Encode(plan, namespace)}))
	connection, stop, err := echo(len(there), len(back))
	if err != nil {
		return sides{}, err
	}
	exchange := func() error {
		if _, err := connection.Write(there); err != nil {
			return err
		}
		_, err := io.ReadFull(connection, back)
		return err
	}
	return sides{ours: exchange, upstream: w.upstream(), end: stop}, nil
}

// echo is a connection to a server that answers so many bytes with so many.
func echo(there, back int) (connection net.Conn, stop func(), err error) {
	folder, err := os.MkdirTemp("", "setplan-bench-")
	if err != nil {
		return nil, nil, err
	}
	defer func() { _ = os.RemoveAll(folder) }()
	files, err := certificate(folder)
	if err != nil {
		return nil, nil, err
	}
	pair, err := tls.LoadX509KeyPair(files.CertFile, files.KeyFile)
	if err != nil {
		return nil, nil, err
	}
	listener, err := tls.Listen("tcp", "127.0.0.1:0", &tls.Config{Certificates: []tls.Certificate{pair}})
	if err != nil {
		return nil, nil, err
	}
	go func() {
		other, err := listener.Accept()
		for buffer := make([]byte, max(there, back)); err == nil; {
			if _, err = io.ReadFull(other, buffer[:there]); err == nil {
				_, err = other.Write(buffer[:back])
			}
		}
	}()
	config, err := trust(files.CertFile)
	if err == nil {
		connection, err = tls.Dial("tcp", listener.Addr().String(), config)
	}
	if err != nil {
		return nil, nil, errors.Join(err, listener.Close())
	}
	return connection, func() { _, _ = connection.Close(), listener.Close() }, nil
}

// trust is a client's configuration with one authority.
func trust(file string) (*tls.Config, error) {
	pem, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	config := &tls.Config{RootCAs: x509.NewCertPool()}
	config.RootCAs.AppendCertsFromPEM(pem)
	return config, nil
}
