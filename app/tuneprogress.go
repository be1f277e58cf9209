package app

import (
	"fmt"
	"io"
	"math"
	"time"

	"github.com/schollz/progressbar/v3"

	"tarry/internal/run/tune"
)

// tuneProgress tells how far tuning is: a bar on a terminal, now and then a line elsewhere.
type tuneProgress struct {
	w       io.Writer
	tty     bool
	bar     *progressbar.ProgressBar
	windows int // of a point
	start   time.Time
	said    time.Time
	last    int // the windows of the last line
	first   int // windows that an earlier process measured; -1 = not known yet
}

func newTuneProgress(w io.Writer, windows int) *tuneProgress {
	p := &tuneProgress{w: w, windows: windows, start: time.Now(), said: time.Now(), first: -1}
	p.w, p.tty = terminal(w)
	return p
}

// update shows how far it is.
func (p *tuneProgress) update(u tune.Progress) {
	if p.first < 0 { // the first simulation of this process
		p.first = u.Windows - 1
	}
	if p.tty {
		if p.bar == nil {
			p.bar = progressbar.NewOptions(u.Budget, progressbar.OptionSetWriter(p.w), progressbar.OptionSetWidth(20), progressbar.OptionSetPredictTime(false),
				progressbar.OptionSetElapsedTime(false), progressbar.OptionThrottle(100*time.Millisecond), progressbar.OptionClearOnFinish())
		}
		p.bar.Describe(p.pace(u))
		p.bar.Set(min(u.Windows, u.Budget)) // a bar that cannot be drawn is no reason to stop
		return
	}
	if time.Since(p.said) >= lineEvery || u.Windows == u.Budget && p.last < u.Windows {
		p.said, p.last = time.Now(), u.Windows
		fmt.Fprintf(p.w, "%d of %d points, %s\n", u.Windows/p.windows, u.Budget/p.windows, p.pace(u))
	}
}

// pace tells points per second, the best one and the time left.
func (p *tuneProgress) pace(u tune.Progress) string {
	rate := float64(u.Windows-p.first) / float64(p.windows) / max(time.Since(p.start).Seconds(), 1e-9)
	left := time.Duration(float64(u.Budget-u.Windows) / float64(p.windows) / rate * float64(time.Second)).Round(time.Second)
	text := fmt.Sprintf("%.2g points/s", rate)
	if !math.IsNaN(u.Best) && !math.IsInf(u.Best, 0) {
		text += fmt.Sprintf(", best %+.1f %% with %s", 100*u.Best, u.Params)
	}
	return fmt.Sprintf("%s, %s left", text, left)
}

func (p *tuneProgress) close() {
	if p.bar != nil {
		p.bar.Clear()
	}
}
