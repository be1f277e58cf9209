package grow

import (
	"tarry/env/layout"
	"tarry/env/schedenv"
	"tarry/sim"
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
	bare, asked := 0, 0
	for i := range s.Jobs {
		x := &s.Jobs[i]
		asked += x.Most - x.Count
		if x.Count == 0 {
			bare++
		}
	}
	n := s.Cluster(v, lease, obs)
	n += copy(obs[n:], []float64{schedenv.Share(float64(s.Room), all), float64(bare) / places,
		schedenv.Squash(float64(len(s.Rest)) / places), schedenv.Share(float64(asked), all)})
	clear(obs[n:])
	clear(mask)
	mask[0] = s.given()
	for i := range s.Jobs {
		mask[1+i] = s.legal(i)
		s.row(v, i, all, obs[n+i*rowLen:][:rowLen])
	}
}

// rowLen is how many numbers the list has per job.
const rowLen = 14

// row writes a job.
func (s *scheduler) row(v *sim.View, i int, all float64, to []float64) {
	x, lease := &s.Jobs[i], float64(s.cfg.Lease())
	legal := 0.0
	if s.legal(i) {
		legal = 1
	}
	now, first := 1.0, x.Speed[x.Least]/float64(x.Least)
	if x.Count > 0 {
		now = schedenv.Squash(x.Time(x.Count) / lease)
	}
	gain := max(0, x.Faster())
	copy(to, []float64{1, legal, schedenv.Share(float64(x.Count), all), schedenv.Share(float64(x.Held), all),
		schedenv.Share(float64(x.Next()), all), schedenv.Share(float64(x.Most), all),
		schedenv.Leases(v.Now()-v.Job(x.Job).Submit(), s.cfg.Lease()), schedenv.Squash(x.Fastest() / lease), now,
		schedenv.Squash(gain / x.Left * lease), schedenv.Share(gain, first),
		s.Shorter(i), schedenv.Share(float64(x.Count), float64(x.Held)),
		schedenv.Squash(float64(v.Run(x.Job).Preemptions()))})
}
