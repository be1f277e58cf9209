package place

import (
	"tarry/env/layout"
	"tarry/env/schedenv"
	"tarry/env/schedenv/sets"
	"tarry/sim"
	"tarry/sim/cluster"
)

// segments are the segments of the observation.
func (c *Config) segments() []layout.Segment {
	return []layout.Segment{
		{Name: "cluster", Doc: "the whole cluster", Features: layout.Features(`
busy  0..1  share  GPUs in use / GPUs that are up
machine_free  0..1  share  most free GPUs in one machine / GPUs of the largest machine
waiting  0..1  ratio, squashed  jobs that wait / machines
running  0..1  share  jobs that run / GPUs that are up, at most 1
crossing  0..1  ratio, squashed  machines of jobs over several machines, counted for each job / machines`), Items: 1},
		{Name: "candidate", Doc: "a set of GPUs of a waiting job, four for each job, the first to arrive first; 0 where " +
			"there is none", Features: layout.Features(`
present  0, 1  flag  1 where the job may start so
rank  0..1  share  jobs before it in the list / candidates
gpus  0..1  ratio, squashed  GPUs that it asks for / GPUs of the largest machine
part  0..1  share  GPUs that it asks for / GPUs of the cluster
wait  0..1  leases, squashed  time since it began to wait
` + sets.Features + `
machines  0..1  share  machines of the set / machines
place  0, 0.5, 1  place  0 in a machine, 0.5 in a rack, 1 across racks
compute  0..1  share  fraction of time that it would compute, predicted as kept is
kept  0..1  share  predicted speed there now / without other jobs; jobs on links do not count under contended (beside)
beside  0..1  ratio, squashed  mean number of jobs over several machines on a machine of the set
load  0..1  share  GPUs in use of the machines of the set / their GPUs`), Items: c.Candidates * sets.N},
	}
}

// Observe writes what is known of the sets.
func (s *scheduler) Observe(v *sim.View, obs []float64, mask []bool) {
	t, f := v.Topology(), v.Free()
	up, crossing := float64(v.Usable()), int32(0)
	for _, n := range s.Crossing {
		crossing += n
	}
	n := copy(obs, []float64{schedenv.Share(up-float64(f.Total()), up),
		schedenv.Share(float64(f.Largest(cluster.LevelMachine)), float64(t.Capacity(cluster.LevelMachine))),
		schedenv.Squash(float64(v.Waiting()) / float64(t.Machines())), schedenv.Share(float64(len(v.Running())), up),
		schedenv.Squash(float64(crossing) / float64(t.Machines()))})
	rows := obs[n:]
	clear(rows)
	clear(mask)
	mask[0] = !s.Idle(v)
	width := len(rows) / (s.cfg.Candidates * sets.N)
	for i := range s.jobs {
		for k, gpus := range s.gpus[i] {
			if gpus == nil {
				continue
			}
			at := i*sets.N + k
			mask[1+at] = true
			s.row(v, i, k, gpus, rows[at*width:][:width])
		}
	}
}

// row writes the features of a set.
func (s *scheduler) row(v *sim.View, i, set int, gpus []cluster.GPU, row []float64) {
	t, j, g := v.Topology(), s.jobs[i], float64(len(gpus))
	n := s.Count(v, gpus)
	now, alone := sets.Speeds(v, j, gpus)
	copy(row, []float64{1, schedenv.Share(float64(i), float64(s.cfg.Candidates)),
		schedenv.Squash(g / float64(t.Capacity(cluster.LevelMachine))), schedenv.Share(g, float64(t.GPUs())),
		schedenv.Leases(v.Now()-v.Run(j).Since(), s.lease)})
	row[5+set] = 1
	copy(row[5+sets.N:], []float64{schedenv.Share(float64(n.Machines), float64(t.Machines())),
		schedenv.Place(sets.Span(t, gpus)), schedenv.Share(now.ComputeFrac, 1), schedenv.Share(now.Rate, alone.Rate),
		schedenv.Squash(float64(n.Crossing) / float64(n.Machines)), schedenv.Share(float64(n.Used), float64(n.GPUs))})
}
