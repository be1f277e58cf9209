package app

import (
	"fmt"
	"io"
	"math"

	"tarry/run/tune"
)

// tuneProgress shows how many points of a tuning are measured.
type tuneProgress struct {
	meter
	windows int // of a point
	last    int // the windows of the last line of a complete budget
	first   int // windows that an earlier process measured; -1 = not known yet
}

func newTuneProgress(w io.Writer, how form, windows int) *tuneProgress {
	return &tuneProgress{meter: newMeter(w, how), windows: windows, first: -1}
}

// update shows how far it is.
func (p *tuneProgress) update(u tune.Progress) {
	if p.first < 0 { // the first simulation of this process
		p.first = u.Windows - 1
	}
	must := u.Windows == u.Budget && p.last < u.Windows
	if must {
		p.last = u.Windows
	}
	p.show(int64(u.Windows/p.windows), int64(u.Budget/p.windows), "points", p.pace(u), must)
}

// pace is points per second, the best one and the time left.
func (p *tuneProgress) pace(u tune.Progress) string {
	rate := float64(u.Windows-p.first) / float64(p.windows) / p.elapsed()
	text := fmt.Sprintf("%.2g points/s", rate)
	if !math.IsNaN(u.Best) && !math.IsInf(u.Best, 0) {
		text += fmt.Sprintf(", best %+.1f %% with %s", 100*u.Best, u.Params)
	}
	return fmt.Sprintf("%s, %s left", text, left(float64(u.Budget-u.Windows)/float64(p.windows), rate))
}
