package racks

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
		{Name: "own", Doc: "the rack whose scheduler is asked", Items: 1, Features: layout.Features(`
busy  0..1  share  its GPUs that are not free / its GPUs
machine_free  0..1  share  most free GPUs in one of its machines / GPUs of the largest machine
waiting  0..1  ratio, squashed  jobs that wait at its scheduler / its machines
asked  0..1  ratio, squashed  GPUs that they ask for / its GPUs
crossing  0..1  ratio, squashed  its machines of jobs over several machines, counted for each job / its machines`)},
		{Name: "others", Doc: "sums over the other racks; 0 with one rack", Items: 1, Features: layout.Features(`
busy  0..1  share  their GPUs that are not free / their GPUs
waiting  0..1  ratio, squashed  jobs that wait at their schedulers / their machines
asked  0..1  ratio, squashed  GPUs that they ask for / their GPUs
open  0..1  share  racks that the job may go to / other racks`)},
		{Name: "job", Doc: "the job", Items: 1, Features: layout.Features(`
gpus  0..1  ratio, squashed  GPUs that it asks for / GPUs of the largest machine
part  0..1  share  GPUs that it asks for / GPUs of the rack
wait  0..1  leases, squashed  time since it began to wait
forwarded  0..1  ratio, squashed  how often it was forwarded
wide  0, 1  flag  1 where it is larger than every rack, and its sets are of the whole cluster`)},
		{Name: "choice", Doc: "a set of GPUs of the rack, four of them, then a rack that the job may go to, the freest " +
			"first; 0 where there is none", Items: c.choices(), Features: layout.Features(`
present  0, 1  flag  1 where the job may start so, or go there
` + sets.Features + `
forward  0, 1  flag  1 for a rack that the job may go to
machines  0..1  share  machines of the set / GPUs that it has
place  0, 0.5, 1  place  0 in a machine, 0.5 in a rack, 1 across racks
compute  0..1  share  fraction of time that it would compute, predicted as kept is
fast  0..1  share  predicted speed there now / on the fastest of the sets
kept  0..1  share  predicted speed there now / without other jobs; jobs on links do not count under contended (meets)
meets  0..1  ratio, squashed  jobs over several machines that it meets on links, a mean over its machines; 0 on one
load  0..1  share  GPUs in use of the machines of the set, or of the rack / their GPUs
waiting  0..1  ratio, squashed  jobs that wait at the scheduler of the rack / its machines
asked  0..1  ratio, squashed  GPUs that they ask for / its GPUs`)},
	}
}

// sum is of racks.
type sum struct{ gpus, free, machines, waiting, asked float64 }

func (a *sum) add(s *scheduler, v *sim.View, rack int) {
	lo, hi := v.Topology().RackMachines(rack)
	a.gpus += float64(s.size[rack])
	a.free += float64(v.Free().InRack(rack))
	a.machines += float64(hi - lo)
	a.waiting += float64(s.desks[rack].queue.Len())
	a.asked += float64(s.desks[rack].asked)
}

// numbers are the busy part, the jobs that wait and the GPUs that these ask for; 0 of no racks.
func (a *sum) numbers() (busy, waiting, asked float64) {
	if a.gpus == 0 {
		return 0, 0, 0
	}
	return schedenv.Share(a.gpus-a.free, a.gpus), schedenv.Squash(a.waiting / a.machines),
		schedenv.Squash(a.asked / a.gpus)
}

// Observe writes what is known of the question.
func (s *scheduler) Observe(v *sim.View, obs []float64, mask []bool) {
	t, f := v.Topology(), v.Free()
	var own, others sum
	for r := range s.desks {
		if r == s.rack {
			own.add(s, v, r)
		} else {
			others.add(s, v, r)
		}
	}
	free, crossing := 0, int32(0)
	for m, hi := t.RackMachines(s.rack); m < hi; m++ {
		free, crossing = max(free, f.InMachine(m)), crossing+s.Crossing[m]
	}
	busy, waiting, asked := own.numbers()
	machine := float64(t.Capacity(cluster.LevelMachine))
	n := copy(obs, []float64{busy, schedenv.Share(float64(free), machine), waiting, asked,
		schedenv.Squash(float64(crossing) / own.machines)})
	busy, waiting, asked = others.numbers()
	n += copy(obs[n:], []float64{busy, waiting, asked,
		schedenv.Share(float64(len(s.racks)), float64(len(s.desks)-1))})
	g := float64(v.Job(s.job).GPUs())
	n += copy(obs[n:], []float64{schedenv.Squash(g / machine), schedenv.Share(g, own.gpus),
		schedenv.Leases(v.Now()-v.Run(s.job).Since(), s.lease), schedenv.Squash(float64(s.sent[s.job])), flag(s.wide)})
	s.rows(v, obs[n:], mask)
}

func flag(b bool) float64 {
	if b {
		return 1
	}
	return 0
}

// rows writes the choices, and which are legal.
func (s *scheduler) rows(v *sim.View, rows []float64, mask []bool) {
	clear(rows)
	clear(mask)
	mask[0] = !s.Idle(v)
	width := len(rows) / s.cfg.choices()
	most := 0.0
	for k, gpus := range s.gpus {
		if gpus != nil {
			mask[1+k] = true
			most = max(most, s.row(v, k, gpus, rows[k*width:][:width]))
		}
	}
	for k := range s.gpus {
		rows[k*width+relative] = schedenv.Share(rows[k*width+relative], most)
	}
	for i, r := range s.racks {
		var there sum
		there.add(s, v, int(r))
		row := rows[(sets.N+i)*width:][:width]
		row[0], row[forward], mask[forward+i] = 1, 1, true
		row[12], row[13], row[14] = there.numbers()
	}
}

// relative is the number of a choice's feature fast.
const relative = 9

// row writes the features of a set, and gives the speed there, which it writes for fast.
func (s *scheduler) row(v *sim.View, set int, gpus []cluster.GPU, row []float64) float64 {
	n := s.Count(v, gpus)
	now, alone := sets.Speeds(v, s.job, gpus)
	row[0], row[1+set] = 1, 1
	copy(row[2+sets.N:], []float64{float64(n.Machines) / float64(len(gpus)),
		schedenv.Place(sets.Span(v.Topology(), gpus)), schedenv.Share(now.ComputeFrac, 1), now.Rate,
		schedenv.Share(now.Rate, alone.Rate), schedenv.Squash(float64(meets(n)) / float64(n.Machines)),
		schedenv.Share(float64(n.Used), float64(n.GPUs))})
	return now.Rate
}
