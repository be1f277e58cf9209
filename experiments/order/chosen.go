package order

import (
	"fmt"
	"strings"

	"tarry/experiments/sweep"
	rows "tarry/output/results"
)

// chosenTable has the rule that was chosen for each workload, with the numbers that tuning chose.
func chosenTable(d *sweep.Data, all []rows.Eval, best map[string]string) string {
	var b strings.Builder
	for _, s := range settings() {
		name := best[s]
		for i := range all {
			c, ok := d.Cell(all[i].Keys)
			if !ok || c.Axes["setting"] != s || nameOf(&c, &all[i]) != name || name == "" {
				continue
			}
			fmt.Fprintf(&b, "| %s | %s | `%s` |\n", s, name, all[i].Policy)
			break
		}
	}
	if b.Len() == 0 {
		return ""
	}
	return "| workload | rule | with the settings |\n|---|---|---|\n" + b.String()
}
