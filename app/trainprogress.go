package app

import (
	"fmt"
	"io"
	"math"
	"time"

	"tarry/internal/run/train"
)

// trainProgress shows how many steps of training are done.
type trainProgress struct {
	meter
	first int // steps that an earlier process made; -1 = not known yet
}

func newTrainProgress(w io.Writer) *trainProgress {
	return &trainProgress{meter: newMeter(w), first: -1}
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
	last := u.Row.Update == u.Updates || u.Row.Steps >= u.Steps
	p.show(int64(u.Row.Steps), int64(u.Steps), "steps", p.pace(u), last)
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

// pace is steps per second, return and time left.
func (p *trainProgress) pace(u train.Progress) string {
	rate := float64(u.Row.Steps-p.first) / p.elapsed()
	text := fmt.Sprintf("%.0f steps/s, return %s", rate, orDash(u.Row.Return))
	if !math.IsNaN(u.Best) {
		text += fmt.Sprintf(", best on validation %.4g", u.Best)
	}
	return fmt.Sprintf("%s, %s left", text, left(float64(max(0, u.Steps-u.Row.Steps)), rate))
}

func orDash(v float64) string {
	if math.IsNaN(v) {
		return "-"
	}
	return fmt.Sprintf("%.4g", v)
}
