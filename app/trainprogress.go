package app

import (
	"fmt"
	"io"
	"math"
	"sync"
	"time"

	"tarry/run/train"
)

// trainProgress shows how many steps of training are done, of one run or of several side by side.
type trainProgress struct {
	mu sync.Mutex
	meter
	runs []trainState
}

// trainState is how far one run is.
type trainState struct {
	seed         uint64
	steps, total int
	first        int // steps that an earlier process made; -1 = not known yet
	last         float64
	best         float64
	over         bool
}

func newTrainProgress(w io.Writer, how form, runs []trainRun) *trainProgress {
	p := &trainProgress{meter: newMeter(w, how)}
	for i := range runs {
		p.runs = append(p.runs, trainState{seed: runs[i].cfg.Seed, total: runs[i].cfg.Steps(), first: -1,
			last: math.NaN(), best: math.NaN()})
	}
	return p
}

// update shows an update of run i.
func (p *trainProgress) update(i int, u train.Progress) {
	p.mu.Lock()
	defer p.mu.Unlock()
	r := &p.runs[i]
	if u.Row.Imitation {
		p.imitation(r, u)
		return
	}
	u.Row.Steps -= u.Before
	if r.first < 0 { // the first update of this process
		r.first = u.Row.Steps * (u.Row.Update - 1) / u.Row.Update
	}
	r.steps, r.total, r.last, r.best = u.Row.Steps, u.Steps, u.Row.Return, u.Best
	last := u.Row.Update == u.Updates || u.Row.Steps >= u.Steps
	p.draw(last)
}

// over notes that run i makes no more steps, because it is complete, stopped or failed.
func (p *trainProgress) over(i int, out train.Outcome) {
	p.mu.Lock()
	defer p.mu.Unlock()
	r := &p.runs[i]
	r.over = true
	if r.first < 0 {
		r.steps, r.first = min(out.Steps, r.total), min(out.Steps, r.total)
	}
	if out.Stopped {
		r.total = r.steps
	}
}

// draw shows the sum of the runs.
func (p *trainProgress) draw(last bool) {
	steps, total := 0, 0
	for i := range p.runs {
		steps, total = steps+p.runs[i].steps, total+p.runs[i].total
	}
	p.show(int64(steps), int64(total), "steps", p.pace(steps, total), last)
}

// imitation shows a rollout of a warm start, whose steps are no part of the run's.
func (p *trainProgress) imitation(r *trainState, u train.Progress) {
	if p.form != auto { // its steps have no total
		return
	}
	if p.tty || u.Row.Update == 1 || time.Since(p.said) >= lineEvery {
		p.said = time.Now()
		end := "\n"
		if p.tty {
			end = "\r"
		}
		who := ""
		if len(p.runs) > 1 {
			who = fmt.Sprintf("seed %d: ", r.seed)
		}
		fmt.Fprintf(p.w, "%simitation: %d episodes, %d steps, loss %s%s", who, u.Row.Episodes, u.Row.Steps,
			orDash(u.Row.PolicyLoss), end)
	}
}

// pace is steps per second, return and time left.
func (p *trainProgress) pace(steps, total int) string {
	made, over, n := 0, 0, 0
	last, best := 0.0, math.NaN()
	for i := range p.runs {
		r := &p.runs[i]
		made += r.steps - max(r.first, 0)
		if r.over {
			over++
		}
		if !math.IsNaN(r.last) {
			last, n = last+r.last, n+1
		}
		if !(r.best <= best) && !math.IsNaN(r.best) {
			best = r.best
		}
	}
	rate := float64(made) / p.elapsed()
	text, name := fmt.Sprintf("%.0f steps/s, return ", rate), ""
	if len(p.runs) > 1 {
		text, name = fmt.Sprintf("%d of %d seeds done, %.0f steps/s, mean return ", over, len(p.runs), rate), " seed"
	}
	if n > 0 {
		text += fmt.Sprintf("%.4g", last/float64(n))
	} else {
		text += "-"
	}
	if !math.IsNaN(best) {
		text += fmt.Sprintf(", best%s on validation %.4g", name, best)
	}
	return fmt.Sprintf("%s, %s left", text, left(float64(max(0, total-steps)), rate))
}

func orDash(v float64) string {
	if math.IsNaN(v) {
		return "-"
	}
	return fmt.Sprintf("%.4g", v)
}
