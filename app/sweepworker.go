package app

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/signal"
	"runtime"
	"strconv"
	"time"

	"github.com/urfave/cli/v2"

	"tarry/experiments/engine"
	"tarry/experiments/engine/slurm"
	"tarry/experiments/sweep"
)

// indexVariables are where batch systems state which element of an array a process is.
func indexVariables() []string { return []string{"SLURM_ARRAY_TASK_ID", "JOB_COMPLETION_INDEX"} }

func (from program) sweepWorkerCommand() *cli.Command {
	return &cli.Command{
		Name:  "worker",
		Usage: "run one cell of a sweep; what every engine starts",
		UsageText: "tarry sweep worker --out runs/load --index 17\n" +
			"SLURM_ARRAY_TASK_ID=17 tarry sweep worker --out runs/load",
		Description: "Without --index the cell's number is read from SLURM_ARRAY_TASK_ID or JOB_COMPLETION_INDEX. A " +
			"cell that is done is left as it\n" +
			"is. On TERM or Ctrl-C the cell keeps what it has and resumes the next time; on USR2 (where there is " +
			"one) a cell that\n" +
			"trains or tunes writes a checkpoint and continues at once.\n\n" +
			"Exit codes: 0 the cell is done; 1 it failed and may be started again; 42 it would fail again; 75 start " +
			"it again.",
		Flags: []cli.Flag{
			&cli.StringFlag{Name: "out", Aliases: []string{"o"}, Usage: "the sweep's `DIR`"},
			&cli.IntFlag{Name: "index", Usage: "the cell's `NUMBER`, from 0"},
			&cli.StringFlag{Name: "list", Usage: "a `FILE` with the number of a cell on each line: the index is " +
				"the line's, from 0"},
			&cli.StringFlag{Name: "pack", Usage: "a `FILE` with the numbers of several cells on each line (0-7,12): " +
				"the index is the line's, from 0, and its cells run one after the other"},
			&cli.IntFlag{Name: "retries", Usage: "with --pack: a cell that failed more than `N` times is left alone"},
			&cli.StringFlag{Name: "host", Usage: "this host's `NAME`"},
			&cli.StringFlag{Name: "lease", Usage: "the lease that an engine holds for the cell", Hidden: true},
			&cli.IntFlag{Name: "jobs", Aliases: []string{"j"}, Value: 1,
				Usage: "use `N` goroutines, 0 = one per processor; never changes a result"},
		},
		OnUsageError: onUsageError,
		Action:       from.runSweepWorker,
	}
}

func (from program) runSweepWorker(c *cli.Context) error {
	if err := noArguments(c); err != nil {
		return err
	}
	index, err := workerIndex(c)
	cells := []int{index}
	switch {
	case err != nil:
	case c.IsSet("list") && c.IsSet("pack"):
		err = errors.New("--list and --pack: expected one of them")
	case c.IsSet("list"):
		cells[0], err = listedCell(c.String("list"), index)
	case c.IsSet("pack"):
		cells, err = slurm.Pack(c.String("pack"), index)
	}
	if c.String("out") == "" {
		err = errors.Join(err, errors.New("no --out, expected the folder of the sweep"))
	}
	if err != nil {
		return usageError{err}
	}
	f, err := sweep.Open(&from.Catalogues, c.String("out"))
	if err != nil {
		return codeError{err, exitPermanent}
	}
	warnings := make(chan os.Signal, 1)
	signal.Notify(warnings, requeueSignals()...)
	defer signal.Stop(warnings)
	start := time.Now()
	opt := sweep.WorkOptions{Version: version(), Host: c.String("host"), Workers: c.Int("jobs"), PeakRSS: peakRSS,
		Clock: func() time.Duration { return time.Since(start) }}
	if opt.Workers == 0 {
		opt.Workers = runtime.NumCPU()
	}
	if opt.Host == "" {
		if opt.Host, err = os.Hostname(); err != nil {
			opt.Host = "unknown"
		}
	}
	if lease := c.String("lease"); lease != "" {
		dir := ""
		if index = cells[0]; index >= 0 && index < f.Len() {
			dir = f.CellDir(index)
		}
		opt.Commit = func() error { return engine.Held(dir, lease) }
	}
	sayRestart(c.App.ErrWriter, opt.Host)
	err = signalled(c.Context, warnings, f.Spec.Kind != "simulate", c.App.ErrWriter, func(ctx context.Context) error {
		if !c.IsSet("pack") {
			return f.Work(ctx, cells[0], opt)
		}
		return f.WorkAll(ctx, cells, c.Int("retries"), opt)
	})
	if err != nil {
		return codeError{err, sweep.ExitCode(err)}
	}
	return nil
}

// workerIndex is the cell's number, from the flag or the batch system.
func workerIndex(c *cli.Context) (int, error) {
	if c.IsSet("index") {
		return c.Int("index"), nil
	}
	for _, name := range indexVariables() {
		if text, there := os.LookupEnv(name); there {
			n, err := strconv.Atoi(text)
			if err != nil {
				return 0, fmt.Errorf("%s is %q, expected the number of a cell", name, text)
			}
			return n, nil
		}
	}
	return 0, errors.New("no --index, expected the number of a cell, or SLURM_ARRAY_TASK_ID or JOB_COMPLETION_INDEX")
}
