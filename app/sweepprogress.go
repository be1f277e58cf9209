package app

import (
	"fmt"
	"io"
	"sync"
	"time"

	"tarry/experiments/engine"
	"tarry/experiments/sweep"
	"tarry/internal/legible"
)

// sweepProgress shows how far a sweep is: one line that changes on a terminal, now and then a line
// elsewhere.
type sweepProgress struct {
	mu      sync.Mutex
	w       io.Writer
	form    form
	tty     bool
	folder  *sweep.Folder
	states  []sweep.State
	count   map[sweep.State]int
	ended   int // in this call
	start   time.Time
	said    time.Time
	drawn   bool
	failing int // failures that were printed
	later   *time.Timer
}

// settle is how long the line waits for the cell that follows one that ended: drawn between the two
// it would always show one too few.
const settle = 20 * time.Millisecond

func newSweepProgress(w io.Writer, how form, f *sweep.Folder, statuses []sweep.Status) *sweepProgress {
	p := &sweepProgress{w: w, form: how, folder: f, count: map[sweep.State]int{}, start: time.Now(), said: time.Now()}
	if how == auto {
		p.w, p.tty = terminal(w)
	}
	for i := range statuses {
		s := statuses[i].State
		if !statuses[i].Over(f.Spec.Budget.Retries) {
			s = sweep.Waiting // the process that ran it is gone, or reports it again
		}
		p.states = append(p.states, s)
		p.count[s]++
	}
	if n := p.count[sweep.Done]; n > 0 {
		fmt.Fprintf(w, "%s: resumes, %d of %d cells are done\n", f.Dir, n, f.Len())
	}
	return p
}

// event takes a change of a cell in.
func (p *sweepProgress) event(e engine.Event) {
	p.mu.Lock()
	defer p.mu.Unlock()
	was := p.states[e.Index]
	if was == e.State {
		return
	}
	p.count[was]--
	p.count[e.State]++
	p.states[e.Index] = e.State
	over := e.State == sweep.Done || e.State == sweep.Failed
	if over {
		p.ended++
	}
	if e.State == sweep.Failed && e.Err != nil && p.failing < mostFailed {
		p.failing++
		p.clear()
		fmt.Fprintf(p.w, "%s failed: %v\n", legible.Name(p.folder.ID(e.Index)), legible.Text(e.Err.Error()))
	}
	p.show(over)
}

// show writes the line when it is time to.
func (p *sweepProgress) show(over bool) {
	every := lineEvery
	if p.tty || p.form == inJSON {
		every = redrawEvery
	}
	if p.form == silent {
		return
	}
	if now := time.Now(); now.Sub(p.said) >= every || over && p.tty && p.ended == 1 {
		p.said = now
		p.later = time.AfterFunc(settle, p.draw)
	}
}

// draw writes the line, unless the call ended meanwhile.
func (p *sweepProgress) draw() {
	p.mu.Lock()
	defer p.mu.Unlock()
	switch {
	case p.later == nil:
	case p.tty:
		p.drawn = true
		fmt.Fprintf(p.w, "\r%s\x1b[K", p.text())
	case p.form == inJSON:
		p.print()
	default:
		fmt.Fprintln(p.w, p.text())
	}
}

// print writes the line of a program that reads progress.
func (p *sweepProgress) print() {
	over := p.count[sweep.Done] + p.count[sweep.Failed] + p.count[sweep.Cancelled]
	printProgress(p.w, "cells", int64(over), int64(len(p.states)), p.text())
}

// text gives the sweep, its cells, rate and time left.
func (p *sweepProgress) text() string {
	over := p.count[sweep.Done] + p.count[sweep.Failed] + p.count[sweep.Cancelled]
	rate := float64(p.ended) / time.Since(p.start).Seconds()
	left := "?"
	if rate > 0 {
		left = time.Duration(float64(len(p.states)-over) / rate * float64(time.Second)).Round(time.Second).String()
	}
	text := fmt.Sprintf("%s: %d of %d cells done", legible.Name(p.folder.Spec.Name), p.count[sweep.Done], len(p.states))
	if n := p.count[sweep.Failed]; n > 0 {
		text += fmt.Sprintf(", %d failed", n)
	}
	return text + fmt.Sprintf(", %d running, %.3g cells/s, %s left", p.count[sweep.Running], rate, left)
}

// clear takes the changing line away.
func (p *sweepProgress) clear() {
	if p.drawn {
		fmt.Fprint(p.w, "\r\x1b[K")
		p.drawn = false
	}
}

// close reports what the call did.
func (p *sweepProgress) close() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.later = nil
	p.clear()
	if p.form == inJSON {
		p.print()
	}
	if p.ended == 0 {
		return
	}
	failed := ""
	if n := p.count[sweep.Failed]; n > 0 {
		failed = fmt.Sprintf(", %d failed", n)
	}
	fmt.Fprintf(p.w, "%s: %d of %d cells done%s; %d in %s\n", legible.Name(p.folder.Dir), p.count[sweep.Done],
		len(p.states), failed, p.ended, time.Since(p.start).Round(10*time.Millisecond))
}
