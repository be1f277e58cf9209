package app

import (
	"fmt"
	"io"
	"sync"
	"time"

	"github.com/schollz/progressbar/v3"

	"tarry/internal/run/trial"
)

const (
	// quiet is how long a run may take without a word about its progress.
	quiet = time.Second
	// lineEvery is the shortest time between two lines where there is no terminal.
	lineEvery = 5 * time.Second
)

// progress tells how many jobs of how many have ended: a bar on a terminal, now and then a line elsewhere.
type progress struct {
	mu      sync.Mutex
	w       io.Writer
	tty     bool
	drawn   bool
	bar     *progressbar.ProgressBar
	trials  []trial.Trial
	total   int64
	ended   int64
	reused  int
	done    int
	start   time.Time
	lastSay time.Time
}

func newProgress(w io.Writer, trials []trial.Trial) *progress {
	p := &progress{w: w, trials: trials, start: time.Now(), lastSay: time.Now()}
	p.w, p.tty = terminal(w)
	for i := range trials {
		p.total += int64(len(trials[i].Workload.Jobs))
	}
	if p.tty {
		p.bar = progressbar.NewOptions64(p.total, progressbar.OptionSetWriter(p.w), progressbar.OptionSetWidth(20),
			progressbar.OptionSetPredictTime(false), progressbar.OptionSetElapsedTime(false), progressbar.OptionShowCount(),
			progressbar.OptionThrottle(100*time.Millisecond), progressbar.OptionClearOnFinish())
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
	if p.tty {
		p.draw()
		return
	}
	if time.Since(p.lastSay) >= lineEvery {
		p.lastSay = time.Now()
		fmt.Fprintf(p.w, "%d of %d jobs, %s\n", p.ended, p.total, p.pace())
	}
}

// pace tells trials, rate and time left.
func (p *progress) pace() string {
	rate, left := float64(p.ended)/time.Since(p.start).Seconds(), "?"
	if rate > 0 {
		left = time.Duration(float64(p.total-p.ended) / rate * float64(time.Second)).Round(time.Second).String()
	}
	return fmt.Sprintf("%d of %d trials, %.0f jobs/s, %s left", p.done, len(p.trials), rate, left)
}

func (p *progress) draw() {
	p.drawn = true
	p.bar.Describe(p.pace())           // the bar's own rate would count from its first drawing
	p.bar.Set64(min(p.ended, p.total)) // a bar that cannot be drawn is no reason to stop
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

// close clears the bar and says what was not run again.
func (p *progress) close() {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.drawn {
		p.bar.Clear()
	}
	if p.reused > 0 {
		fmt.Fprintf(p.w, "%d of %d trials were whole already and were not run again\n", p.reused, len(p.trials))
	}
}
