package tape

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"runtime"
)

// Append adds an entry to a file, which is made if there is none. Requests hold pod templates, and those hold secrets:
// only the owner may read the file, and one that others may read already gets nothing.
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

// reopen opens a file that exists to add to it. It refuses what is no recording, whose last line was cut off, and what
// others may read; Windows tells no modes.
func reopen(path string) (*os.File, error) {
	info, err := os.Stat(path)
	if err != nil {
		return nil, err
	}
	switch mode := info.Mode(); {
	case !mode.IsRegular():
		return nil, fmt.Errorf("%s is no regular file", path)
	case mode.Perm()&0o077 != 0 && runtime.GOOS != "windows":
		return nil, fmt.Errorf("%s has mode %04o, and a recording may hold secrets; chmod 600 %s, or name another file", path, mode.Perm(), path)
	}
	file, err := os.OpenFile(path, os.O_APPEND|os.O_RDWR, 0)
	if err != nil {
		return nil, err
	}
	if err := isRecording(file, info.Size()); err != nil {
		return nil, errors.Join(fmt.Errorf("%s: %w", path, err), file.Close())
	}
	return file, nil
}

// isRecording looks at a file's first line and at its last byte.
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
		return errors.New("the last line is cut off; remove it first")
	}
	return nil
}
