package app

import (
	"fmt"
	"io"
	"sync"
	"time"

	"tarry/run/trial"
)

// progress shows how many jobs of how many have ended.
type progress struct {
	mu sync.Mutex
	meter
	trials []trial.Trial
	total  int64
	ended  int64
	reused int
	done   int
}

func newProgress(w io.Writer, how form, trials []trial.Trial) *progress {
	p := &progress{meter: newMeter(w, how), trials: trials}
	for i := range trials {
		p.total += int64(trials[i].Jobs())
	}
	return p
}

// jobs counts jobs that have ended.
func (p *progress) jobs(_, ended int) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.ended += int64(ended)
	if p.total == 0 || time.Since(p.start) < quiet {
		return
	}
	rate := float64(p.ended) / p.elapsed()
	p.show(p.ended, p.total, "jobs", fmt.Sprintf("%d of %d trials, %.0f jobs/s, %s left", p.done, len(p.trials), rate,
		left(float64(p.total-p.ended), rate)), false)
}

// trial counts a trial that is over.
func (p *progress) trial(_ int, r *trial.Result, err error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.done++
	if err == nil && r.Reused {
		p.reused++
	}
}

// close clears the bar and states what was not run again.
func (p *progress) close() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.meter.close()
	if p.reused > 0 {
		fmt.Fprintf(p.w, "%d of %d trials were complete already and were not run again\n", p.reused, len(p.trials))
	}
}
