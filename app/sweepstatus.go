package app

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
	"text/tabwriter"

	"github.com/urfave/cli/v2"

	"tarry/experiments/sweep"
)

func (from program) sweepStatusCommand() *cli.Command {
	return &cli.Command{
		Name:  "status",
		Usage: "show the progress of a sweep",
		UsageText: "tarry sweep status runs/load\n" +
			"tarry sweep status runs/load --failed\n" +
			"tarry sweep status runs/load --cells --format json",
		ArgsUsage: "DIR",
		Flags: []cli.Flag{
			&cli.BoolFlag{Name: "failed", Usage: "list the cells that failed, with the last lines of their logs"},
			&cli.BoolFlag{Name: "verify", Usage: "read every file of the cells that are done and name the cells " +
				"whose files changed; exit code 1 if there are any"},
			&cli.BoolFlag{Name: "cells", Usage: "list every cell"},
			&cli.StringFlag{Name: "format", Value: "table", Usage: "`FORMAT`: table or json"},
		},
		OnUsageError: onUsageError,
		Action:       anyOrder(from.runSweepStatus),
	}
}

// sweepStates lists the states in the order in which they are shown.
func sweepStates() []sweep.State {
	return []sweep.State{sweep.Done, sweep.Running, sweep.Waiting, sweep.Requeue, sweep.Failed, sweep.Cancelled}
}

// cellStatus is a cell in the JSON of status.
type cellStatus struct {
	Index int    `json:"index"`
	ID    string `json:"id"`
	sweep.Status
	Log []string `json:"log,omitempty"`
}

func (from program) runSweepStatus(c *cli.Context) error {
	f, err := from.sweepFolder(c)
	if err != nil {
		return err
	}
	format := c.String("format")
	if format != "table" && format != "json" {
		return usageError{fmt.Errorf("--format: %q, expected table or json", format)}
	}
	broken, damage, err := verifySweep(c, f)
	if err != nil {
		return err
	}
	statuses := f.Statuses()
	count := map[sweep.State]int{}
	var shown []cellStatus
	for i, s := range statuses {
		count[s.State]++
		switch {
		case c.Bool("failed") && s.State == sweep.Failed:
			shown = append(shown, cellStatus{i, f.ID(i), s, f.LogTail(i, lastLines)})
		case c.Bool("cells") && !c.Bool("failed"):
			shown = append(shown, cellStatus{i, f.ID(i), s, nil})
		}
	}
	if format == "json" {
		e := json.NewEncoder(c.App.Writer)
		e.SetIndent("", "  ")
		all := map[string]any{"name": f.Spec.Name, "kind": f.Spec.Kind, "sha256": f.SHA256, "total": f.Len(),
			"states": count, "cells": orEmpty(shown)}
		if c.Bool("verify") {
			all["broken"] = broken
		}
		return errors.Join(e.Encode(all), damage)
	}
	return errors.Join(statusTable(c.App.Writer, f, count, shown), damage)
}

// verifySweep names the broken cells, if it was asked for, and gives their ids; damage is what they
// make of the exit code.
func verifySweep(c *cli.Context, f *sweep.Folder) (ids []string, damage, err error) {
	if !c.Bool("verify") {
		return nil, nil, nil
	}
	broken, faults, checked, err := f.Verify(c.Context)
	if err != nil {
		return nil, nil, err
	}
	ids = append([]string{}, broken...)
	for i, id := range ids {
		note(c, "cell %s is broken: %v", id, faults[i])
	}
	gathered := f.VerifyGathered()
	switch {
	case len(broken) > 0:
		damage = fmt.Errorf("%d of %d cells that are done are broken; tarry sweep retry %s ID... runs them again",
			len(broken), checked, f.Dir)
	case gathered == nil:
		note(c, "the files of all %d cells that are done are as they were written", checked)
	}
	return ids, errors.Join(damage, gathered), nil
}

func orEmpty(cells []cellStatus) []cellStatus {
	if cells == nil {
		return []cellStatus{}
	}
	return cells
}

// statusTable writes the counts, and cells if they were asked for.
func statusTable(w io.Writer, f *sweep.Folder, count map[sweep.State]int, shown []cellStatus) error {
	var parts []string
	for _, s := range sweepStates() {
		if n := count[s]; n > 0 || s == sweep.Done {
			parts = append(parts, fmt.Sprintf("%d %s", n, s))
		}
	}
	if _, err := fmt.Fprintf(w, "%s: %d cells: %s\n", f.Spec.Name, f.Len(), strings.Join(parts, ", ")); err != nil {
		return err
	}
	t := tabwriter.NewWriter(w, 0, 8, 2, ' ', 0)
	for _, s := range shown {
		fmt.Fprintf(t, "%d\t%s\t%s\t%d attempts\t%s\n", s.Index, s.ID, s.State, s.Attempts, s.Host)
		if len(s.Log) > 0 {
			t.Flush()
			fmt.Fprintf(w, "  %s\n", strings.Join(s.Log, "\n  "))
		}
	}
	return t.Flush()
}

// sweepFolder opens the folder that a command is about.
func (from program) sweepFolder(c *cli.Context) (*sweep.Folder, error) {
	dir, err := folderArgument(c)
	if err != nil {
		return nil, err
	}
	f, err := sweep.Open(&from.Catalogues, dir)
	if err != nil {
		return nil, usageError{err}
	}
	return f, nil
}

// What is shown of cells that failed.
const (
	lastLines  = 5
	mostFailed = 10
)

// listFailed writes the cells that failed, with the last lines of their logs, and counts them.
func listFailed(c *cli.Context, f *sweep.Folder) (failed, permanent, cancelled int) {
	for i, s := range f.Statuses() {
		if s.State == sweep.Cancelled {
			cancelled++
		}
		if s.State != sweep.Failed {
			continue
		}
		if failed++; s.Exit == exitPermanent {
			permanent++
		}
		if failed <= mostFailed {
			note(c, "cell %d, %s, failed:\n  %s", i, f.ID(i), strings.Join(f.LogTail(i, lastLines), "\n  "))
		}
	}
	if failed > mostFailed {
		note(c, "and %d more: tarry sweep status %s --failed", failed-mostFailed, f.Dir)
	}
	return failed, permanent, cancelled
}

// tellFailed lists them and gives the error that they stand for.
func tellFailed(c *cli.Context, f *sweep.Folder) error {
	failed, permanent, cancelled := listFailed(c, f)
	if cancelled > 0 {
		note(c, "%d cells are cancelled: tarry sweep retry %s --cancelled takes that back", cancelled, f.Dir)
	}
	if failed == 0 {
		return nil
	}
	err := fmt.Errorf("%d of %d cells failed; tarry sweep retry %s --failed lets them start again", failed, f.Len(),
		f.Dir)
	if permanent == failed {
		return codeError{err, exitPermanent}
	}
	return codeError{err, exitFailed}
}
