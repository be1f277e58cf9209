package intake

import (
	"fmt"
	"strings"

	"tarry/sim"
	"tarry/sim/origin"
	"tarry/sim/tabular"
)

// The times and bounds of the formats that state work in steps, in microseconds.
const (
	// unknownStep is the time of a step of a model that was not measured.
	unknownStep = 100_000
	// MaxWork bounds the work of a job.
	MaxWork = int64(1e12) * 1e6
)

// TabFields counts the tab-separated fields of the first line; 0 where it has the name of a column
// in a header, in any case.
func TabFields(in *tabular.Stream, column string) int {
	head, _ := in.Peek(1 << 12)
	line, _, _ := strings.Cut(strings.TrimLeft(string(head), "\r\n"), "\n")
	if strings.Contains(strings.ToLower(line), column) {
		return 0
	}
	return strings.Count(line, "\t") + 1
}

// Steps gives a job the work of its iterations, the column total_steps: each takes what the column
// step_s states, or what was measured of the model, in microseconds. False = it is too much.
func Steps(row *tabular.Row, j *sim.Job, measured map[string]int64) bool {
	step, known := measured[j.Model]
	if row.Known("step_s") {
		step, known = row.Positive("step_s"), true
	}
	if !known {
		step, j.Drawn = unknownStep, origin.Work
	}
	if step > 0 && j.Iterations > MaxWork/step {
		row.Reject("total_steps", fmt.Sprintf("at most 1e12 s of work in total_steps x %g s", float64(step)/1e6))
		return false
	}
	j.Work, j.IterS = sim.Time(j.Iterations*step), float64(step)/1e6
	return true
}

// SLO gives a job the deadline of the column slo, times its duration or the run time of its work;
// below 0 = none.
func SLO(row *tabular.Row, j *sim.Job) {
	if !row.Known("slo") {
		return
	}
	slo := row.Float("slo", -1e12, false)
	if slo <= 0 {
		return
	}
	run := j.Work.Seconds() / float64(max(j.GPUs, 1))
	if row.Known("duration_s") {
		run = float64(row.Positive("duration_s")) / 1e6
	}
	if slo > 1e12/max(run, 1e-6) {
		row.Reject("slo", "a deadline at most 1e12 s after the arrival")
		return
	}
	j.Deadline = j.Submit + max(1, sim.Seconds(float64(slo*run)))
}
