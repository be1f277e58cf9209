package shockwave

import (
	"math"

	"tarry/sim"
	"tarry/sim/plan"
)

// Program is another program's account of jobs in rounds, in place of the kernel's;
// fidelity/shockwavesim has one. Under it a round ends with its last job, or when all that ran have
// ended; GPUs that come free inside one stay idle, and a job that came after the fair shares were
// computed takes GPUs and does not run.
type Program interface {
	// Open begins the account of a job that is taken in. ok is false where it keeps none: the job is
	// then as the kernel and the speed model have it.
	Open(v *sim.View, j sim.JobID) (e Epochs, ok bool)
	// Enter plans what a job does in the round that begins, and sets the knobs of c. It gives how
	// long the job runs, in seconds.
	Enter(v *sim.View, t Turn, c plan.Count) (plan.Count, float64)
	// Exit books the round that ends for a job.
	Exit(j sim.JobID, ran bool) Booked
	// Close forgets a job, Clone gives an independent copy.
	Close(j sim.JobID)
	Clone() Program
}

// Epochs are the epochs of a job as they are declared to a program beforehand.
type Epochs struct {
	// N is how many, UnitUS the work of one, in microseconds of one reference GPU.
	N      int64
	UnitUS float64
	// First are the epochs at which a batch size begins, Batch these sizes, LengthS how long an
	// epoch of each takes, in seconds.
	First   []int64
	Batch   []int32
	LengthS []float64
}

// Turn is a job's place in a round.
type Turn struct {
	// Ran is whether it ran in the round before, Round the number of this one, from 0.
	Ran   bool
	Round int
	// RoundS is the length of a full round in seconds, UnitUS as in Epochs.
	RoundS, UnitUS float64
}

// Booked is what a job did in a round, by a program's account.
type Booked struct {
	// LengthS is how long it ran, in seconds; Done are its epochs until now.
	LengthS, Done float64
	// PerS are the samples per second before its batch size changed, Samples the samples of an epoch.
	PerS    float64
	Samples int64
	// Changed is whether it asked for another batch size, so that fair shares are computed anew.
	Changed bool
}

// bookProgram is book by a program's account, which takes a job's first speed as that since the
// beginning of time.
func (p *Policy) bookProgram(m *member) {
	b := p.program.Exit(m.id, m.ran)
	if !m.ran {
		return
	}
	if p.rounds != nil {
		p.rounds.Ran(m.row, 0, b.LengthS)
	}
	p.shares.need = p.shares.need || b.Changed
	m.progress = min(m.epochs, int64(math.Floor(b.Done+1e-9)))
	m.measured.epochs += b.PerS * p.cfg.roundS * float64(p.round+1-m.measured.round) / float64(b.Samples)
	m.measured.round = p.round + 1
	m.rangeS = float64(m.measured.round) * p.cfg.roundS
}

// opened takes a job's epochs from a program.
func (p *Policy) opened(v *sim.View, m *member) bool {
	if p.program == nil {
		return false
	}
	e, ok := p.program.Open(v, m.id)
	if !ok {
		return false
	}
	m.accounted, m.epochs, m.unit = true, e.N, e.UnitUS
	m.first, m.batch = append(m.first[:0], e.First...), append(m.batch[:0], e.Batch...)
	for i, b := range e.Batch {
		m.learn(b, e.LengthS[i])
	}
	return true
}
