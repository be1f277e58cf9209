package order

import (
	"math"

	"tarry/baselines/ranked"
	"tarry/sim"
	"tarry/sim/know"
)

// mode states where keys come from.
type mode uint8

const (
	byDally    mode = iota // the order of network sensitivity, as the base policy
	byScores               // what an agent answered
	byFunction             // a function
)

// keys is the order of the contest.
type keys struct {
	mode
	fn     *ranked.Ranker // reads and remembers what is known of jobs in all modes
	read   *ranked.Reader // fn's
	base   []float64      // per job, Dally's key when it began to contest
	scores []float64      // per job, byScores; +Inf for a job that is not in scored
	scored []sim.JobID    // the jobs that the latest action scored
	// whole states that answers have the least run of the instant, so that nothing is multiplied with it.
	whole bool
}

// unscore lets go of the latest scores.
func (k *keys) unscore() {
	for _, j := range k.scored {
		k.scores[j] = math.Inf(1)
	}
	k.scored = k.scored[:0]
}

// score gives a job a score until the next unscore.
func (k *keys) score(j sim.JobID, score float64) {
	k.scores[j] = score
	k.scored = append(k.scored, j)
}

// Knows is what the keys and the observations read.
func (k *keys) Knows() know.Set { return k.read.Knows(nil) }

// Start implements ranked.Order.
func (k *keys) Start(v *sim.View) {
	k.fn.Start(v)
	k.base, k.scores = make([]float64, v.NumJobs()), make([]float64, v.NumJobs())
	k.scored = k.scored[:0]
	for j := range k.scores {
		k.scores[j] = math.Inf(1)
	}
}

// Begin implements ranked.Order.
func (k *keys) Begin(v *sim.View, asked int) bool {
	return k.fn.Begin(v, asked) && k.mode == byFunction
}

// Patience implements ranked.Order.
func (k *keys) Patience() float64 {
	if k.mode == byFunction || k.mode == byScores && !k.whole {
		return k.fn.Patience()
	}
	return 1
}

// Enter implements ranked.Order.
func (k *keys) Enter(v *sim.View, j sim.JobID) {
	k.fn.Enter(v, j)
	k.base[j] = 0
	if run := float64(v.Run(j).Time()); run > 0 {
		k.base[j] = math.Round(v.Run(j).Done() / (run * v.Job(j).Width()) * 1e9)
	}
}

// Rank implements ranked.Order.
func (k *keys) Rank(v *sim.View, j sim.JobID) (float64, sim.Time) {
	switch k.mode {
	case byScores:
		return k.scores[j], sim.Never
	case byFunction:
		return k.fn.Rank(v, j)
	}
	return k.base[j], sim.Never
}

// Copied implements ranked.Order.
func (k *keys) Copied(dst ranked.Order) ranked.Order {
	c, ok := dst.(*keys)
	if !ok || c == nil {
		c = &keys{}
	}
	base, scores, scored := c.base, c.scores, c.scored
	c.mode, c.whole = k.mode, k.whole
	c.fn = k.fn.Copied(c.fn).(*ranked.Ranker)
	c.read = c.fn.Reader()
	c.base, c.scores = append(base[:0], k.base...), append(scores[:0], k.scores...)
	c.scored = append(scored[:0], k.scored...)
	return c
}

// newKeys is the order of a run in mode byDally.
func newKeys(c *Config) *keys {
	read := ranked.NewReader(c.Rule, c.Lease())
	read.ReadFor(c.Rule.Func, c.gated())
	k := &keys{fn: ranked.New(c.Rule.Func.Clone(), read), read: read, whole: c.Globals}
	k.fn.SetLeast(c.Rule.Globals.Least)
	return k
}
