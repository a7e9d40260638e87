package server

import (
	"errors"
	"io"
	"log/slog"
	"net"

	"google.golang.org/grpc/credentials"
	"google.golang.org/grpc/credentials/insecure"

	"github.com/setplan/setplan/server/access"
)

// transport is TLS if there are certificates, and plaintext if not.
func transport(log *slog.Logger, files *certificates, a *admission) credentials.TransportCredentials {
	if files == nil {
		return countedPlaintext{insecure.NewCredentials(), newVains(a)}
	}
	return &handshakes{credentials.NewTLS(files.config()), files, newVains(a), log, strangerBudget(log, "handshake refused")}
}

// handshakes logs who is refused and why, which gRPC does not, and remembers who is let in and by which authority.
type handshakes struct {
	credentials.TransportCredentials
	files  *certificates
	vains  *vains
	log    *slog.Logger
	budget *lineBudget
}

// ServerHandshake is called once for each connection.
func (h *handshakes) ServerHandshake(raw net.Conn) (net.Conn, credentials.AuthInfo, error) {
	connection, info, err := h.TransportCredentials.ServerHandshake(raw)
	if err != nil {
		// A load balancer's probe opens a connection and hangs up: nobody is refused.
		if !errors.Is(err, io.EOF) && h.budget.spend() {
			h.log.Warn("handshake refused", "peer.address", raw.RemoteAddr().String(), "reason", harmless(err.Error()))
		}
		return nil, nil, err
	}
	state := info.(credentials.TLSInfo).State
	if certificates := state.PeerCertificates; len(certificates) > 0 { // verified, or there would be an error
		raw.RemoteAddr().(callerAddr).caller.identities = access.Identities(certificates[0])
	}
	if connection, err = h.vains.count(connection, raw); err != nil {
		return nil, nil, err
	}
	return h.files.admitted.add(raw, connection, state), info, nil
}

// Clone is for clients.
func (h *handshakes) Clone() credentials.TransportCredentials {
	clone := *h
	clone.TransportCredentials = h.TransportCredentials.Clone()
	return &clone
}
