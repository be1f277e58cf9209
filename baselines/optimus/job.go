package optimus

import (
	"cmp"
	"slices"

	"tarry/sim"
	"tarry/sim/cluster"
	"tarry/sim/loss"
)

// life is what is known of a job in the system.
type life struct {
	job          sim.JobID
	gone         bool // it has ended
	waits        bool // it waited when it was last looked at
	lo, hi, unit int  // counts that it can use: from lo to hi by unit
	typ          int  // index of its GPU type, -1 = any
	wide         bool // no type alone has GPUs enough
	// by type, the most GPUs for whose CPU and memory its machines have room; nil = as many as
	// there are
	carries  []int
	has, had int // GPUs that it is to have by this decision; GPUs that it has
	on       int // index of the type of its GPUs by this decision, -1 = none or several
	left     float64
	// left is in seconds of one reference GPU; an Outlook may have it in steps.

	// Speeds: work per second at each count, measured ones, and the fit's.
	speed    []float64
	measured []float64
	estimate []float64

	// Losses.
	truth     loss.Curve
	epochS    float64 // work of an epoch, s of one reference GPU; 0 = not known
	threshold float64 // fall of the loss over a window at which the job has converged
	reports   []loss.Point
	epoch     int // epochs done that are reported
	converges float64
}

// follow takes note of who came and went.
func (p *Policy) follow(v *sim.View) {
	for _, ev := range v.Events() {
		switch {
		case ev.Job == sim.NoJob:
		case ev.Kind == sim.Arrive:
			p.book = append(p.book, p.life(v, ev.Job))
		case ev.Kind == sim.Finish:
			p.leave(ev.Job)
		}
	}
}

// leave notes that a job has ended. It stands in the book until the next interval begins.
func (p *Policy) leave(j sim.JobID) {
	i, ok := slices.BinarySearchFunc(p.book, j, func(l life, j sim.JobID) int { return cmp.Compare(l.job, j) })
	if !ok || p.book[i].gone {
		return
	}
	l := &p.book[i]
	if l.reports != nil {
		p.spare = append(p.spare, l.reports[:0])
	}
	if l.measured != nil {
		p.spareSpeeds = append(p.spareSpeeds, l.measured, l.estimate)
	}
	*l = life{job: j, gone: true}
	p.gone++
}

// sweep strikes the jobs that have ended from the book.
func (p *Policy) sweep() {
	if p.gone > 0 {
		p.book, p.gone = slices.DeleteFunc(p.book, func(l life) bool { return l.gone }), 0
	}
}

// life looks at a job that arrives.
func (p *Policy) life(v *sim.View, j sim.JobID) life {
	c := p.curves.Counts(v, j)
	if p.outlook != nil {
		c.Hi = p.outlook.Meet(v, j, c)
	}
	l := life{job: j, lo: c.Lo, hi: c.Hi, unit: c.Unit, typ: c.Type, speed: c.Speed, wide: c.Wide}
	if k := v.Run(j).Knobs(); k.CPUMilli > 0 || k.MemMiB > 0 {
		for i := range v.Topology().Types() {
			l.carries = append(l.carries, v.Topology().CarriesOf(i,
				cluster.PerGPU{CPUMilli: k.CPUMilli, MemMiB: k.MemMiB}))
		}
	}
	if p.left == byLoss {
		p.train(v, &l)
	}
	return l
}

// look brings what is known of a job up to date when an interval begins.
func (p *Policy) look(v *sim.View, l *life) {
	l.had = 0
	state := v.Run(l.job).State()
	if state == sim.Running {
		l.had = len(v.Run(l.job).Held())
	}
	waited := l.waits && l.has == 0 // and was given nothing since: it stands where it stood
	if l.waits = state == sim.Waiting; waited && l.waits && p.outlook == nil {
		return
	}
	switch {
	case p.outlook != nil:
		l.left = p.outlook.Left(v, l.job)
	case p.left == byWork:
		l.left = v.Run(l.job).Left() / 1e6
	case p.left == byEstimate:
		l.left = max((v.Job(l.job).Estimate()-v.Run(l.job).Done())/1e6, 1)
	default:
		p.report(v, l)
	}
	if !p.oracle && l.had > 0 {
		p.correct(l, v.Run(l.job).Speed().Rate)
	}
}
