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

// Config says which policy.
type Config struct {
	// Function is MODULE:FUNCTION.
	Function string
	// Python is the interpreter; its module tarry must be of Version, which is that of the program.
	Python, Version string
	// Env is ID:key=value,... of the environment that it acts in, Spec its spec.
	Env  string
	Spec *env.Spec
	// Stderr gets what it prints, from many goroutines; nil = nobody does.
	Stderr io.Writer
}

// Actor is the policy. It serves many goroutines, with a process for each that asks at the same time.
type Actor struct {
	cfg    Config
	ctx    context.Context
	cancel context.CancelFunc
	sha256 string

	mu   sync.Mutex
	idle []*process
	all  []*process
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

// Open starts a first process and waits until its policy is there. All processes are killed when ctx ends.
func Open(ctx context.Context, c Config) (*Actor, error) {
	a := &Actor{cfg: c}
	a.ctx, a.cancel = context.WithCancel(ctx)
	p, err := a.start()
	if err != nil {
		return nil, errors.Join(err, a.Close())
	}
	a.sha256, a.idle = p.sha256, append(a.idle, p)
	return a, nil
}

// SHA256 is the hash of what the policy is, as Python says it; "" = unknown.
func (a *Actor) SHA256() string { return a.sha256 }

// Act asks a process that is free.
func (a *Actor) Act(dst, obs []float64, mask []bool, _ *rand.Rand) error {
	p, err := a.take()
	if err != nil {
		return err
	}
	if err := p.ask(dst, obs, mask); err != nil { // it is not asked again
		return a.told(err)
	}
	a.mu.Lock()
	a.idle = append(a.idle, p)
	a.mu.Unlock()
	return nil
}

// Fork gives the same: it serves many.
func (a *Actor) Fork() agents.Policy { return a }

// take gives a process that nobody asks now.
func (a *Actor) take() (*process, error) {
	a.mu.Lock()
	if n := len(a.idle); n > 0 {
		p := a.idle[n-1]
		a.idle = a.idle[:n-1]
		a.mu.Unlock()
		return p, nil
	}
	a.mu.Unlock()
	p, err := a.start()
	if err == nil && p.sha256 != a.sha256 {
		err = fmt.Errorf("a second process has a policy of sha256 %s, the first of %s: expected that %s makes the same each time", p.sha256, a.sha256, a.cfg.Function)
	}
	return p, err
}

// start starts a process.
func (a *Actor) start() (*process, error) {
	p, err := launch(a.ctx, &a.cfg)
	if err != nil {
		return nil, a.told(err)
	}
	a.mu.Lock()
	a.all = append(a.all, p)
	a.mu.Unlock()
	if err := p.greet(&a.cfg); err != nil {
		return nil, a.told(err)
	}
	return p, nil
}

// told is an error without what only follows from the end of the run.
func (a *Actor) told(err error) error {
	if stopped := a.ctx.Err(); stopped != nil {
		return stopped
	}
	return err
}

// Close ends the processes. Nobody may ask any more.
func (a *Actor) Close() error {
	a.cancel()
	for _, p := range a.all {
		p.end()
	}
	return nil
}
