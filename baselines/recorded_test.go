package baselines_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"tarry/catalogue/schedulers"
	"tarry/internal/effort"
	"tarry/sim"
	"tarry/sim/cluster"
	"tarry/sim/recorded"
	"tarry/sim/simtest"
)

// namedCluster is a drawn cluster whose machines have names, and jobs without a record for it.
func namedCluster(t *testing.T, r *rand.Rand) (*cluster.Topology, []sim.Job) {
	t.Helper()
	var spec cluster.Spec
	for k := range 1 + r.IntN(3) {
		var rack []cluster.Machines
		for m := range 1 + r.IntN(3) {
			rack = append(rack, cluster.Machines{Count: 1, GPUs: 1 + r.IntN(8), MemMiB: int64(r.IntN(2)) * 900})
			spec.Names = append(spec.Names, fmt.Sprintf("m%d-%d", k, m))
		}
		spec.Racks = append(spec.Racks, rack)
	}
	top, err := cluster.New(spec)
	if err != nil {
		t.Fatal(err)
	}
	jobs := make([]sim.Job, 60)
	for i := range jobs {
		jobs[i] = sim.Job{ID: fmt.Sprint(i), Submit: sim.Time(r.IntN(300)) * sim.Second / 4,
			GPUs: int32(1 + r.IntN(min(6, top.GPUs()))), Work: sim.Time(1+r.IntN(60)) * sim.Second}
		if jobs[i].GPUs == 1 {
			jobs[i].ShareMilli = int32(r.IntN(3)) * 400
		}
		if r.IntN(4) == 0 {
			jobs[i].MemMiB = 150
		}
	}
	return top, jobs
}

// starts is an observer that notes when and where each job starts.
type starts struct {
	top  *cluster.Topology
	of   map[sim.JobID]string
	jobs []sim.Job // given records
}

func (s *starts) Interval(i *sim.Interval) {
	var places []recorded.Place
	for _, g := range i.GPUs {
		places = append(places, recorded.Place{Name: s.top.Name(s.top.Machine(g)), GPUs: 1})
	}
	text := recorded.Join(places)
	s.of[i.Job] = fmt.Sprint(i.Start, " ", text)
	if s.jobs != nil {
		j := &s.jobs[i.Job]
		j.Record = &recorded.Run{Wait: int64(i.Start - j.Submit), Machines: text}
	}
}

func (s *starts) Job(*sim.Record) {}

func (s *starts) Instant(*sim.Gauge) {}

// What a scheduler without preemption did, recorded and played again, is what it did: each job
// starts at the same instant on the same machines.
func TestRecordedReplays(t *testing.T) {
	for seed := range uint64(effort.Of(t, 60, 600)) {
		r := rand.New(rand.NewPCG(seed, 7))
		top, jobs := namedCluster(t, r)
		first := run(t, []string{"fifo-fit", "scatter", "consolidate", "fifo"}[seed%4], top, jobs, true)
		again := run(t, "recorded", top, jobs, false)
		for j, want := range first.of {
			if again.of[j] != want {
				t.Fatalf("seed %d: job %d %s, recorded %s", seed, j, again.of[j], want)
			}
		}
	}
}

// run plays jobs, which are in the order of a workload, and notes their records if asked.
func run(t *testing.T, policy string, top *cluster.Topology, jobs []sim.Job, note bool) *starts {
	t.Helper()
	p, err := schedulers.All().Build(policy, cluster.BestFit)
	if err != nil {
		t.Fatal(err)
	}
	w, err := sim.NewWorkload("named", slices.Clone(jobs))
	if err != nil {
		t.Fatal(err)
	}
	copy(jobs, w.Jobs)
	s := &starts{top: top, of: map[sim.JobID]string{}}
	if note {
		s.jobs = jobs
	}
	if _, err := sim.Run(t.Context(), sim.Config{Workload: w, Topology: top, Speed: simtest.Counting{}, Check: true},
		p, s); err != nil {
		t.Fatalf("%s: %v", policy, err)
	}
	return s
}

// Without records recorded decides as fifo.
func TestRecordedIsFIFOWithoutRecords(t *testing.T) {
	for seed := range uint64(effort.Of(t, 40, 400)) {
		top, jobs := namedCluster(t, rand.New(rand.NewPCG(seed, 8)))
		want := run(t, "fifo", top, jobs, false)
		if got := run(t, "recorded", top, jobs, false); fmt.Sprint(got.of) != fmt.Sprint(want.of) {
			t.Fatalf("seed %d: %v, expected %v", seed, got.of, want.of)
		}
	}
}
