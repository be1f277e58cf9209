package gandiva

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"tarry/sim"
	"tarry/sim/cluster"
	"tarry/sim/rng"
	"tarry/sim/simtest"
)

// drawServers is a policy whose servers have affinities, loads and GPUs down at random, with the
// view of a run in which job j asks for j/3+1 GPUs, of any type, of "a" and of "b" in turn.
func drawServers(t *testing.T, r *rand.Rand, broken bool) (*Policy, *sim.View) {
	t.Helper()
	rack := []cluster.Machines{{Count: 3, GPUs: 4, Slots: 1, Type: "a"}, {Count: 2, GPUs: 2, Slots: 1, Type: "b"},
		{Count: 2, GPUs: 4, Slots: 1, Type: "b"}}
	top, err := cluster.New(cluster.Spec{Racks: [][]cluster.Machines{rack}})
	if err != nil {
		t.Fatal(err)
	}
	var js []sim.Job
	for i := range 12 {
		js = append(js, sim.Job{ID: fmt.Sprint(i), GPUs: int32(i/3 + 1), GPUType: []string{"", "a", "b"}[i%3],
			Work: sim.Second})
	}
	w, err := sim.NewWorkload("servers", js)
	if err != nil {
		t.Fatal(err)
	}
	e, err := sim.New(sim.Config{Workload: w, Topology: top, Speed: simtest.Counting{}})
	if err != nil {
		t.Fatal(err)
	}
	v, _, err := e.Next()
	if err != nil {
		t.Fatal(err)
	}
	p := policy(t, New, "")().(*Policy)
	p.init(v)
	for j := range sim.JobID(v.NumJobs()) {
		p.wide.Note(v, j)
	}
	for m := range p.fleet.servers {
		s := &p.fleet.servers[m]
		if broken && r.IntN(2) == 0 {
			s.up = r.Int32N(s.size + 1)
			p.broken = p.broken || s.up < s.size
		}
		if r.IntN(3) > 0 {
			p.fleet.assign(int32(m), 1+r.Int32N(4))
			p.fleet.add(int32(m), 1+r.Int32N(5))
		}
		p.fleet.rank(int32(m))
	}
	return p, v
}

// candidates are the servers that could hold a job: of its type, with GPUs enough that are up.
func candidates(p *Policy, v *sim.View, j sim.JobID) (ms []int32) {
	for m := range p.fleet.servers {
		if typ := v.Job(j).GPUType(); p.fleet.servers[m].up >= int32(v.Job(j).GPUs()) &&
			(typ == "" || v.Topology().Type(m) == typ) {
			ms = append(ms, int32(m))
		}
	}
	return ms
}

// classOf is the place of a server in the order of the package comment, (a) to (d).
func classOf(p *Policy, m, gpus int32) int {
	s := &p.fleet.servers[m]
	own, room := p.fleet.groups[s.group].affinity, s.slack() >= gpus
	switch {
	case room && own == gpus:
		return 0
	case room && own == 0:
		return 1
	case room:
		return 2
	case own == gpus:
		return 3
	}
	return 4
}

// firstOf is the first candidate by class, then most slack, then number; without classes by slack
// and number.
func firstOf(p *Policy, ms []int32, gpus int32, classes bool) int32 {
	best := int32(-1)
	for _, m := range ms { // ascending: the first of equals stays
		if best < 0 {
			best = m
			continue
		}
		a, b := 0, 0
		if classes {
			a, b = classOf(p, m, gpus), classOf(p, best, gpus)
		}
		if a < b || a == b && p.fleet.servers[m].slack() > p.fleet.servers[best].slack() {
			best = m
		}
	}
	return best
}

// choose finds what a look at all servers finds. While GPUs are down it finds a server wherever
// there is one, and search the one with most slack, the lowest of equals.
func TestChooseLooksAtAll(t *testing.T) {
	ties, last := 0, 0
	for seed := range uint64(1600) {
		r := rng.Source{Seed: seed}.Stream("choose").Rand
		p, v := drawServers(t, r, seed%2 == 1)
		for j := range sim.JobID(v.NumJobs()) {
			ms, g := candidates(p, v, j), int32(v.Job(j).GPUs())
			got, want := p.choose(v, j), firstOf(p, ms, g, true)
			switch {
			case !p.broken && got != want:
				t.Fatalf("seed %d: job %d goes to server %d, expected %d", seed, j, got, want)
			case p.broken && (got < 0) != (want < 0) || got >= 0 && !slices.Contains(ms, got):
				t.Fatalf("seed %d: job %d goes to server %d of %v", seed, j, got, ms)
			}
			if got, want := p.search(g, v.Job(j).GPUType()), firstOf(p, ms, g, false); got != want {
				t.Fatalf("seed %d: the search of %d GPUs of %q finds server %d, expected %d of %v", seed, g,
					v.Job(j).GPUType(), got, want, ms)
			} else if got >= 0 {
				for _, m := range ms {
					if m != got && p.fleet.servers[m].slack() == p.fleet.servers[got].slack() {
						ties++
						break
					}
				}
			}
			if p.broken && want >= 0 && !p.onTop(ms) {
				last++
			}
		}
	}
	if ties < 500 || last < 15 {
		t.Errorf("%d ties, %d cases for the search: the cases are too easy", ties, last)
	}
}

