package preempt

import (
	"slices"

	"tarry/env/hide"
	"tarry/env/layout"
	"tarry/env/schedenv"
	"tarry/sim"
	"tarry/sim/plan/victim"
)

// The numbers of features of version 2.
const (
	blockedSets   = blockedFeatures + 4
	candidateSets = candidateFeatures + 10
)

// segmentsSets are the segments of the observation of version 2: candidates that go now, and then
// the same that go at their next checkpoint.
func (c *Config) segmentsSets() []layout.Segment {
	out := c.segments()
	predicted := layout.Features(`
mean_left  0..1  leases, squashed  predicted mean time left; 0 without a predictor, as the next two
rank  0..1  leases, squashed  Gittins rank of the prediction
spread  0..1  ln(ratio), squashed  standard deviation of the logarithm of the predicted run time`)
	out[1].Features = slices.Concat(out[1].Features, layout.Features(
		"lacks  0..1  share  GPUs that it still needs / GPUs that it asks for"), predicted)
	out[2].Features = slices.Concat(out[2].Features, layout.Features(`
unsaved  0..1  leases, squashed  time run since the last checkpoint; 0 at the checkpoint
at_risk  0..1  ratio, squashed  GPU-time that goes lost / (lease x GPUs that the blocked job asks for)
until  0..1  leases, squashed  time until its next checkpoint; 1 where there is none
restore  0..1  leases, squashed  pause when it starts again, by the costs of the first regime
later  0, 1  flag  1 in the row of its checkpoint
chosen  0, 1  flag  1 if it is in the set
after  0..1  share  most free GPUs in one of its machines once it went / GPUs that the blocked job asks for, at most 1`),
		predicted)
	out[2].Doc += "; first a row for each if it goes now, then a row for each at its next checkpoint"
	out[2].Items = 2 * c.Candidates
	return out
}

// groupsSets are what can be hidden in version 2.
func groupsSets() []hide.Group {
	return append(groups(),
		hide.Group{Name: "risk", Features: hide.Of("candidate", "unsaved at_risk until restore")},
		hide.Group{Name: "set", Features: append(hide.Of("blocked", "lacks"),
			hide.Of("candidate", "later chosen after")...)},
		hide.Group{Name: "predicted", Features: append(hide.Of("blocked", "mean_left rank spread"),
			hide.Of("candidate", "mean_left rank spread")...)})
}

// Observe writes the features of the cluster, the blocked job and the candidates, and the mask.
func (s *sets) Observe(v *sim.View, obs []float64, mask []bool) {
	all, most := obs, s.list.most
	obs = s.observeBlocked(v, obs)
	g := float64(v.Job(s.blocked).GPUs())
	obs[0] = schedenv.Share(float64(s.lacks), g)
	f, _ := victim.Foresee(v, s.blocked, s.lease)
	obs[1], obs[2], obs[3] = f.Left, f.Rank, f.Spread
	obs = obs[4:]
	mask[0] = true
	for i := range most {
		now, later := obs[i*candidateSets:(i+1)*candidateSets], obs[(most+i)*candidateSets:(most+i+1)*candidateSets]
		if i >= len(s.list.jobs) {
			clear(now)
			clear(later)
			mask[1+i], mask[1+most+i] = false, false
			continue
		}
		j, taken := s.list.jobs[i].id, slices.Contains(s.chosen, i)
		s.observeRow(v, j, taken, now)
		copy(later, now)
		later[candidateFeatures], later[candidateFeatures+1], later[candidateFeatures+4] = 0, 0, 1
		mask[1+i] = !taken && s.use(v, i) > 0
		mask[1+most+i] = len(s.chosen) == 0 && mask[1+i] && v.Run(j).NextCheckpoint() != sim.Never
	}
	hide.Blank(all, s.hidden)
}

// observeRow writes the features of a candidate that goes now.
func (s *sets) observeRow(v *sim.View, j sim.JobID, taken bool, row []float64) {
	s.observe(v, j, row)
	row = row[candidateFeatures:]
	r := victim.Read(v, j, s.blocked, len(v.Run(j).Held()), s.lease)
	row[0], row[1], row[2], row[3] = r.Unsaved, r.Risk, r.Until, schedenv.Leases(s.restore(v, j), s.lease)
	row[4], row[5] = 0, flag(taken)
	row[6] = schedenv.Share(float64(after(v, j)), float64(v.Job(s.blocked).GPUs()))
	row[7], row[8], row[9] = r.Left, r.Rank, r.Spread
}

// after is the most GPUs that are free in one of the job's machines once it has gone.
func after(v *sim.View, j sim.JobID) int {
	t, f := v.Topology(), v.Free()
	best, here, m := 0, 0, -1
	for _, g := range v.Run(j).Held() {
		if k := t.Machine(g); k != m {
			m, here = k, f.InMachine(k)
		}
		here++
		best = max(best, here)
	}
	return best
}

// restore is how long a job pauses when it starts again on as many GPUs, by the costs of the first
// regime.
func (s *sets) restore(v *sim.View, j sim.JobID) sim.Time {
	s.job = v.Job(j).Public()
	s.change = sim.Change{Kind: sim.Start, Again: true, Job: &s.job, ID: j, To: v.Run(j).Held(), Knobs: v.Run(j).Knobs()}
	if s.cfg.Costs.Of != nil {
		return s.cfg.Costs.Of(&s.change)
	}
	bytes := int64(0)
	if s.cfg.ModelBytes != nil {
		bytes = s.cfg.ModelBytes(s.job.Model)
	}
	return s.cfg.Costs.Formula(&s.change, bytes)
}
