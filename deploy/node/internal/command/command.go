// Package command is the main function of the programs of databases.
package command

import (
	"context"
	"log"
	"maps"
	"net"
	"os"
	"os/signal"
	"slices"
	"strings"
	"syscall"
)

// Main runs the command that the first argument names, until it ends or the process is told to. $DNS is a name server, for a client that runs outside of a
// pod.
func Main(commands map[string]func(context.Context) error) {
	log.SetFlags(log.Ltime | log.Lmicroseconds)
	if server := os.Getenv("DNS"); server != "" {
		net.DefaultResolver = &net.Resolver{PreferGo: true, Dial: func(ctx context.Context, _, _ string) (net.Conn, error) {
			return new(net.Dialer).DialContext(ctx, "udp", server)
		}}
	}
	ctx, stop := signal.NotifyContext(context.Background(), syscall.SIGTERM, syscall.SIGINT)
	defer stop()
	if len(os.Args) < 2 || commands[os.Args[1]] == nil {
		log.Fatal("the first argument must be one of ", strings.Join(slices.Sorted(maps.Keys(commands)), ", "))
	}
	if err := commands[os.Args[1]](ctx); err != nil {
		log.Fatal(err)
	}
}
