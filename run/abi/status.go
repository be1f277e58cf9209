package abi

import (
	"errors"
	"fmt"

	"tarry/env"
)

// Status states how a call ended. The numbers are part of the C interface.
type Status int

// The statuses. All but OK have a text, which Group.Fault gives.
const (
	OK Status = iota
	// InvalidAction: not in the action space, or forbidden by the mask; nothing was stepped.
	InvalidAction
	// ResetNeeded: a step before the first reset, or behind the end of an episode.
	ResetNeeded
	// Closed: the group is closed.
	Closed
	// Busy: another thread is in a call on the same group.
	Busy
	// Refused: an option, an id or an argument is wrong.
	Refused
	// Failed: a fault of the program; the group needs a reset.
	Failed
	// Stopped: the caller did, or cancelled a run.
	Stopped
	// Broken: a run failed: a file, a disk, a simulation.
	Broken
	// Running: a run is not over yet.
	Running
)

// errBusy is the text of Busy.
var errBusy = errors.New("in use by another thread, expected one thread at a time")

// statusOf sorts an error; otherwise is the status of one that env does not name.
func statusOf(err error, otherwise Status) Status {
	switch {
	case err == nil:
		return OK
	case errors.Is(err, env.ErrInvalidAction), errors.Is(err, env.ErrNoLegalAction):
		return InvalidAction
	case errors.Is(err, env.ErrResetNeeded):
		return ResetNeeded
	case errors.Is(err, env.ErrClosed):
		return Closed
	case errors.Is(err, errBusy):
		return Busy
	case errors.Is(err, errFault):
		return Failed
	}
	return otherwise
}

// Recovered is the error for what a panic gave: the caller's process lives on.
func Recovered(what any) error { return fmt.Errorf("%w: %v", errFault, what) }

// errFault is what Recovered wraps.
var errFault = errors.New("a fault of tarry, please report it")

// kept runs f, which has a goroutine of its own: a panic there would end the caller's process.
func kept(f func() error) (err error) {
	defer func() {
		if p := recover(); p != nil {
			err = Recovered(p)
		}
	}()
	return f()
}
