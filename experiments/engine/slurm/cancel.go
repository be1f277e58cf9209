package slurm

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"time"

	"tarry/experiments/engine"
)

// cancelPatience is how long the elements of cancelled jobs may take to end: Slurm kills what
// ignores TERM after its KillWait, 30 s by default.
const cancelPatience = 2 * time.Minute

// Cancel ends the jobs that the slurm engine handed in for the sweep in dir and that are not
// over, and waits until none of their elements runs. A folder without such jobs is nothing to do.
func Cancel(ctx context.Context, dir string, log io.Writer) error {
	return slurmCancel(ctx, dir, log, slurmClient{runCommand}, engine.Wait)
}

func slurmCancel(ctx context.Context, dir string, log io.Writer, cli slurmClient,
	pause func(context.Context, time.Duration) bool) error {
	dir, err := filepath.Abs(dir)
	if err != nil {
		return err
	}
	if _, err := os.Lstat(filepath.Join(dir, "slurm", "jobs.json")); err != nil {
		return nil
	}
	rec, err := readSlurmRecord(dir)
	if err != nil {
		return err
	}
	told := false
	for waited := time.Duration(0); ; waited += time.Second {
		queue, err := cli.queue(ctx, rec.allNames())
		if err != nil {
			return fmt.Errorf("slurm: %w; the jobs are listed in %s", err, rec.path())
		}
		var jobs []string
		for e, q := range queue {
			if !q.over() && !slices.Contains(jobs, e.job) {
				jobs = append(jobs, e.job)
			}
		}
		switch {
		case len(jobs) == 0:
			return nil
		case !told:
			slices.Sort(jobs)
			if err := cli.cancel(ctx, jobs); err != nil {
				return fmt.Errorf("slurm: %w", err)
			}
			told = true
			fmt.Fprintf(log, "slurm: cancelled %v\n", jobs)
		case waited > cancelPatience:
			return errors.New("slurm: the jobs were cancelled and some have not ended after " +
				cancelPatience.String() + "; squeue shows them")
		}
		if !pause(ctx, time.Second) {
			return ctx.Err()
		}
	}
}
