package cli

import (
	"errors"
	"fmt"

	"github.com/spf13/cobra"
)

// oneSet and someSets report missing and superfluous arguments in this program's words.

func oneSet(c *cobra.Command, args []string) error {
	if len(args) == 1 {
		return nil
	}
	return fmt.Errorf("%s takes the name of one set, such as sts/web; %d were given", c.Name(), len(args))
}

func someSets(c *cobra.Command, args []string) error {
	if len(args) > 0 {
		return nil
	}
	return fmt.Errorf("%s takes the names of sets, such as sts/web", c.Name())
}

// usage adds to an error about flags where they are explained.
func usage(c *cobra.Command, err error) error {
	return fmt.Errorf("%w (see %s --help)", err, c.CommandPath())
}

// oneFile is the value of -f. kubectl's -f may be repeated; here the last one would silently replace the others. The same name twice is
// no mistake: completion parses the arguments more than once.
type oneFile struct{ name *string }

func (f oneFile) String() string {
	if f.name == nil {
		return "" // pflag calls it on a zero value
	}
	return *f.name
}

func (f oneFile) Set(name string) error {
	switch {
	case name == "":
		return errors.New("the name is empty")
	case *f.name != "" && *f.name != name:
		return fmt.Errorf("only one file can be given, and %s is already named", *f.name)
	}
	*f.name = name
	return nil
}

func (f oneFile) Type() string { return "file" }
