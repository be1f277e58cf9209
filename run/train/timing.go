package train

import (
	"context"
	"math"
	"path/filepath"
	"time"

	"tarry/output/results"
)

// timingName is the table of wall times. It is no result: the manifest does not list it, and no
// checkpoint holds it.
const timingName = "timing/part-0.parquet"

// stopwatch measures the updates of a run under way.
type stopwatch struct {
	since time.Time
	rows  []results.Timing
}

// startWatch begins to measure. Of a resumed run, the times of the updates that its checkpoint has
// are kept; what was measured after it, and lost, is not. A table that cannot be read is begun
// anew: training does not fail for it.
func (r *run) startWatch() {
	if r.opt.Now == nil {
		return
	}
	if r.Updates > 0 {
		rows, _, err := results.Read[results.Timing](context.Background(), r.file(timingName))
		for _, t := range rows {
			if err == nil && t.Update >= 1 && t.Update <= int64(r.Updates) {
				r.times.rows = append(r.times.rows, t)
			}
		}
	}
	r.times.since = r.opt.Now()
}

// lap notes the time of the last update with what came before it: an imitation, or the checkpoint
// of the update before.
func (r *run) lap() {
	if r.opt.Now == nil {
		return
	}
	n := len(r.rows)
	last, steps := r.rows[n-1], r.rows[n-1].Steps
	if n > 1 {
		steps -= r.rows[n-2].Steps
	}
	now := r.opt.Now()
	wall := now.Sub(r.times.since).Seconds()
	r.times.since = now
	speed := math.NaN()
	if wall > 0 {
		speed = float64(steps) / wall
	}
	r.times.rows = append(r.times.rows, results.Timing{
		Keys: results.Keys{Policy: r.cfg.Agent, Trace: r.cfg.Env, Seed: r.cfg.Seed},
		Wall: wall, Events: -1, EventsPerS: math.NaN(), EnvStepsPerS: speed, PeakRSS: -1,
		Update: int64(last.Update), EnvSteps: int64(last.Steps), Plans: -1, Planned: -1,
		Unix: float64(now.UnixMicro()) / 1e6,
	})
}

// timing writes the table.
func (r *run) timing() error {
	if r.opt.Now == nil {
		return nil
	}
	return results.Write(context.Background(), results.Target{Path: filepath.Join(r.opt.Out,
		filepath.FromSlash(timingName)), Meta: r.meta}, r.times.rows)
}
