package main

import (
	"crypto/tls"
	"crypto/x509"
	"errors"
	"io"
	"os"

	"google.golang.org/protobuf/proto"

	setplanv1 "github.com/setplan/setplan/proto/setplan/v1"
	"github.com/setplan/setplan/server"
	"github.com/setplan/setplan/server/codec"
)

// floor moves the bytes of a steady set's call and of its answer, and does nothing else.
func floor(pods int, way func(there, back int) (exchange func() error, stop func(), err error)) (sides, error) {
	w, plan, err := scenarios[0].work("web", pods)
	if err != nil {
		return sides{}, err
	}
	request, err := readyRequest(pods)
	if err != nil {
		return sides{}, err
	}
	exchange, stop, err := way(proto.Size(request), proto.Size(&setplanv1.PlanResponse{Plan: codec.Encode(plan, namespace)}))
	if err != nil {
		return sides{}, err
	}
	return sides{ours: exchange, upstream: w.upstream(), end: stop}, nil
}

// echo moves bytes through TLS on loopback: no remote call can be quicker.
func echo(there, back int) (exchange func() error, stop func(), err error) {
	files, remove, err := pair()
	if err != nil {
		return nil, nil, err
	}
	defer remove()
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
	if err != nil {
		return nil, nil, errors.Join(err, listener.Close())
	}
	connection, err := tls.Dial("tcp", listener.Addr().String(), config)
	if err != nil {
		return nil, nil, errors.Join(err, listener.Close())
	}
	request, answer := make([]byte, there), make([]byte, back)
	return func() error {
		if _, err := connection.Write(request); err != nil {
			return err
		}
		_, err := io.ReadFull(connection, answer)
		return err
	}, func() { _, _ = connection.Close(), listener.Close() }, nil
}

// pair is a certificate and its key in a folder that remove deletes.
func pair() (files server.TLSFiles, remove func(), err error) {
	folder, err := os.MkdirTemp("", "setplan-bench-")
	if err != nil {
		return files, nil, err
	}
	remove = func() { _ = os.RemoveAll(folder) }
	if files, err = certificate(folder); err != nil {
		remove()
	}
	return files, remove, err
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
