package engine

import (
	"bufio"
	"context"
	"errors"
	"strconv"
)

// ErrHandedOut: the engine wrote down or handed to a queue what is to be run, and did not wait for
// it.
var ErrHandedOut = errors.New("the cells are handed out, not run")

// Print writes one command per pending cell to j.Out, quoted for a POSIX shell, for GNU parallel,
// xargs or a queue of the user's own. It runs nothing; the error is ErrHandedOut.
func Print(ctx context.Context, j *Job) error {
	if err := refuseOptions("print", j.Options, j.Places); err != nil {
		return err
	}
	w := bufio.NewWriter(j.Out)
	for _, index := range j.Pending {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		w.WriteString(QuoteWords(j.command(j.Dir, index)))
		w.WriteByte('\n')
	}
	if err := w.Flush(); err != nil {
		return err
	}
	return ErrHandedOut
}

// command is the worker's command line for a cell of the sweep in dir.
func (j *Job) command(dir string, index int) []string {
	return append(j.Worker[:len(j.Worker):len(j.Worker)], "--out", dir, "--index", strconv.Itoa(index))
}
