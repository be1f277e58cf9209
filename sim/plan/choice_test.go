package plan_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"tarry/sim"
	"tarry/sim/cluster"
	"tarry/sim/plan"
)

// littered is a stage on a cluster of 1 to 3 racks with 1 to 3 machines of 1 to 4 GPUs each, some
// of which one job each holds. Hosts have room for everything.
func littered(t *testing.T, r *rand.Rand) *stage {
	t.Helper()
	spec, n := cluster.Spec{}, 0
	for range 1 + r.IntN(3) {
		var rack []cluster.Machines
		for range 1 + r.IntN(3) {
			g := 1 + r.IntN(4)
			rack = append(rack, cluster.Machines{Count: 1, GPUs: g, Slots: 1, CPUMilli: 1 << 20, MemMiB: 1 << 20})
			n += g
		}
		spec.Racks = append(spec.Racks, rack)
	}
	var ds []sim.Decision
	jobs := []sim.Job{{GPUs: 1}}
	for g := range cluster.GPU(n) {
		if r.IntN(3) == 0 {
			ds = append(ds, start(sim.JobID(len(jobs)), g))
			jobs = append(jobs, sim.Job{GPUs: 1})
		}
	}
	s := set(t, sim.Config{}, spec, jobs...)
	s.do(ds...)
	return s
}

// perMachine counts GPUs by machine.
func perMachine(t *cluster.Topology, gpus []cluster.GPU) map[int]int {
	on := map[int]int{}
	for _, g := range gpus {
		on[t.Machine(g)]++
	}
	return on
}

// frees lists the free GPUs.
func frees(v *sim.View) (gpus []cluster.GPU) {
	for g := range cluster.GPU(v.Topology().GPUs()) {
		if v.Free().Has(g) {
			gpus = append(gpus, g)
		}
	}
	return gpus
}

// scattered is the twin of Scatter: GPU by GPU from the machine with most left, each machine once
// before any twice.
func scattered(on map[int]int, n int) (counts []int) {
	took := map[int]int{}
	for range n {
		best := -1
		for m, free := range on {
			if free > took[m] && (best < 0 || took[m] < took[best]) {
				best = m
			}
		}
		took[best]++
	}
	for _, k := range took {
		counts = append(counts, k)
	}
	slices.Sort(counts)
	return counts
}

// leftovers is the twin of Fragments: machine by machine from the one with fewest free.
func leftovers(on map[int]int, n int) (counts []int) {
	for _, free := range on {
		counts = append(counts, free)
	}
	slices.Sort(counts)
	for i, free := range counts {
		if n <= free {
			counts[i] = n
			return slices.Sorted(slices.Values(counts[:i+1]))
		}
		n -= free
	}
	return nil
}

func countsOf(on map[int]int) (c []int) {
	for _, k := range on {
		c = append(c, k)
	}
	slices.Sort(c)
	return c
}

// Each way to place gives as many GPUs as are asked for, free ones, ascending, and on as many
// machines as its twin; it gives none exactly when there are none, and takes then nothing.
func TestWaysToPlaceAreTheirTwins(t *testing.T) {
	given := 0
	for seed := range uint64(400) {
		r := rand.New(rand.NewPCG(seed, 81))
		s := littered(t, r)
		v, top := s.v, s.v.Topology()
		p := plan.NewPlacer(cluster.BestFit)
		d := &plan.Demand{GPUs: int32(1 + r.IntN(8)), ShareMilli: 1000}
		n := int(d.GPUs)
		p.Begin(v)
		had := frees(v)
		on := perMachine(top, had)
		limit := cluster.Level(r.IntN(int(cluster.LevelCluster) + 1))
		order := r.Perm(top.Machines())[:1+r.IntN(top.Machines())]
		machines, room := []int32{}, 0
		for _, m := range order {
			machines = append(machines, int32(m))
			room += on[m]
		}
		level, can := finest(v, d)
		for name, c := range map[string]struct {
			place func() ([]cluster.GPU, bool)
			ok    bool
			want  []int // GPUs by machine, sorted; nil = not compared
		}{
			"place": {func() ([]cluster.GPU, bool) { return p.Place(v, d) }, can, nil},
			"within": {func() ([]cluster.GPU, bool) { return p.PlaceWithin(v, d, limit) }, can && level <= limit,
				nil},
			"scatter":   {func() ([]cluster.GPU, bool) { return p.Scatter(v, d) }, n <= len(had), nil},
			"fragments": {func() ([]cluster.GPU, bool) { return p.Fragments(v, d) }, n <= len(had), leftovers(on, n)},
			"on":        {func() ([]cluster.GPU, bool) { return p.On(v, d, machines...) }, n <= room, nil},
		} {
			p.Begin(v)
			if name == "scatter" && c.ok {
				c.want = scattered(on, n)
			}
			gpus, ok := c.place()
			where := fmt.Sprintf("seed %d, %s %d of %v (limit %v, machines %v)", seed, name, n, had, limit, order)
			if name == "within" && limit < cluster.LevelMachine {
				c.ok = ok // a machine's slot and the machine are one here: only what it gives is checked
			}
			if ok != c.ok || ok && (len(gpus) != n || !slices.IsSorted(gpus)) {
				t.Fatalf("%s: %v (%v), expected %v", where, gpus, ok, c.ok)
			}
			if got := countsOf(perMachine(top, gpus)); ok && c.want != nil && !slices.Equal(got, c.want) {
				t.Fatalf("%s: %v GPUs by machine, expected %v", where, got, c.want)
			}
			if name == "within" && ok && top.LevelOf(gpus) > limit {
				t.Fatalf("%s: %v lies at %v", where, gpus, top.LevelOf(gpus))
			}
			if rest := slices.DeleteFunc(slices.Clone(had), func(g cluster.GPU) bool {
				return slices.Contains(gpus,
					g)
			}); !slices.Equal(frees(v), rest) || len(rest) != len(had)-len(gpus) {
				t.Fatalf("%s: %v given and %v free, expected %v", where, gpus, frees(v), rest)
			}
			given += len(gpus)
		}
		p.Begin(v)
		if l, ok := p.Available(v, d, cluster.LevelMachine); ok != can || ok && l != max(level, cluster.LevelMachine) {
			t.Fatalf("seed %d: %d of %v are available at %v (%v), expected %v (%v)", seed, n, had, l, ok, level, can)
		}
	}
	if given < 4000 {
		t.Errorf("only %d GPUs given: the cases are too easy", given)
	}
}

