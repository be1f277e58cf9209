package queueing_test

import (
	"math"
	"math/bits"
	"testing"

	"tarry/sim"
	"tarry/sim/cluster"
	"tarry/sim/rng"
	"tarry/sim/simtest"
	"tarry/traces/synth"
)

// stripped is FIFO as a program of its own, without a kernel: whole GPUs of one type, no costs, faults,
// shares, leases, checks or observers. It keeps what every run has to give, the record of each job and the
// integrals over time.
type stripped struct {
	jobs    []sim.Job
	free    *cluster.Free
	speed   sim.SpeedModel
	asked   sim.Query
	records []sim.Record
	ends    endHeap
	held    [][]cluster.GPU
	idle    []int32
	first   int // the first job in line
	next    int // the next to arrive
	busy    int
	now     sim.Time
	inArea  [3]area // of jobs in the system, of jobs in line, of busy GPUs
}

// area is a sum of products in 128 bits.
type area struct{ hi, lo uint64 }

func (a *area) add(n int, dt sim.Time) {
	hi, lo := bits.Mul64(uint64(n), uint64(dt))
	var carry uint64
	a.lo, carry = bits.Add64(a.lo, lo, 0)
	a.hi += hi + carry
}

// strip runs the jobs of a workload.
func strip(w *sim.Workload, top *cluster.Topology) (*stripped, error) {
	s := &stripped{jobs: w.Jobs, free: cluster.NewFree(top), speed: simtest.Counting{},
		records: make([]sim.Record, len(w.Jobs))}
	for s.next < len(s.jobs) || len(s.ends) > 0 {
		t := sim.Never
		if s.next < len(s.jobs) {
			t = s.jobs[s.next].Submit
		}
		if len(s.ends) > 0 {
			t = min(t, s.ends[0].at)
		}
		s.advance(t)
		for len(s.ends) > 0 && s.ends[0].at == t {
			s.end(s.ends.pop())
		}
		for s.next < len(s.jobs) && s.jobs[s.next].Submit == t {
			s.next++
		}
		for s.first < s.next {
			if found, err := s.start(top); err != nil {
				return nil, err
			} else if !found {
				break
			}
		}
	}
	return s, nil
}

func (s *stripped) advance(t sim.Time) {
	if dt := t - s.now; dt > 0 {
		waiting := s.next - s.first
		s.inArea[0].add(len(s.ends)+waiting, dt)
		s.inArea[1].add(waiting, dt)
		s.inArea[2].add(s.busy, dt)
		s.now = t
	}
}

// end lets a job end.
func (s *stripped) end(x end) {
	r := &s.records[x.seq]
	r.State, r.End, r.Run = sim.Done, x.at, x.at-r.Start
	s.free.ReleaseAll(s.held[x.hold])
	s.busy -= len(s.held[x.hold])
	s.idle = append(s.idle, x.hold)
	s.free.Commit()
}

// start lets the first in line start, where it finds a place.
func (s *stripped) start(top *cluster.Topology) (bool, error) {
	j := &s.jobs[s.first]
	level, ok := s.free.Finest(int(j.GPUs))
	if !ok {
		return false, nil
	}
	if len(s.idle) == 0 {
		s.idle, s.held = append(s.idle, int32(len(s.held))), append(s.held, nil)
	}
	hold := s.idle[len(s.idle)-1]
	s.idle = s.idle[:len(s.idle)-1]
	gpus, _ := s.free.At(s.held[hold][:0], int(j.GPUs), level, cluster.BestFit)
	s.free.TakeAll(gpus)
	s.free.Commit()
	s.held[hold], s.busy = gpus, s.busy+len(gpus)
	s.asked = sim.Query{Job: j, ID: sim.JobID(s.first), GPUs: gpus, Now: s.now,
		Knobs: sim.Knobs{ShareMilli: 1000, FreqFrac: 1, Batch: 1, LinkWeight: 1}}
	v, err := s.speed.Speed(&s.asked)
	if err != nil {
		return false, err
	}
	r := &s.records[s.first]
	*r = sim.Record{Job: sim.JobID(s.first), State: sim.Running, Start: s.now, End: sim.Never,
		Queue: s.now - j.Submit, Allocations: 1, Level: top.LevelOf(gpus)}
	r.ByLevel[r.Level] = 1
	lasts := max(1, sim.Time(math.Ceil(float64(j.Work)/v.Rate-1e-3)))
	s.ends.push(end{at: s.now + lasts, seq: int64(s.first), hold: hold})
	s.first++
	return true, nil
}

// FIFO without a kernel gives the records and the integrals that the kernel gives.
func TestStripped(t *testing.T) {
	c, err := synth.Parse("philly,jobs=5000,gpus=512")
	if err != nil {
		t.Fatal(err)
	}
	w, err := synth.Generate(c, rng.Source{Seed: 1})
	if err != nil {
		t.Fatal(err)
	}
	top := topology(t, 8, 8, 8)
	s, err := strip(w, top)
	if err != nil {
		t.Fatal(err)
	}
	e := run(t, w, top, policy(t, "fifo", ""))
	for i := range s.records {
		if want := e.Record(sim.JobID(i)); s.records[i] != want {
			t.Fatalf("job %d: %+v, the kernel gives %+v", i, s.records[i], want)
		}
	}
	jobs, waiting, busy := e.Areas()
	for i, want := range [...]area{{jobs[0], jobs[1]}, {waiting[0], waiting[1]}, {0, uint64(busy)}} {
		if s.inArea[i] != want {
			t.Errorf("integral %d: %v, the kernel gives %v", i, s.inArea[i], want)
		}
	}
}
