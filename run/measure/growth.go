package measure

import (
	"tarry/sim"
	"tarry/sim/end"
)

// growth counts marks and batches: how jobs change while they train.
type growth struct {
	marks          int
	set            bool    // a batch or micro-batches differ from a job's own
	gpuS, batchS   float64 // GPU-seconds of running, and the same times the batch over the job's own
	accumS, stepsS float64 // GPU-seconds with micro-batches set, and the same times their number
}

// interval counts an allocation, or a piece of one.
func (g *growth) interval(i *sim.Interval) {
	if i.Reason == end.Mark {
		g.marks++
	}
	t := float64(i.Run.Seconds() * float64(len(i.GPUs)))
	g.gpuS += t
	g.batchS += float64(t * i.Batch)
	if i.AccumSteps > 0 {
		g.accumS += t
		g.stepsS += float64(t * float64(i.AccumSteps))
	}
	g.set = g.set || i.Batch != 1 || i.AccumSteps != 0
}

// rows reports nothing where no speed changed at a mark and every job ran with its own batch.
func (g *growth) rows(add Add) {
	if g.marks > 0 {
		add("marks", "", "count", float64(g.marks))
	}
	if !g.set {
		return
	}
	add("batch_over_own", "", "ratio", g.batchS/g.gpuS)
	if g.accumS > 0 {
		add("accum_steps_mean", "", "count", g.stepsS/g.accumS)
	}
}
