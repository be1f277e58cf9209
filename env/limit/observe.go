package limit

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
bare  0..1  share  jobs of the list without a limit / places
each  0..1  share  GPUs that are left / jobs of the list without a limit / GPUs
beyond  0..1  ratio, squashed  jobs that are not in the list / places`)...)},
		{Name: "jobs", Doc: "a job in the list, by arrival; 0 where there is none", Items: c.Jobs,
			Features: layout.Features(`
present  0, 1  flag  1 where there is a job
bare  0, 1  flag  1 where it has no limit yet
count  0..1  share  GPUs that it is to have / GPUs
held  0..1  share  GPUs that it has now / GPUs
least  0..1  share  fewest GPUs that it can use / GPUs
most  0..1  share  most GPUs that it can use / GPUs
wait  0..1  leases, squashed  time since its arrival
left  0..1  leases, squashed  time left on the count at which it is fastest, by its estimate
work  0..1  leases, squashed  time left on its least count
peak  0..1  share  count at which it is fastest / GPUs
half  0..1  share  speed per GPU on half of that count / speed per GPU on its least count
full  0..1  share  the same on that count
shorter  0..1  share  jobs of the list with less time left / places
preempted  0..1  preemptions, squashed  preemptions so far`)},
	}
}

// Observe writes what is known of the cluster and of the jobs in the list, and which limits are legal.
func (s *scheduler) Observe(v *sim.View, obs []float64, mask []bool) {
	lease, all, places := s.cfg.Lease(), float64(v.Topology().GPUs()), float64(s.cfg.Jobs)
	bare := 0
	for i := range s.Jobs {
		x := &s.Jobs[i]
		if x.Count == 0 {
			bare++
		}
	}
	n := s.Cluster(v, lease, obs)
	n += copy(obs[n:], []float64{schedenv.Share(float64(s.Room), all), float64(bare) / places,
		schedenv.Share(float64(s.Room)/float64(max(1, bare)), all), schedenv.Squash(float64(len(s.Rest)) / places)})
	clear(obs[n:])
	clear(mask)
	for i := range s.Jobs {
		for l := range s.levels {
			mask[i*len(s.levels)+l] = s.legal(i, l)
		}
		s.row(v, i, all, obs[n+i*rowLen:][:rowLen])
	}
}

// rowLen is how many numbers the list has per job.
const rowLen = 14

// row writes a job.
func (s *scheduler) row(v *sim.View, i int, all float64, to []float64) {
	x, lease := &s.Jobs[i], float64(s.cfg.Lease())
	bare := 1.0
	if x.Count > 0 {
		bare = 0
	}
	peak := plan.Peak(x.Speed)
	per := func(n int) float64 {
		return schedenv.Share(x.Speed[n]/float64(max(1, n)), x.Speed[x.Least]/float64(max(1, x.Least)))
	}
	copy(to, []float64{1, bare, schedenv.Share(float64(x.Count), all), schedenv.Share(float64(x.Held), all),
		schedenv.Share(float64(x.Least), all), schedenv.Share(float64(x.Most), all),
		schedenv.Leases(v.Now()-v.Job(x.Job).Submit(), s.cfg.Lease()), schedenv.Squash(x.Fastest() / lease),
		schedenv.Squash(x.Time(x.Least) / lease), schedenv.Share(float64(peak), all), per((peak + 1) / 2), per(peak),
		s.Shorter(i), schedenv.Squash(float64(v.Run(x.Job).Preemptions()))})
}
