// Package stranger walks the path of somebody who has this repository and one language: the screen of the client's README, in a folder
// where nothing of that language was ever built, against the cluster that `KEEP=1 make demo` leaves. `make test-clients` runs it.
package stranger
