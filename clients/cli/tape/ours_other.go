//go:build !unix

package tape

import "os"

func openNoLink(path string) (*os.File, error) { return os.OpenFile(path, os.O_APPEND|os.O_RDWR, 0) }

// onlyOurs checks nothing: this system has neither modes nor owners.
func onlyOurs(string, os.FileInfo) error { return nil }
