package abi

import (
	"errors"
	"fmt"
	"image"
	"sync"

	"tarry/env"
	"tarry/env/layout"
	"tarry/env/registry"
	"tarry/env/render"
	"tarry/env/trait"
)

// state is where one environment is in its life.
type state int8

const (
	fresh state = iota // needs a reset
	running
	ended
)

// Group is environments of one kind over one buffer of the caller's.
type Group struct {
	mu      sync.Mutex
	request Request
	maker   *registry.Maker
	envs    []env.Env
	spec    *env.Spec
	columns []Column
	bytes   int
	at      *buffer        // nil before Bind
	slot    uint64         // of at that is in use
	placed  []trait.Placed // nil for an environment whose observations are copied
	last    []env.Step
	state   []state
	closed  bool

	faultMu sync.Mutex
	fault   error
}

// Description is the description of a Group for its caller.
type Description struct {
	// Spec has the spaces.
	Spec *env.Spec `json:"spec"`
	// Columns are the buffer's, Bytes is its size.
	Columns []Column `json:"columns"`
	Bytes   int      `json:"bytes"`
	// Notes are remarks on the settings.
	Notes []string `json:"notes"`
	// Mask is how many entries the mask of an action has; 0 = none.
	Mask int `json:"mask"`
	// Layout is what the environment shows, does and rewards, in words.
	Layout layout.About `json:"layout"`
}

// Describe gives the Description.
func (g *Group) Describe() Description {
	d := Description{Spec: g.spec, Notes: append([]string{}, g.spec.Notes...), Columns: g.columns, Bytes: g.bytes,
		Layout: g.spec.About()}
	if g.spec.Masked {
		d.Mask = env.MaskLen(g.spec.Action)
	}
	return d
}

// Bind sets the memory that all later calls read and write; the caller keeps it alive until Close.
func (g *Group) Bind(memory []byte) Status {
	return g.guarded(Refused, func() error {
		at, err := view(g.columns, len(g.envs), g.bytes, memory)
		if err == nil {
			g.at, g.slot, g.placed = at, 0, make([]trait.Placed, len(g.envs))
			for i, e := range g.envs {
				g.placed[i], _ = env.Find[trait.Placed](e)
			}
			g.place()
		}
		return err
	})
}

// turn has the next observation written to the slot that the caller chose.
func (g *Group) turn() error {
	b := g.at
	if len(b.slot) == 0 || b.slot[0] == g.slot {
		return nil
	}
	k := b.slot[0]
	if k >= slots {
		return fmt.Errorf("slot is %d, expected 0 to %d", k, slots-1)
	}
	g.slot, b.obs = k, b.shown[k]
	g.place()
	return nil
}

// place has environments write their observations into the buffer where they can.
func (g *Group) place() {
	n := g.spec.Observation.Len()
	for i, p := range g.placed {
		if p != nil {
			p.Place(g.at.obs[i*n : (i+1)*n : (i+1)*n])
		}
	}
}

// Fault is the text of the last call that was not OK.
func (g *Group) Fault() string {
	g.faultMu.Lock()
	defer g.faultMu.Unlock()
	if g.fault == nil {
		return "no fault"
	}
	return g.fault.Error()
}

// guarded makes a call alone, and an error of a panic. Errors that env does not name have the
// status otherwise.
func (g *Group) guarded(otherwise Status, call func() error) (s Status) {
	if !g.mu.TryLock() {
		return g.end(errBusy, Busy)
	}
	defer g.mu.Unlock()
	defer func() {
		if p := recover(); p != nil {
			clear(g.state) // no environment can be trusted before its next reset
			s = g.end(Recovered(p), Failed)
		}
	}()
	if g.closed {
		return g.end(fmt.Errorf("%s: %w", g.spec.ID, env.ErrClosed), Closed)
	}
	if err := call(); err != nil {
		return g.end(err, otherwise)
	}
	return OK
}

// end keeps an error for Fault.
func (g *Group) end(err error, otherwise Status) Status {
	g.faultMu.Lock()
	defer g.faultMu.Unlock()
	g.fault = err
	return statusOf(err, otherwise)
}

// bound reports whether there is memory to write to.
func (g *Group) bound() error {
	if g.at == nil {
		return errors.New("no buffer, expected tarry_bind first")
	}
	return nil
}

// Text is environment i in words, for people.
func (g *Group) Text(i int) (text string, s Status) {
	s = g.guarded(Refused, func() error {
		if err := g.shown(i); err != nil {
			return err
		}
		text = render.Text(g.envs[i], &g.last[i])
		return nil
	})
	return text, s
}

// Picture is environment i as a picture.
func (g *Group) Picture(i int) (p *image.RGBA, s Status) {
	s = g.guarded(Refused, func() error {
		if err := g.shown(i); err != nil {
			return err
		}
		p = render.Picture(g.envs[i], &g.last[i])
		return nil
	})
	return p, s
}

// shown reports whether environment i has something to show.
func (g *Group) shown(i int) error {
	switch {
	case i < 0 || i >= len(g.envs):
		return fmt.Errorf("environment %d, expected 0 to %d", i, len(g.envs)-1)
	case g.last[i].Obs == nil:
		return fmt.Errorf("%s: render: %w", g.spec.ID, env.ErrResetNeeded)
	}
	return nil
}

// Close closes every environment and forgets the buffer; the second time is Closed.
func (g *Group) Close() Status {
	return g.guarded(Failed, func() error {
		err := g.closeAll()
		g.closed, g.at, g.placed, g.last, g.maker = true, nil, nil, nil, nil
		return err
	})
}

func (g *Group) closeAll() error {
	var errs []error
	for i, e := range g.envs {
		if err := e.Close(); err != nil {
			errs = append(errs, named(g.request.Count, i, err))
		}
	}
	g.envs = nil
	return errors.Join(errs...)
}
