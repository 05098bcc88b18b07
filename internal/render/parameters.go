package render

import (
	"cmp"
	"fmt"
	"io"
	"strings"
	"text/tabwriter"

	"retry/policy/simulation"
)

// Parameters writes the models and their parameters.
func Parameters(out io.Writer) error {
	var page strings.Builder
	for _, model := range []struct {
		name, what string
		parameters []simulation.Parameter
	}{
		{"outage", "clients send requests; the server stops for a while, and then has to serve what piled up",
			simulation.OutageParameters()},
		{"contention", "clients compete to update one row; those that come too late read it again",
			simulation.ContentionParameters()},
	} {
		fmt.Fprintf(&page, "%s: %s\n", model.name, model.what)
		table := tabwriter.NewWriter(&page, 0, 0, 2, ' ', 0)
		for _, p := range model.parameters {
			fmt.Fprintf(table, "  %s=%s\t%s\n", p.Name, cmp.Or(p.Default, "…"), p.Help)
		}
		table.Flush()
		page.WriteByte('\n')
	}
	page.WriteString("Example: --simulate outage:clients=1000,limit=30\n")
	fmt.Fprintf(&page, "--budget tokens=10,per-machine=%d lets each group of that many clients of an outage share a retry budget.\n",
		simulation.StandardPerMachine)
	_, err := io.WriteString(out, page.String())
	return err
}