// A demand for CPU and memory that never binds changes no choice.
func TestHostsThatDoNotBindChangeNothing(t *testing.T) {
	for seed := range uint64(300) {
		r := rand.New(rand.NewPCG(seed, 91))
		v := littered(t, r).v
		rule := cluster.Rule(r.IntN(2))
		p := plan.NewPlacer(rule)
		plain := plan.Demand{GPUs: int32(1 + r.IntN(6)), ShareMilli: 1000}
		asks := plain
		asks.CPUMilli, asks.MemMiB = int32(r.IntN(9)), int32(r.IntN(9))
		for i, place := range []func(d *plan.Demand) ([]cluster.GPU, bool){
			func(d *plan.Demand) ([]cluster.GPU, bool) { return p.Place(v, d) },
			func(d *plan.Demand) ([]cluster.GPU, bool) { return p.Consolidate(v, d) },
			func(d *plan.Demand) ([]cluster.GPU, bool) { return p.Scatter(v, d) },
			func(d *plan.Demand) ([]cluster.GPU, bool) { return p.Fragments(v, d) },
		} {
			p.Begin(v)
			want, can := place(&plain)
			want = slices.Clone(want)
			p.Begin(v)
			if got, ok := place(&asks); ok != can || !slices.Equal(got, want) {
				t.Fatalf("seed %d, way %d: %v (%v) with hosts, %v (%v) without", seed, i, got, ok, want, can)
			}
		}
	}
}

// Whatever a decision gives out and takes back, Begin forgets it: the same GPUs are free, and the
// same choices come again.
func TestBeginStartsOver(t *testing.T) {
	moved := 0
	for seed := range uint64(200) {
		r := rand.New(rand.NewPCG(seed, 101))
		s := littered(t, r)
		v, p, q := s.v, plan.NewPlacer(cluster.BestFit), &plan.Queue{}
		p.Begin(v)
		had := frees(v)
		tape := func(draws uint64) string {
			r, out := rand.New(rand.NewPCG(seed, draws)), ""
			p.Begin(v)
			vacated := map[sim.JobID]bool{}
			for range 12 {
				d := &plan.Demand{GPUs: int32(1 + r.IntN(3)), ShareMilli: 1000}
				if d.GPUs == 1 {
					d.ShareMilli = int32(1+r.IntN(10)) * 100
				}
				if r.IntN(2) == 0 {
					d.CPUMilli, d.MemMiB = 7, 7
				}
				run := v.Running()
				switch k := r.IntN(4); {
				case k == 0 && len(run) > 0:
					j := run[r.IntN(len(run))]
					if !vacated[j] {
						p.Vacate(v, j, q.Note(v, j))
						if vacated[j] = r.IntN(2) == 0; !vacated[j] {
							p.Keep(v, j, q.Note(v, j))
						}
					}
				case k == 1:
					gpus, ok := p.PlaceWithin(v, d, cluster.LevelMachine)
					out += fmt.Sprint(gpus, ok, ";")
				default:
					gpus, ok := p.Place(v, d)
					out += fmt.Sprint(gpus, ok, ";")
					moved += len(gpus)
				}
			}
			return out
		}
		first := tape(1)
		tape(2) // something else in between
		if again := tape(1); again != first {
			t.Fatalf("seed %d: %s, and the second time %s", seed, first, again)
		}
		if p.Begin(v); !slices.Equal(frees(v), had) {
			t.Fatalf("seed %d: free are %v after Begin, %v before", seed, frees(v), had)
		}
	}
	if moved < 1000 {
		t.Errorf("only %d GPUs were placed", moved)
	}
}
