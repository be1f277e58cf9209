package app

import (
	"fmt"
	"io"
	"math"
	"time"

	"github.com/schollz/progressbar/v3"

	"tarry/internal/run/train"
)

// trainProgress tells how far training is: a bar on a terminal, now and then a line elsewhere.
type trainProgress struct {
	w     io.Writer
	tty   bool
	bar   *progressbar.ProgressBar
	start time.Time
	said  time.Time
	first int // steps that an earlier process made; -1 = not known yet
}

func newTrainProgress(w io.Writer) *trainProgress {
	p := &trainProgress{w: w, start: time.Now(), said: time.Now(), first: -1}
	p.w, p.tty = terminal(w)
	return p
}

// update shows an update.
func (p *trainProgress) update(u train.Progress) {
	if u.Row.Imitation {
		p.imitation(u)
		return
	}
	u.Row.Steps -= u.Before
	if p.first < 0 { // the first update of this process
		p.first = u.Row.Steps * (u.Row.Update - 1) / u.Row.Update
	}
	text := p.pace(u)
	if p.tty {
		if p.bar == nil {
			p.bar = progressbar.NewOptions(u.Steps, progressbar.OptionSetWriter(p.w), progressbar.OptionSetWidth(20), progressbar.OptionSetPredictTime(false),
				progressbar.OptionSetElapsedTime(false), progressbar.OptionThrottle(100*time.Millisecond), progressbar.OptionClearOnFinish())
		}
		p.bar.Describe(text)
		p.bar.Set(min(u.Row.Steps, u.Steps)) // a bar that cannot be drawn is no reason to stop
		return
	}
	last := u.Row.Update == u.Updates || u.Row.Steps >= u.Steps
	if time.Since(p.said) >= lineEvery || last {
		p.said = time.Now()
		fmt.Fprintf(p.w, "%d of %d steps, %s\n", u.Row.Steps, u.Steps, text)
	}
}

// imitation shows a rollout of a warm start, whose steps are no part of the run's.
func (p *trainProgress) imitation(u train.Progress) {
	if p.tty || u.Row.Update == 1 || time.Since(p.said) >= lineEvery {
		p.said = time.Now()
		end := "\n"
		if p.tty {
			end = "\r"
		}
		fmt.Fprintf(p.w, "imitation: %d episodes, %d steps, loss %s%s", u.Row.Episodes, u.Row.Steps, orDash(u.Row.PolicyLoss), end)
	}
}

// pace tells steps per second, returns and time left.
func (p *trainProgress) pace(u train.Progress) string {
	rate := float64(u.Row.Steps-p.first) / time.Since(p.start).Seconds()
	left := time.Duration(float64(max(0, u.Steps-u.Row.Steps)) / rate * float64(time.Second)).Round(time.Second)
	text := fmt.Sprintf("%.0f steps/s, return %s", rate, orDash(u.Row.Return))
	if !math.IsNaN(u.Best) {
		text += fmt.Sprintf(", best on validation %.4g", u.Best)
	}
	return fmt.Sprintf("%s, %s left", text, left)
}

func orDash(v float64) string {
	if math.IsNaN(v) {
		return "-"
	}
	return fmt.Sprintf("%.4g", v)
}

func (p *trainProgress) close() {
	if p.bar != nil {
		p.bar.Clear()
	}
}
