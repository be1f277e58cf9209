package sweep

import (
	"context"
	"errors"
	"time"
)

// The exit codes of a worker. They are part of the interface: batch systems act on them.
const (
	exitDone      = 0
	exitFailed    = 1
	exitPermanent = 42
	exitRequeue   = 75
)

// What Work's errors wrap.
var (
	// ErrRequeue: the cell was told to stop and kept what it has; start it again.
	ErrRequeue = errors.New("the cell was told to stop: start it again")
	// ErrPermanent: the cell will fail again however often it is started.
	ErrPermanent = errors.New("the cell cannot be run")
)

// ExitCode is the exit code that stands for an error of Work: 0 done, 75 start it again, 42 it will
// fail again, 1 it failed.
func ExitCode(err error) int {
	switch {
	case err == nil:
		return exitDone
	case errors.Is(err, ErrRequeue):
		return exitRequeue
	case errors.Is(err, ErrPermanent):
		return exitPermanent
	}
	return exitFailed
}

// WorkOptions say how to run a cell. None of them moves a byte of its tables.
type WorkOptions struct {
	// Version is the program's, for the metadata.
	Version string
	// Host stands in STATUS.
	Host string
	// Workers is the number of goroutines inside the cell; < 1 means 1.
	Workers int
	// Clock gives the time since some start, for the log; required.
	Clock func() time.Duration
	// PeakRSS gives the resident memory that the process reached, for STATUS; nil = the process
	// runs other cells, too.
	PeakRSS func() int64
	// Commit is asked before the cell is marked done; an error leaves the mark to whoever holds
	// the cell now (the dir engine's lease). nil = always.
	Commit func() error
}

// Work runs a cell of the sweep in dir: the one entry point of all engines. A cell that is done
// already is left as it is. When ctx ends, the cell stops at its next checkpoint and the error
// wraps ErrRequeue. The STATUS of the cell says how it ended.
func Work(ctx context.Context, dir string, index int, opt WorkOptions) error {
	f, err := Open(dir)
	if err != nil {
		return err
	}
	return f.Work(ctx, index, opt)
}

// Work is Work in an open folder; safe for many goroutines and different cells.
func (f *Folder) Work(ctx context.Context, index int, opt WorkOptions) error {
	return errors.New("sweep: not built yet")
}
