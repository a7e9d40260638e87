// Command setplan-app is what runs in the containers of tests: a server that is ready, unready, slow, dead or hungry as it is told.
//
//	GET /            the version, which is $VERSION
//	GET /ready       200 unless it was told otherwise
//	POST /ready?is=false
//	POST /exit?code=3
//	POST /eat?megabytes=100    takes memory, and keeps it
//	POST /fill?megabytes=10    writes to $DATA, or to another folder=
//
// $SLOW is how long it takes until it serves, at $PORT instead of 8080, $LINGER how long it goes on after it is told to end, and with $CRASH it ends at
// once with this code. It takes $EAT megabytes of memory before it serves. It fails where another one has $DATA: two of one pod are never to run at once.
package main

import (
	"cmp"
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"net/http"
	"os"
	"os/signal"
	"path/filepath"
	"strconv"
	"sync/atomic"
	"syscall"
	"time"
)

func main() {
	if code, err := strconv.Atoi(os.Getenv("CRASH")); err == nil {
		fmt.Println("told to crash")
		os.Exit(code)
	}
	if megabytes, err := strconv.Atoi(os.Getenv("EAT")); err == nil {
		_, _ = rand.Read(make([]byte, megabytes<<20))
	}
	if err := lock(os.Getenv("DATA")); err != nil {
		fmt.Fprintln(os.Stderr, "another one has the disk:", err)
		os.Exit(1)
	}
	time.Sleep(span("SLOW"))
	server := &http.Server{Addr: ":" + cmp.Or(os.Getenv("PORT"), "8080"), Handler: handler()}
	ctx, stop := signal.NotifyContext(context.Background(), syscall.SIGTERM, syscall.SIGINT)
	defer stop()
	go func() {
		<-ctx.Done()
		time.Sleep(span("LINGER"))
		_ = server.Close()
	}()
	if err := server.ListenAndServe(); !errors.Is(err, http.ErrServerClosed) {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// lock takes a folder for as long as the program runs.
func lock(folder string) error {
	if folder == "" {
		return nil
	}
	f, err := syscall.Open(filepath.Join(folder, "lock"), syscall.O_CREAT|syscall.O_CLOEXEC, 0o600)
	if err != nil {
		return err
	}
	return syscall.Flock(f, syscall.LOCK_EX|syscall.LOCK_NB)
}

func span(name string) time.Duration {
	d, _ := time.ParseDuration(os.Getenv(name)) // none: 0
	return d
}

func handler() http.Handler {
	mux := http.NewServeMux()
	var unready atomic.Bool
	var eaten [][]byte
	number := func(r *http.Request, name string) int {
		n, _ := strconv.Atoi(r.FormValue(name))
		return n
	}
	mux.HandleFunc("GET /{$}", func(w http.ResponseWriter, _ *http.Request) { fmt.Fprintln(w, os.Getenv("VERSION")) })
	mux.HandleFunc("GET /ready", func(w http.ResponseWriter, _ *http.Request) {
		if unready.Load() {
			http.Error(w, "told to be unready", http.StatusServiceUnavailable)
		}
	})
	mux.HandleFunc("POST /ready", func(_ http.ResponseWriter, r *http.Request) { unready.Store(r.FormValue("is") == "false") })
	mux.HandleFunc("POST /exit", func(_ http.ResponseWriter, r *http.Request) { os.Exit(number(r, "code")) })
	mux.HandleFunc("POST /eat", func(_ http.ResponseWriter, r *http.Request) {
		block := make([]byte, number(r, "megabytes")<<20)
		_, _ = rand.Read(block) // touches every page
		eaten = append(eaten, block)
	})
	mux.HandleFunc("POST /fill", func(w http.ResponseWriter, r *http.Request) {
		f, err := os.CreateTemp(cmp.Or(r.FormValue("folder"), os.Getenv("DATA")), "fill")
		if err == nil {
			defer f.Close()
			_, err = f.Write(make([]byte, number(r, "megabytes")<<20))
		}
		if err != nil {
			http.Error(w, err.Error(), http.StatusInsufficientStorage)
		}
	})
	return mux
}
