package server

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/setplan/setplan/engine/forecast"
	"github.com/setplan/setplan/server/statuses"
)

// TestLimitsAreWrittenDown: LIMITS.md has the numbers of the code.
func TestLimitsAreWrittenDown(t *testing.T) {
	page, err := os.ReadFile("LIMITS.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, row := range []string{
		fmt.Sprintf("| lines `finished call` with code OK | %d at once, then %d a second |", plansAtOnce, plansPerSecond),
		fmt.Sprintf("| lines `finished call` of each other code | %d at once, then %d a second |", failuresAtOnce, failuresPerSecond),
		fmt.Sprintf("| lines `handshake refused`, `connection ended`, `panic` | %d at once, then %d a second, each |", strangersAtOnce, strangersPerSecond),
		fmt.Sprintf("| a name or a reason in a line | %d bytes;", maxLoggedName),
		fmt.Sprintf("| headers of a refusal | %d bytes |", statuses.MaxTrailer+statuses.TrailerFrame),
		fmt.Sprintf("| message of a refusal, each text of a violation | %d bytes |", statuses.MaxText),
		fmt.Sprintf("| a changed file, a certificate that is no longer good | %.0f s |", lookEvery.Seconds()),
		fmt.Sprintf("| connections to the metrics port | %d |", maxMonitorConnections),
		fmt.Sprintf("| headers of a call | %d KiB |", maxHeaderBytes>>10),
		fmt.Sprintf("| calls of a connection that come to nothing | %d at once, then %d a second |", vainAtOnce, vainPerSecond),
		fmt.Sprintf("| a part of an answer that is not read | %.0f s |", defaultWaits.step.Seconds()),
		fmt.Sprintf("| work of a forecast | %d million units |", forecast.Served().Work/1_000_000),
		fmt.Sprintf("| objects of a forecast: there, wanted at first, or made | %d |", forecast.Served().Objects),
		fmt.Sprintf("| bytes of a forecast | %d MiB |", forecast.Served().Bytes>>20),
		fmt.Sprintf("| a TLS handshake | %.0f s |", handshakeTimeout.Seconds()),
	} {
		if !strings.Contains(string(page), row) {
			t.Errorf("LIMITS.md has no row %q", row)
		}
	}
}
