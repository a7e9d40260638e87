package flood

import (
	"context"
	"fmt"
	"io"
	"strings"
	"sync/atomic"
	"time"

	"golang.org/x/net/http2"
	"golang.org/x/net/http2/hpack"
	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
	"google.golang.org/protobuf/proto"

	setplanv1 "github.com/setplan/setplan/proto/setplan/v1"
	"github.com/setplan/setplan/test/hostile"
)

// hostileForecast is one of hostile.Forecasts.
func hostileForecast(name string) ([]byte, error) {
	for _, f := range hostile.Forecasts() {
		if f.Name == name {
			return f.Build()
		}
	}
	return nil, fmt.Errorf("there is no forecast %q", name)
}

// floodForecasts asks for a forecast over each of some connections, again and again; every time it is over, or after a while, over a new one.
func floodForecasts(connections int, name string, cancelAfter time.Duration) func(address, worst string) (func() string, error) {
	return func(address, _ string) (func() string, error) {
		request, err := hostileForecast(name)
		if err != nil {
			return nil, err
		}
		var ended, shed, other atomic.Int64
		for range connections {
			go func() {
				for {
					switch status.Code(foresee(address, request, cancelAfter)) {
					case codes.OK:
						ended.Add(1)
					case codes.ResourceExhausted:
						shed.Add(1)
					default:
						other.Add(1)
						time.Sleep(10 * time.Millisecond)
					}
				}
			}()
		}
		return func() string {
			return fmt.Sprintf("%d forecasts at once of %d bytes: %d foreseen, %d shed, %d ended otherwise", connections, len(request), ended.Load(), shed.Load(), other.Load())
		}, nil
	}
}

// foresee asks for a forecast over a new connection.
func foresee(address string, request []byte, cancelAfter time.Duration) error {
	connection, err := dialBytes(address)
	if err != nil {
		return err
	}
	defer func() { _ = connection.Close() }()
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	if cancelAfter > 0 {
		time.AfterFunc(cancelAfter, cancel)
	}
	stream, err := connection.NewStream(ctx, &grpc.StreamDesc{ServerStreams: true}, setplanv1.PlannerService_Forecast_FullMethodName)
	if err == nil {
		err = stream.SendMsg(request)
	}
	if err == nil {
		err = stream.CloseSend()
	}
	for err == nil {
		err = stream.RecvMsg(new([]byte))
	}
	if err == io.EOF {
		return nil
	}
	return err
}

// floodUnreadForecasts asks for a forecast with long steps over each of 16 connections, and reads none of them.
func floodUnreadForecasts(address, _ string) (func() string, error) {
	const connections = 16
	request := small()
	request.Snapshot.Set.Replicas = proto.Int32(2000)
	request.Snapshot.Set.PodManagementPolicy = "Parallel"
	message, err := proto.Marshal(&setplanv1.ForecastRequest{Start: request})
	if err != nil {
		return nil, err
	}
	message = append(announce(len(message)), message...)
	var asked, ended atomic.Int64
	overAndOver(connections, address, 0, func(r *raw) {
		err := r.callMethod(setplanv1.PlannerService_Forecast_FullMethodName, 1)
		if err == nil {
			err = r.WriteData(1, true, message)
		}
		asked.Add(1)
		for over := false; err == nil && !over; {
			var f http2.Frame
			f, err = r.ReadFrame()
			if h, ok := f.(*http2.HeadersFrame); ok {
				over = h.StreamEnded()
			}
		}
		ended.Add(1)
	})
	return func() string {
		return fmt.Sprintf("%d forecasts asked for over %d connections, and no step read; the server ended %d", asked.Load(), connections, ended.Load())
	}, nil
}

// long is a header that fits the table of a connection, so that it is sent once.
var long = strings.Repeat("A", 3000)

// floodVain makes 20,000 calls a second that come to nothing, of no method that there is, over 200 connections, and replaces those that the server closes. Each
// has a few bytes that stand for 12 or for 56 KB of headers.
func floodVain(address, _ string) (func() string, error) {
	const connections, rate = 200, 20_000
	var made, closed atomic.Int64
	for _, times := range []int{4, 18} {
		overAndOver(connections/2, address, 1<<16, func(r *raw) {
			go r.drain()
			var block headers
			encoder := hpack.NewEncoder(&block)
			tick := time.NewTicker(10 * time.Second * connections / rate)
			defer tick.Stop()
			var err error
			for stream := uint32(1); err == nil; {
				<-tick.C
				for range 10 {
					block.bytes = nil
					for _, field := range greeting("/no/method") {
						_ = encoder.WriteField(hpack.HeaderField{Name: field[0], Value: field[1]})
					}
					for range times {
						_ = encoder.WriteField(hpack.HeaderField{Name: "x-bin", Value: long})
					}
					if err = r.WriteHeaders(http2.HeadersFrameParam{StreamID: stream, BlockFragment: block.bytes, EndHeaders: true, EndStream: true}); err != nil {
						break
					}
					made.Add(1)
					stream += 2
				}
			}
			closed.Add(1)
		})
	}
	began := time.Now()
	return func() string {
		return fmt.Sprintf("%.0f calls a second that come to nothing; the server closed %d connections", float64(made.Load())/time.Since(began).Seconds(), closed.Load())
	}, nil
}
