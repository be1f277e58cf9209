package app

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strconv"
	"strings"

	"tarry/experiments/sweep"
)

// signalled runs a cell that gets signals from a batch system. TERM and Ctrl-C end ctx: the cell
// keeps what it has and ends. A warning (USR2) comes some time before that, or before nothing: a
// cell that can write a checkpoint does so and resumes from it; one that cannot would only lose
// time, and does not listen.
func signalled(ctx context.Context, warnings <-chan os.Signal, checkpoints bool, log io.Writer,
	work func(context.Context) error) error {
	for {
		inner, stop := context.WithCancel(ctx)
		warned := make(chan bool, 1)
		go func() {
			for {
				select {
				case <-inner.Done():
					warned <- false
					return
				case <-warnings:
					if checkpoints {
						stop()
						warned <- true
						return
					}
				}
			}
		}()
		err := work(inner)
		stop()
		if !<-warned || !errors.Is(err, sweep.ErrRequeue) || ctx.Err() != nil {
			return err
		}
		fmt.Fprintf(log, "tarry: warned: %v; it continues until the signal to end\n", err)
	}
}

// sayRestart notes in the log that a batch system started the element again.
func sayRestart(log io.Writer, host string) {
	if n := os.Getenv("SLURM_RESTART_COUNT"); n != "" && n != "0" {
		fmt.Fprintf(log, "tarry: restart %s of %s_%s on %s\n", n, os.Getenv("SLURM_ARRAY_JOB_ID"),
			os.Getenv("SLURM_ARRAY_TASK_ID"), host)
	}
}

// listedCell is the number on a line of a list of cells; lines count from 0.
func listedCell(path string, line int) (int, error) {
	f, err := os.Open(path)
	if err != nil {
		return 0, err
	}
	defer f.Close()
	n := 0
	for s := bufio.NewScanner(f); s.Scan(); n++ {
		if n == line {
			cell, err := strconv.Atoi(strings.TrimSpace(s.Text()))
			if err != nil || cell < 0 {
				return 0, fmt.Errorf("%s:%d: %q, expected the number of a cell", path, line+1, s.Text())
			}
			return cell, nil
		}
	}
	return 0, fmt.Errorf("%s has %d lines, expected one for index %d", path, n, line)
}
