package main

import (
	"context"
	"net"
	"runtime"

	"google.golang.org/grpc"
	"google.golang.org/grpc/credentials"
	"google.golang.org/grpc/mem"
)

// call moves the bytes of each exchange in a gRPC call.
func call(there, back int) (exchange func() error, stop func(), err error) {
	return overGRPC(there, back, false)
}

// stream moves the bytes on one open gRPC stream. Its difference from call is what a stream of requests could save.
func stream(there, back int) (exchange func() error, stop func(), err error) {
	return overGRPC(there, back, true)
}

// overGRPC moves bytes as echo does, through gRPC.
func overGRPC(there, back int, streaming bool) (exchange func() error, stop func(), err error) {
	files, remove, err := pair()
	if err != nil {
		return nil, nil, err
	}
	defer remove()
	creds, err := credentials.NewServerTLSFromFile(files.CertFile, files.KeyFile)
	if err != nil {
		return nil, nil, err
	}
	config, err := trust(files.CertFile)
	if err != nil {
		return nil, nil, err
	}
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, nil, err
	}
	// Windows and workers are those of our server and client.
	server := grpc.NewServer(grpc.Creds(creds), grpc.ForceServerCodecV2(plain{}), grpc.MaxRecvMsgSize(64<<20),
		grpc.StaticStreamWindowSize(256<<10), grpc.StaticConnWindowSize(4<<20), grpc.NumStreamWorkers(uint32(runtime.GOMAXPROCS(0))))
	server.RegisterService(echoService(make([]byte, back)), nil)
	go func() { _ = server.Serve(listener) }()
	connection, err := grpc.NewClient(listener.Addr().String(), grpc.WithTransportCredentials(credentials.NewTLS(config)),
		grpc.WithStaticStreamWindowSize(4<<20), grpc.WithStaticConnWindowSize(4<<20),
		grpc.WithDefaultCallOptions(grpc.ForceCodecV2(plain{}), grpc.MaxCallSendMsgSize(64<<20), grpc.MaxCallRecvMsgSize(64<<20)))
	if err != nil {
		server.Stop()
		return nil, nil, err
	}
	stop = func() { _ = connection.Close(); server.Stop() }
	request := make([]byte, there)
	if !streaming {
		return func() error {
			var answer []byte
			return connection.Invoke(context.Background(), "/setplan.bench.Echo/Call", &request, &answer)
		}, stop, nil
	}
	opened, err := connection.NewStream(context.Background(), &grpc.StreamDesc{ClientStreams: true, ServerStreams: true}, "/setplan.bench.Echo/Stream")
	if err != nil {
		stop()
		return nil, nil, err
	}
	return func() error {
		var answer []byte
		if err := opened.SendMsg(&request); err != nil {
			return err
		}
		return opened.RecvMsg(&answer)
	}, stop, nil
}

// echoService answers every message with the same bytes.
func echoService(answer []byte) *grpc.ServiceDesc {
	return &grpc.ServiceDesc{
		ServiceName: "setplan.bench.Echo",
		HandlerType: (*any)(nil),
		Methods: []grpc.MethodDesc{{MethodName: "Call", Handler: func(_ any, _ context.Context, read func(any) error, _ grpc.UnaryServerInterceptor) (any, error) {
			var request []byte
			return &answer, read(&request)
		}}},
		Streams: []grpc.StreamDesc{{StreamName: "Stream", ClientStreams: true, ServerStreams: true, Handler: func(_ any, exchanges grpc.ServerStream) error {
			for {
				var request []byte
				if err := exchanges.RecvMsg(&request); err != nil {
					return err
				}
				if err := exchanges.SendMsg(&answer); err != nil {
					return err
				}
			}
		}}},
	}
}

// plain is a codec that sends bytes as they are.
type plain struct{}

func (plain) Name() string { return "bytes" }

func (plain) Marshal(message any) (mem.BufferSlice, error) {
	return mem.BufferSlice{mem.SliceBuffer(*message.(*[]byte))}, nil
}

func (plain) Unmarshal(data mem.BufferSlice, message any) error {
	*message.(*[]byte) = data.Materialize()
	return nil
}
