package inspected

import (
	"slices"

	"tarry/baselines/backfill"
	"tarry/baselines/queueing"
	"tarry/baselines/ranked"
	"tarry/baselines/score"
	"tarry/sim"
	"tarry/sim/cluster"
	"tarry/sim/know"
	"tarry/sim/plan"
)

// Config states a protocol.
type Config struct {
	// Base is the base rule, one of queueing.Orders; Fill one of queueing.Fills: what starts while the
	// job that was let go waits.
	Base, Fill string
	// Score picks in place of Base, the least first; nil = Base does.
	Score *score.Rule
	// By states where the run times are from that rule, reservations and observations read.
	By backfill.Guess
	// Refusals is how often a job may be refused, >= 0; after that it goes.
	Refusals int
	// Place is the rule by which GPUs are chosen, Lease the unit of times that are observed.
	Place cluster.Rule
	Lease sim.Time
}

// Refusals is how often a job may be refused by default, MostRefusals at most: half a day of complete
// pauses.
const (
	Refusals     = 72
	MostRefusals = 100_000
)

// PauseS is how long a refusal lasts at most, in seconds.
const PauseS = 600

// Protocol is the base rule with the answer left open. An instant goes Begin, then Ask, Answer, Ask,
// Answer ... until Ask gives false, then Decisions.
type Protocol struct {
	cfg     *Config
	base    queueing.Chooser
	learned *ranked.Chooser // base, where it is a score
	picker  *queueing.Picker
	wake    plan.Alarm
	refused []int // how often each job was, by number
	// The pending question: the job and its place in the queue.
	job  sim.JobID
	at   int
	view *sim.View
}

// wakeKey names the timer at which a refusal is over.
const wakeKey = 2

// New makes a protocol before the first instant.
func New(c *Config) (*Protocol, error) {
	p := &Protocol{cfg: c, picker: queueing.NewPickerBy(c.Fill, c.By, c.Place), wake: plan.Alarm{Key: wakeKey}}
	if c.Score != nil {
		p.learned = ranked.NewChooser(c.Score, c.Lease)
		p.base = p.learned
		return p, nil
	}
	var err error
	p.base, err = queueing.NewChooser(c.Base, c.By)
	return p, err
}

// Knows is where run times are from, and what a score reads.
func (p *Protocol) Knows() know.Set {
	if p.learned != nil {
		return p.cfg.By.Knows() | p.learned.Knows()
	}
	return p.cfg.By.Knows()
}

// Begin takes in an instant.
func (p *Protocol) Begin(v *sim.View) {
	if n := v.NumJobs(); len(p.refused) < n {
		p.refused = append(p.refused, make([]int, n-len(p.refused))...)
	}
	p.picker.Begin(v)
}

// Ask resumes the instant up to the next job that may be refused.
func (p *Protocol) Ask(v *sim.View) bool {
	for p.picker.Next(v) {
		waiting := p.picker.Waiting()
		p.at = p.base.Choose(v, waiting)
		if p.job = waiting[p.at]; p.refused[p.job] < p.cfg.Refusals {
			return true
		}
		p.picker.Pick(p.at)
	}
	return false
}

// Answer lets the job go or refuses it.
func (p *Protocol) Answer(v *sim.View, refuse bool) {
	if !refuse {
		p.picker.Pick(p.at)
		return
	}
	p.refused[p.job]++
	p.picker.Refuse(v.Now() + PauseS*sim.Second)
}

// Decisions gives the decisions of the instant.
func (p *Protocol) Decisions(v *sim.View, out []sim.Decision) []sim.Decision {
	until := sim.Never
	if at, ok := p.picker.Refused(); ok {
		until = at
	}
	return p.wake.Set(v.Now(), until, p.picker.Decisions(out))
}

// Copied gives an independent copy between two instants.
func (p *Protocol) Copied() *Protocol {
	c := *p
	c.picker, c.refused = p.picker.Copied(), slices.Clone(p.refused)
	c.ownScore()
	return &c
}

// CopyFrom makes p equal to another Protocol between two instants, in its own memory.
func (p *Protocol) CopyFrom(o *Protocol) {
	picker, refused := p.picker, p.refused
	*p = *o
	p.picker, p.refused = picker, append(refused[:0], o.refused...)
	p.picker.CopyFrom(o.picker)
	p.ownScore()
}

// ownScore has what a score remembers copied: it is another Protocol's.
func (p *Protocol) ownScore() {
	if p.learned != nil {
		p.learned = p.learned.Copied()
		p.base = p.learned
	}
}

// Question is the pending question as fixed inspectors read it, until the next call.
func (p *Protocol) Question(v *sim.View) Question {
	p.view = v
	return (*question)(p)
}

// question is the pending question of a Protocol.
type question Protocol

func (q *question) Fits() bool { return q.picker.Fits(q.view, q.job) }

func (q *question) Wide(part float64) bool {
	return q.view.Job(q.job).Width() > float64(part*float64(q.view.Topology().GPUs()))
}

func (q *question) RefusedS() float64 { return PauseS * float64(q.refused[q.job]) }

// Stuck: what is to come is not known.
func (q *question) Stuck() bool { return len(q.view.Running()) == 0 }
