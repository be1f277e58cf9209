package engine

import (
	"context"
	"errors"
	"io"
	"time"

	"tarry/experiments/sweep"
	"tarry/sim/param"
)

// ErrRequeue: the engine received a signal to stop, or its time is over; cells are left and the
// same command continues.
var ErrRequeue = errors.New("cells are left: the same command continues")

// Job is what an engine runs.
type Job struct {
	// Dir is the folder of the sweep as the user wrote it; Folder is it, opened.
	Dir    string
	Folder *sweep.Folder
	// Pending are the cells to run, ascending.
	Pending []int
	// Worker is the start of the worker's command line ("tarry", "sweep", "worker"); an engine adds
	// "--out", Dir, "--index", N.
	Worker []string
	// Parallel is the number of cells at once; < 1 means 1. Memory bounds what they take together,
	// in bytes; 0 = no bound.
	Parallel int
	Memory   int64
	// Until is when, by Clock, the local and dir engines start no more cells; 0 = never.
	Until time.Duration
	// Stale is how long the dir engine sees a lease without a heartbeat before it takes the cell
	// over; 0 = a minute. All hosts should have the same value.
	Stale time.Duration
	// Retries is how often a cell that failed with code 1 is started again.
	Retries int
	// Isolate runs every cell of the local and dir engines in a process of its own.
	Isolate bool
	// Host is this host's name.
	Host string
	// Work is for cells that run in-process.
	Work sweep.WorkOptions
	// Options are for the engine alone, from the spec and the command line.
	Options map[string]string
	// Places are where the options of a file were written, for errors; nil = none is of a file.
	Places map[string]param.Place
	// Out is where an engine writes a script or a list, Log where it states what it does.
	Out, Log io.Writer
	// Clock gives the time since some start; required.
	Clock func() time.Duration
	// Watch receives every change of a cell, one call at a time; nil = no listener.
	Watch func(Event)
}

// Event is a change of one cell.
type Event struct {
	Index int
	// State is running, done, failed, requeue or cancelled.
	State sweep.State
	// Err is why it failed.
	Err error
}

// Engine runs a job to its end: all cells over (nil), or cells failed, or ErrRequeue.
type Engine func(ctx context.Context, j *Job) error

// Tell passes an event on.
func (j *Job) Tell(e Event) {
	if j.Watch != nil {
		j.Watch(e)
	}
}

// Wait lets time pass; false when ctx ended before.
func Wait(ctx context.Context, d time.Duration) bool {
	c, stop := context.WithTimeout(ctx, d)
	defer stop()
	<-c.Done()
	return ctx.Err() == nil
}
