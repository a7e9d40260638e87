//go:build e2e

package e2e

import (
	"io"
	"net/http"
	"time"
)

// newLate is a proxy behind which everything is seen later than it happens: a cache of its caller is always that much behind.
func newLate(s *scene, by time.Duration) *proxy {
	p := newProxy(s, s.config)
	p.forward.ModifyResponse = func(r *http.Response) error {
		if r.Request.URL.Query().Get("watch") != "" {
			r.Body = behind(r.Body, by)
		}
		return nil
	}
	return p
}

// lateData is what was read, and when it may be passed on.
type lateData struct {
	data []byte
	at   time.Time
}

// behind passes on what is read some time after it came.
func behind(body io.ReadCloser, by time.Duration) io.ReadCloser {
	read, write := io.Pipe()
	waiting := make(chan lateData, 10_000)
	go func() {
		defer close(waiting)
		for {
			data := make([]byte, 64<<10)
			n, err := body.Read(data)
			if n > 0 {
				waiting <- lateData{data[:n], time.Now().Add(by)}
			}
			if err != nil {
				return
			}
		}
	}()
	go func() {
		for h := range waiting {
			time.Sleep(time.Until(h.at))
			if _, err := write.Write(h.data); err != nil {
				break
			}
		}
		_ = write.Close()
	}()
	return &lateBody{read, body}
}

// lateBody is read late, and closed at once.
type lateBody struct {
	io.Reader
	body io.Closer
}

func (l *lateBody) Close() error { return l.body.Close() }
