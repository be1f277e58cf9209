package main

import (
	"fmt"
	"strings"

	"github.com/urfave/cli/v2"

	"tarry/internal/sweep"
)

// dryRun prints the cells and what they cost.
func dryRun(c *cli.Context, specs []sweep.Spec) error {
	for i := range specs {
		s := &specs[i]
		cells, err := s.Cells()
		if err == nil {
			err = s.Check(cells)
		}
		if err != nil {
			return usageError{err}
		}
		cost, err := s.Cost(cells)
		if err != nil {
			return usageError{err}
		}
		var b strings.Builder
		for i := range cells {
			fmt.Fprintf(&b, "%d\t%s\n", cells[i].Index, cells[i].ID)
		}
		if _, err := fmt.Fprint(c.App.Writer, b.String()); err != nil {
			return err
		}
		note(c, "%s: %s", s.Name, costText(cost))
	}
	return nil
}

// costText writes a cost in words.
func costText(cost sweep.Cost) string {
	text := fmt.Sprintf("%d cells", cost.Cells)
	if cost.Jobs > 0 {
		text += fmt.Sprintf(", %d jobs to simulate", cost.Jobs)
	}
	if cost.Steps > 0 {
		text += fmt.Sprintf(", %d steps of environments to train", cost.Steps)
	}
	return text + fmt.Sprintf(", up to %.0f MiB of memory per cell", float64(cost.Memory())/(1<<20))
}
