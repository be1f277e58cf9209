package app

import (
	"errors"
	"fmt"
	"strings"

	"github.com/urfave/cli/v2"

	"tarry/experiments/engine/slurm"
	"tarry/experiments/sweep"
)

func (from program) sweepRetryCommand() *cli.Command {
	return &cli.Command{
		Name:  "retry",
		Usage: "let cells start again at the next tarry sweep",
		UsageText: "tarry sweep retry runs/load --failed\n" +
			"tarry sweep retry runs/load load=0.9/policy=dally/seed=1",
		Description: "Complete files of a cell are kept and not run again; a cell whose files are damaged is " +
			"run again.",
		ArgsUsage: "DIR [ID...]",
		Flags: []cli.Flag{
			&cli.BoolFlag{Name: "failed", Usage: "the cells that failed"},
			&cli.BoolFlag{Name: "cancelled", Usage: "the cells that were cancelled"},
		},
		OnUsageError: onUsageError,
		Action:       anyOrder(from.runSweepRetry),
	}
}

func (from program) runSweepRetry(c *cli.Context) error {
	if c.NArg() == 0 {
		_, err := folderArgument(c)
		return err
	}
	f, err := sweep.Open(&from.Catalogues, c.Args().First())
	if err != nil {
		return usageError{err}
	}
	ids := c.Args().Tail()
	if len(ids) == 0 && !c.Bool("failed") && !c.Bool("cancelled") {
		return usageError{errors.New("no cell, expected --failed, --cancelled or ids of cells (tarry sweep status " +
			"DIR --cells lists them)")}
	}
	var which []int
	var errs []error
	for _, id := range ids {
		i, ok := f.Index(id)
		if !ok {
			errs = append(errs, fmt.Errorf("no cell is called %q (tarry sweep status %s --cells lists them)", id,
				f.Dir))
		}
		which = append(which, i)
	}
	if err := errors.Join(errs...); err != nil {
		return usageError{err}
	}
	for i, s := range f.Statuses() {
		if c.Bool("failed") && s.State == sweep.Failed || c.Bool("cancelled") && s.State == sweep.Cancelled {
			which = append(which, i)
		}
	}
	if err := f.Retry(which); err != nil {
		return err
	}
	_, err = fmt.Fprintf(c.App.Writer, "%d cells start again at the next tarry sweep\n", len(which))
	return err
}

func (from program) sweepCancelCommand() *cli.Command {
	return &cli.Command{
		Name:      "cancel",
		Usage:     "mark the cells that are not over, so that no engine starts them; jobs in Slurm's queue are ended",
		UsageText: "tarry sweep cancel runs/load",
		ArgsUsage: "DIR",
		Description: "Cells that run on this machine now end by themselves; to stop them, stop the tarry sweep that " +
			"runs them. What is\n" +
			"there of a cell is kept: tarry sweep retry DIR --cancelled takes it back.",
		OnUsageError: onUsageError,
		Action: anyOrder(func(c *cli.Context) error {
			f, err := from.sweepFolder(c)
			if err != nil {
				return err
			}
			if err := slurm.Cancel(c.Context, f.Dir, c.App.ErrWriter); err != nil {
				return err
			}
			n, running, err := f.Cancel()
			if err != nil {
				return err
			}
			var names []string
			for _, i := range running[:min(len(running), mostFailed)] {
				names = append(names, f.ID(i))
			}
			if len(running) > 0 {
				note(c, "%d cells run now and end by themselves: %s", len(running), strings.Join(names, ", "))
			}
			_, err = fmt.Fprintf(c.App.Writer, "%d cells are cancelled\n", n)
			return err
		}),
	}
}

func (from program) sweepGatherCommand() *cli.Command {
	return &cli.Command{
		Name:         "gather",
		Usage:        "put the tables of all cells that are done together; tarry sweep does so at its end",
		UsageText:    "tarry sweep gather runs/load",
		ArgsUsage:    "DIR",
		OnUsageError: onUsageError,
		Action: anyOrder(func(c *cli.Context) error {
			f, err := from.sweepFolder(c)
			if err != nil {
				return err
			}
			fresh, err := f.Gather(c.Context, version())
			if err != nil {
				return err
			}
			text := "tables: %s\n"
			if !fresh {
				text = "nothing to do: %s holds the tables of all cells that are done\n"
			}
			_, err = fmt.Fprintf(c.App.Writer, text, f.Dir)
			return err
		}),
	}
}
