package network

import (
	"io"
	"log/slog"
	"net"
	"net/http"
	"time"
)

const dialTimeout = 10 * time.Second

// Forward joins each connection that the listener accepts to one that dial makes. It returns when the listener is closed.
func Forward(l net.Listener, dial func() (net.Conn, error)) error {
	for {
		c, err := l.Accept()
		if err != nil {
			return err
		}
		go func() {
			other, err := dial()
			if err != nil {
				slog.Warn("forward", "to", l.Addr(), "err", err)
				c.Close()
				return
			}
			join(c, other)
		}()
	}
}

// join copies both ways until both are done.
func join(a, b net.Conn) {
	done := make(chan struct{}, 2)
	half := func(to, from net.Conn) {
		_, _ = io.Copy(to, from)
		if c, ok := to.(interface{ CloseWrite() error }); ok {
			_ = c.CloseWrite()
		}
		done <- struct{}{}
	}
	go half(a, b)
	go half(b, a)
	<-done
	<-done
	a.Close()
	b.Close()
}

// Proxy serves HTTP CONNECT into the namespace: the API server's way to kubelets and pods.
func (ns *Namespace) Proxy(l net.Listener) error {
	server := &http.Server{ReadHeaderTimeout: dialTimeout, Handler: http.HandlerFunc(ns.connect)}
	return server.Serve(l)
}

func (ns *Namespace) connect(w http.ResponseWriter, r *http.Request) {
	if r.Method != http.MethodConnect {
		http.Error(w, "want CONNECT", http.StatusMethodNotAllowed)
		return
	}
	to, err := ns.Dial(r.Host)
	if err != nil {
		http.Error(w, err.Error(), http.StatusBadGateway)
		return
	}
	from, _, err := w.(http.Hijacker).Hijack()
	if err != nil {
		to.Close()
		return
	}
	if _, err := io.WriteString(from, "HTTP/1.1 200 OK\r\n\r\n"); err != nil {
		from.Close()
		to.Close()
		return
	}
	join(from, to)
}
