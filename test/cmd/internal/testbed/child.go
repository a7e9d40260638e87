package testbed

import (
	"bufio"
	"errors"
	"os"
	"os/exec"
)

// Child starts this program again, as another process with other arguments. end closes its input, which tells it to end, and
// returns its last output.
func Child(arguments ...string) (end func() (said string), err error) {
	self, err := os.Executable()
	if err != nil {
		return nil, err
	}
	c := exec.Command(self, arguments...)
	c.Stderr = os.Stderr
	in, errIn := c.StdinPipe()
	out, errOut := c.StdoutPipe()
	if err := errors.Join(errIn, errOut, c.Start()); err != nil {
		return nil, err
	}
	return func() string {
		_ = in.Close()
		said, _ := bufio.NewReader(out).ReadString('\n')
		if err := c.Wait(); err != nil {
			said += err.Error()
		}
		return said
	}, nil
}
