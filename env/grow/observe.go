package grow

import (
	"tarry/env/layout"
	"tarry/env/schedenv"
	"tarry/sim"
	"tarry/sim/plan"
)

// segments are the segments of the observation.
func (c *Config) segments() []layout.Segment {
	return []layout.Segment{
		{Name: "cluster", Doc: "the cluster before the epoch, and what is left of it", Items: 1,
			Features: append(schedenv.ClusterFeatures(), layout.Features(`
room  0..1  share  GPUs that are left to give / GPUs
bare  0..1  share  jobs of the list without a count / places
beyond  0..1  ratio, squashed  jobs that are not in the list / places
asked  0..1  share  GPUs that the jobs of the list may still have / GPUs`)...)},
		{Name: "jobs", Doc: "a job in the list, by arrival; 0 where there is none", Items: c.Jobs,
			Features: layout.Features(`
present  0, 1  flag  1 where there is a job
legal  0, 1  flag  1 where it may have more
count  0..1  share  GPUs that it is to have so far / GPUs
held  0..1  share  GPUs that it has now / GPUs
next  0..1  share  GPUs of its next worker / GPUs
most  0..1  share  most GPUs that it can use / GPUs
wait  0..1  leases, squashed  time since its arrival
left  0..1  leases, squashed  time left on the count at which it is fastest, by its estimate
now  0..1  leases, squashed  time left on its count so far; 1 without one
gain  0..1  ratio, squashed  part of its work left that one worker more does in a lease, for each of its GPUs
scale  0..1  share  speed that its next worker adds for each GPU / speed per GPU on its least count
shorter  0..1  share  jobs of the list with less time left / places
changed  0..1  share  its count so far / GPUs that it has, at most 1; 0 where it has none
preempted  0..1  preemptions, squashed  preemptions so far`)},
	}
}

// Observe writes what is known of the cluster and of the jobs in the list.
func (s *scheduler) Observe(v *sim.View, obs []float64, mask []bool) {
	lease, all, places := s.cfg.Lease(), float64(v.Topology().GPUs()), float64(s.cfg.Jobs)
	s.queue = s.queue[:0]
	bare, asked := 0, 0
	for i := range s.jobs {
		x := &s.jobs[i]
		asked += x.most - x.count
		if x.count == 0 {
			bare++
		}
		if v.Run(x.job).State() == sim.Waiting {
			s.queue = append(s.queue, plan.Wanted{GPUs: v.Job(x.job).GPUs(), Waiting: 1, Oldest: v.Run(x.job).Since()})
		}
	}
	n := schedenv.Cluster(v, s.queue, lease, obs)
	n += copy(obs[n:], []float64{schedenv.Share(float64(s.room), all), float64(bare) / places,
		schedenv.Squash(float64(len(s.rest)) / places), schedenv.Share(float64(asked), all)})
	clear(obs[n:])
	clear(mask)
	mask[0] = s.given()
	for i := range s.jobs {
		mask[1+i] = s.legal(i)
		s.row(v, i, all, obs[n+i*rowLen:][:rowLen])
	}
}

// rowLen is how many numbers the list has per job, globalLen how many stand before it.
const (
	rowLen    = 14
	globalLen = 16
)

// row writes a job.
func (s *scheduler) row(v *sim.View, i int, all float64, to []float64) {
	x, lease := &s.jobs[i], float64(s.cfg.Lease())
	legal, shorter := 0.0, 0
	if s.legal(i) {
		legal = 1
	}
	for k := range s.jobs {
		if s.jobs[k].fastest() < x.fastest() {
			shorter++
		}
	}
	now, first := 1.0, x.speed[min(x.least, len(x.speed)-1)]/float64(x.least)
	if x.count > 0 {
		now = schedenv.Squash(x.time(x.count) / lease)
	}
	gain := max(0, x.faster())
	copy(to, []float64{1, legal, schedenv.Share(float64(x.count), all), schedenv.Share(float64(x.held), all),
		schedenv.Share(float64(x.next()), all), schedenv.Share(float64(x.most), all),
		schedenv.Leases(v.Now()-v.Job(x.job).Submit(), s.cfg.Lease()), schedenv.Squash(x.fastest() / lease), now,
		schedenv.Squash(gain / x.left * lease), schedenv.Share(gain, first),
		float64(shorter) / float64(s.cfg.Jobs), schedenv.Share(float64(x.count), float64(x.held)),
		schedenv.Squash(float64(v.Run(x.job).Preemptions()))})
}
