package tape

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
)

// Append adds an entry to a file, and creates the file if necessary. Requests hold pod templates, and those hold secrets: only the
// owner may read the file, and nothing is added to a file that others may read.
func Append(path string, entry *Entry) error {
	line, err := json.Marshal(entry)
	if err != nil {
		return err
	}
	file, err := os.OpenFile(path, os.O_APPEND|os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
	if errors.Is(err, fs.ErrExist) {
		file, err = reopen(path)
	}
	if err != nil {
		return err
	}
	_, err = file.Write(append(line, '\n'))
	return errors.Join(err, file.Close())
}

// reopen opens an existing file to add to it. It refuses a file that is no recording or whose last line is cut off, and one that
// somebody else may read or has put there. It checks the opened file, because the path may name another file a moment later.
func reopen(path string) (*os.File, error) {
	// Look at the path first, but only to avoid opening a pipe or a device, which may block.
	info, err := os.Lstat(path)
	if err != nil {
		return nil, err
	}
	if !info.Mode().IsRegular() {
		return nil, noFile(path, info)
	}
	file, err := openNoLink(path)
	if err != nil {
		return nil, err
	}
	if err := mayAppend(path, file); err != nil {
		return nil, errors.Join(err, file.Close())
	}
	return file, nil
}

func noFile(path string, info os.FileInfo) error {
	if info.Mode()&os.ModeSymlink != 0 {
		return fmt.Errorf("%s is a link; name the file itself", path)
	}
	return fmt.Errorf("%s is not a regular file", path)
}

func mayAppend(path string, file *os.File) error {
	info, err := file.Stat()
	if err != nil {
		return err
	}
	if !info.Mode().IsRegular() {
		return noFile(path, info)
	}
	if err := onlyOurs(path, info); err != nil {
		return err
	}
	if err := isRecording(file, info.Size()); err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	return nil
}

// isRecording looks at a file's first line and last byte.
func isRecording(file *os.File, size int64) error {
	if size == 0 {
		return nil
	}
	last := make([]byte, 1)
	if _, err := file.ReadAt(last, size-1); err != nil {
		return err
	}
	if _, err := read(bufio.NewReader(file), 1); err != nil {
		return err
	}
	if last[0] != '\n' {
		return errors.New("the last line is incomplete; remove it first")
	}
	return nil
}
