package pyactor

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"strings"
	"sync"

	agents "tarry/agents/registry"
	"tarry/env"
)

// Config states which policy.
type Config struct {
	// Function is MODULE:FUNCTION.
	Function string
	// Python is the interpreter; its module tarry must be of Version, which is the program's.
	Python, Version string
	// Env is ID:key=value,... of the environment that it acts in, Spec its spec.
	Env  string
	Spec *env.Spec
	// Processes is how many may be asked at the same time, < 1 = 1.
	Processes int
	// Stderr gets what it prints, from many goroutines; nil = none.
	Stderr io.Writer
}

// Actor is the policy. It serves many goroutines; who finds no process free waits for one.
type Actor struct {
	cfg    Config
	ctx    context.Context
	cancel context.CancelFunc
	all    []*process
	idle   chan *process

	fail   sync.Once
	failed chan struct{} // closed when err is set, after which no process is asked
	err    error
}

// Split reads NAME=python:MODULE:FUNCTION or python:MODULE:FUNCTION, whose name is MODULE:FUNCTION.
func Split(text string) (name, function string, err error) {
	name, rest, named := strings.Cut(text, "=python:")
	if !named {
		_, rest, _ = strings.Cut(text, "python:")
		name = rest
	}
	module, of, ok := strings.Cut(rest, ":")
	if !ok || name == "" || module == "" || of == "" || !named && !strings.HasPrefix(text, "python:") {
		return "", "", fmt.Errorf("%q, expected python:MODULE:FUNCTION or NAME=python:MODULE:FUNCTION", text)
	}
	return name, rest, nil
}

// Open starts the processes and waits until the policy is there in all of them. They are killed
// when ctx ends.
func Open(ctx context.Context, c Config) (*Actor, error) {
	n := max(1, c.Processes)
	a := &Actor{cfg: c, all: make([]*process, n), idle: make(chan *process, n), failed: make(chan struct{})}
	a.ctx, a.cancel = context.WithCancel(ctx)
	errs := make([]error, n)
	var group sync.WaitGroup
	for i := range n {
		group.Go(func() { a.all[i], errs[i] = start(a.ctx, &a.cfg) })
	}
	group.Wait()
	for i, p := range a.all {
		err := errs[i]
		if err == nil && p.sha256 != a.all[0].sha256 {
			err = fmt.Errorf("two processes have policies of sha256 %s and %s: expected that %s makes the same "+
				"each time", a.all[0].sha256, p.sha256, c.Function)
		}
		if err != nil { // the first process' error: the others' is the same as a rule
			return nil, errors.Join(a.told(err), a.Close())
		}
		a.idle <- p
	}
	return a, nil
}

// SHA256 is the hash of what the policy is, as Python states it; "" = unknown.
func (a *Actor) SHA256() string { return a.all[0].sha256 }

// Act asks a process that is free. After an error no process is asked any more.
func (a *Actor) Act(dst, obs []float64, mask []bool, _ *rand.Rand) error {
	select {
	case p := <-a.idle:
		if err := p.ask(dst, obs, mask); err != nil {
			a.fail.Do(func() {
				a.err = a.told(err)
				close(a.failed)
			})
			return a.err
		}
		a.idle <- p
		return nil
	case <-a.failed:
		return a.err
	case <-a.ctx.Done():
		return a.ctx.Err()
	}
}

// Fork gives the same: it serves many.
func (a *Actor) Fork() agents.Policy { return a }

// told is an error without what only follows from the end of the run.
func (a *Actor) told(err error) error {
	if stopped := a.ctx.Err(); stopped != nil {
		return stopped
	}
	return err
}

// Close ends the processes. Act must not be called afterwards.
func (a *Actor) Close() error {
	a.cancel()
	for _, p := range a.all {
		if p != nil {
			p.End()
		}
	}
	return nil
}