// onTop reports whether one of the servers is the first of its group.
func (p *Policy) onTop(ms []int32) bool {
	return slices.ContainsFunc(ms, func(m int32) bool {
		return top(
			&p.fleet.groups[p.fleet.servers[m].group].heap) == m
	})
}

// A job that no host can carry as a whole is spread over several; one that a host cannot carry now
// waits for it, and one behind it that fits goes first. Three servers of 2 GPUs with 1000 of CPU
// and 100 MiB each.
func TestHostsBind(t *testing.T) {
	ask := func(submit float64, gpus int32, run float64, cpu, mem int32) sim.Job {
		j := job(submit, gpus, run)
		j.CPUMilli, j.MemMiB = cpu, mem
		return j
	}
	for _, c := range []struct {
		name, settings string
		jobs           []sim.Job
		want           []string
	}{
		{"spread for CPU", "quantum=10", []sim.Job{ask(0, 2, 20, 600, 0)}, []string{"0 on [0 2] 0s-20s finish"}},
		{"spread for memory", "quantum=10", []sim.Job{ask(0, 2, 20, 0, 51)}, []string{"0 on [0 2] 0s-20s finish"}},
		{"together when they fit", "quantum=10", []sim.Job{ask(0, 2, 20, 500, 50)},
			[]string{"0 on [0 1] 0s-20s finish"}},
		// Jobs 3 and 4 are at home on the first server, which has a GPU and too little CPU for job
		// 3; job 4, behind it, fits.
		{"who fits goes first", "quantum=inf,migrate=false",
			[]sim.Job{ask(0, 1, 20, 700, 0), job(0, 2, 50), job(0, 2, 50), ask(1, 1, 20, 400, 0), ask(2, 1, 5, 0, 0)},
			[]string{"4 on [1] 2s-7s finish", "0 on [0] 0s-20s finish", "3 on [0] 20s-40s finish",
				"1 on [2 3] 0s-50s finish", "2 on [4 5] 0s-50s finish"}},
		// Job 3 needs a host of its own for each of its GPUs: it has no turn that could be
		// promised, and starts when all are there. Job 4, wide too and behind it, gets its turn.
		{"no promise for hosts", "quantum=10", []sim.Job{job(0, 2, 45), job(0, 2, 45), job(0, 2, 45),
			ask(1, 3, 10, 600, 0), job(2, 4, 10)},
			[]string{"0 on [0 1] 0s-20s preempt", "1 on [2 3] 0s-20s preempt", "4 on [0 1 2 3] 20s-30s finish",
				"2 on [4 5] 0s-45s finish",
				"0 on [0 1] 30s-55s finish", "1 on [2 3] 30s-55s finish", "3 on [0 2 4] 55s-65s finish"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			for i := range c.jobs {
				c.jobs[i].ID = fmt.Sprint(i)
			}
			w, err := sim.NewWorkload("hosts", c.jobs)
			if err != nil {
				t.Fatal(err)
			}
			spec := cluster.Spec{Racks: [][]cluster.Machines{{{Count: 3, GPUs: 2, Slots: 1, CPUMilli: 1000,
				MemMiB: 100}}}}
			top, err := cluster.New(spec)
			if err != nil {
				t.Fatal(err)
			}
			var got simtest.Tape
			cfg := sim.Config{Workload: w, Topology: top, Speed: simtest.Counting{}, Check: true}
			if _, err := sim.Run(context.Background(), cfg, policy(t, New, c.settings)(), &got); err != nil {
				t.Fatal(err)
			}
			if !slices.Equal(got.Lines, c.want) {
				t.Errorf("got\n%q\nwant\n%q", got.Lines, c.want)
			}
		})
	}
}
