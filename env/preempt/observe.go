package preempt

import (
	"tarry/env/hide"
	"tarry/env/schedenv"
	"tarry/sim"
	"tarry/sim/cluster"
	"tarry/sim/plan/victim"
)

// The numbers of features.
const (
	blockedFeatures   = 8 + 3
	candidateFeatures = 8 + 9
)

// Observe writes the features of the cluster, the blocked job and the candidates, and the mask.
func (s *scheduler) Observe(v *sim.View, obs []float64, mask []bool) {
	all := obs
	obs = s.observeBlocked(v, obs)
	mask[0] = true
	for i := range s.list.most {
		row := obs[i*candidateFeatures : (i+1)*candidateFeatures]
		if mask[i+1] = i < len(s.list.jobs); mask[i+1] {
			s.observe(v, s.list.jobs[i].id, row)
		} else {
			clear(row)
		}
	}
	hide.Blank(all, s.hidden)
}

// observeBlocked writes the features of the cluster and the blocked job, and gives what is behind.
func (s *scheduler) observeBlocked(v *sim.View, obs []float64) []float64 {
	s.waiting = s.policy.Waiting(s.waiting[:0])
	obs = obs[schedenv.Cluster(v, s.waiting, s.lease, obs):]
	g, f := float64(v.Job(s.blocked).GPUs()), v.Free()
	n := schedenv.Job(v, s.blocked, s.lease, s.hide, obs)
	obs[n] = schedenv.Share(float64(f.Largest(cluster.LevelMachine)), g)
	obs[n+1] = schedenv.Share(float64(f.Largest(cluster.LevelRack)), g)
	obs[n+2] = schedenv.Squash(float64(max(0, s.coming)) / g)
	return obs[blockedFeatures:]
}

func (s *scheduler) observe(v *sim.View, j sim.JobID, obs []float64) {
	obs = obs[schedenv.Job(v, j, s.lease, s.hide, obs):]
	held, want := v.Run(j).Held(), v.Job(s.blocked).GPUs()
	machine, rack, any := victim.Opens(v, held, want)
	left := sim.Never
	if end := v.Run(j).LeaseEnd(); end != sim.Never {
		left = end - v.Now()
	}
	copy(obs, []float64{1, schedenv.Squash(float64(len(held)) / float64(want)), schedenv.Place(v.Run(j).Level()),
		v.Run(j).Speed().ComputeFrac,
		flag(machine), flag(rack), flag(any), schedenv.Leases(v.Run(j).CheckpointTime(), s.lease),
		schedenv.Leases(left, s.lease)})
}

// flag is 1 for what holds, else 0.
func flag(holds bool) float64 {
	if holds {
		return 1
	}
	return 0
}
