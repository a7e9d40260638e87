package cli

import (
	"io"

	"github.com/spf13/cobra"
)

// versionCommand writes what --version writes: some programs have the command and some the flag.
func versionCommand(text string) *cobra.Command {
	return &cobra.Command{
		Use:   "version",
		Short: "Print the version",
		Long:  "Prints the version, as --version does.",
		Example: `  # of the program
  setplan version`,
		Args: cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			_, err := io.WriteString(c.OutOrStdout(), text)
			return err
		},
	}
}
