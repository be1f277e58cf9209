package app

import (
	"fmt"
	"strings"

	"github.com/urfave/cli/v2"

	"tarry/experiments/engine/slurm"
	"tarry/experiments/sweep"
)

// dryRun prints the cells and what they cost.
func (from program) dryRun(c *cli.Context, specs []sweep.Spec) error {
	for i := range specs {
		s := &specs[i]
		cells, err := s.Cells(&from.Catalogues)
		if err == nil {
			err = s.Check(&from.Catalogues, cells)
		}
		if err != nil {
			return usageError{err}
		}
		cost, err := s.Cost(&from.Catalogues, cells)
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
		if err := from.notePacks(c, s, cells); err != nil {
			return usageError{err}
		}
	}
	return nil
}

// notePacks reports how --pack puts the cells together.
func (from program) notePacks(c *cli.Context, s *sweep.Spec, cells []sweep.Cell) error {
	if !c.IsSet("pack") {
		return nil
	}
	seconds := make([]float64, len(cells))
	for i := range cells {
		one, err := s.Cost(&from.Catalogues, cells[i:i+1])
		if err != nil {
			return err
		}
		seconds[i] = one.Seconds()
	}
	packs, err := slurm.Packs(c.String("pack"), len(cells), func(cell int) float64 { return seconds[cell] })
	if err != nil {
		return err
	}
	longest := 0.0
	for _, pack := range packs {
		sum := 0.0
		for _, cell := range pack {
			sum += seconds[cell]
		}
		longest = max(longest, sum)
	}
	note(c, "%s: %d elements of Slurm's array, the longest takes roughly %s", s.Name, len(packs), roughly(longest))
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
	text += fmt.Sprintf(", up to %.0f MiB of memory per cell", float64(cost.Memory())/(1<<20))
	return text + fmt.Sprintf(", roughly %s of one processor (%s a cell), a factor of several more or less by "+
		"policy, agent and machine",
		roughly(cost.Seconds()), roughly(cost.Seconds()/float64(max(cost.Cells, 1))))
}

// roughly writes seconds with one or two digits.
func roughly(seconds float64) string {
	switch {
	case seconds < 1:
		return "less than a second"
	case seconds < 90:
		return fmt.Sprintf("%.0f s", seconds)
	case seconds < 90*60:
		return fmt.Sprintf("%.0f min", seconds/60)
	}
	return fmt.Sprintf("%.0f h", seconds/3600)
}
