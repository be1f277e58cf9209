package plan_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"tarry/sim"
	"tarry/sim/cluster"
	"tarry/sim/plan"
	"tarry/sim/simtest"
)

// What a sizer moves to bring jobs together, case by case. Machines have 4 GPUs.
func TestSizerMoves(t *testing.T) {
	flex := sim.Job{GPUs: 2, MinGPUs: 1, MaxGPUs: 16}
	for _, c := range []struct {
		name   string
		from   []sim.Decision
		counts []plan.Count
		want   [4]string // by Moves
	}{
		{"a start that finds no machine", []sim.Decision{start(0, 0, 1, 2), start(1, 4, 5), start(2, 8, 9)},
			[]plan.Count{count(0, 3), count(1, 2), count(2, 2), count(3, 4)},
			[4]string{"start 3 on [6 7 10 11]", "migrate 1 on [10 11], start 3 on [4 5 6 7]",
				"migrate 1 on [10 11], start 3 on [4 5 6 7]", "migrate 2 on [6 7], start 3 on [8 9 10 11]"}},
		{"one that grows goes where there is room", []sim.Decision{start(0, 0, 1), start(1, 2, 3)},
			[]plan.Count{count(0, 3), count(1, 2)},
			[4]string{"resize 0 on [0 1 4]", "resize 0 on [4 5 6]", "resize 0 on [4 5 6]",
				"lift 1, resize 0 on [0 1 2], migrate 1 on [8 9]"}},
		{"one that grows moves its neighbour", []sim.Decision{start(0, 0, 1), start(1, 2), start(2, 4, 5),
			start(3, 8, 9, 10)}, []plan.Count{count(0, 4), count(1, 1), count(2, 2), count(3, 3)},
			[4]string{"resize 0 on [0 1 3 11]", "lift 1, resize 0 on [0 1 2 3], migrate 1 on [11]",
				"lift 1, resize 0 on [0 1 2 3], migrate 1 on [11]",
				"lift 1, resize 0 on [0 1 2 3], migrate 1 on [11]"}},
		{"who is to stay stays", []sim.Decision{start(0, 0, 1, 2), start(1, 4, 5), start(2, 8, 9)},
			[]plan.Count{stays(0, 3), stays(1, 2), stays(2, 2), count(3, 4)},
			[4]string{"start 3 on [6 7 10 11]", "start 3 on [6 7 10 11]", "start 3 on [6 7 10 11]",
				"start 3 on [6 7 10 11]"}},
		{"who is to stay grows where it is", []sim.Decision{start(0, 0, 1), start(1, 2, 3)},
			[]plan.Count{stays(0, 3), stays(1, 2)},
			[4]string{"resize 0 on [0 1 4]", "resize 0 on [0 1 4]", "resize 0 on [0 1 4]", "resize 0 on [0 1 4]"}},
		{"nothing changes", []sim.Decision{start(0, 0, 4), start(1, 1)}, []plan.Count{count(0, 2), count(1, 1)},
			[4]string{}},
	} {
		for m, want := range c.want {
			s := set(t, sim.Config{}, cluster.Uniform(1, 3, 4, 1), flex, flex, flex, flex)
			s.do(c.from...)
			x := plan.NewSizer(cluster.BestFit)
			x.Moves = plan.Moves(m)
			ds := x.Decide(s.v, c.counts, nil)
			if got := fully(ds); got != want {
				t.Errorf("%s, moves %d: %s\nexpected %s", c.name, m, got, want)
			}
			s.do(ds...)
		}
	}
}

func stays(j sim.JobID, n int32) plan.Count {
	c := count(j, n)
	c.Stays = true
	return c
}

// Whatever moves a sizer may make, its decisions are within the rules.
func TestMovingSizerConforms(t *testing.T) {
	for m := plan.MoveSpread; m <= plan.MovePacked; m++ {
		t.Run(fmt.Sprint(m), func(t *testing.T) {
			simtest.Policy(t, func() sim.Policy {
				p := newSizing(0)
				p.sizer.Moves = m
				return p
			}, simtest.Options{Allocates: true, Seeds: 100})
		})
	}
}

// Buddy blocks: where all numbers are powers of two and there are enough GPUs, every job lies on as
// few machines as it needs, whatever came before; and packing everything anew moves more GPUs than
// that, both more than leaving jobs where they are.
func TestBuddyBlocks(t *testing.T) {
	const machines, size, instants = 8, 8, 300
	var moved, spread [4]int
	for m := range moved {
		r := rand.New(rand.NewPCG(7, 1))
		js := make([]sim.Job, 40)
		for i := range js {
			js[i] = sim.Job{GPUs: 1, MaxGPUs: 32, Work: sim.Time(1e6) * sim.Second}
		}
		s := set(t, sim.Config{}, cluster.Uniform(1, machines, size, 1), js...)
		x := plan.NewSizer(cluster.BestFit)
		x.Moves = plan.Moves(m)
		counts := make([]int32, len(js))
		for range instants {
			for range 1 + r.IntN(4) {
				counts[r.IntN(len(js))] = int32(r.IntN(2)) << r.IntN(6)
			}
			var cs []plan.Count
			left := int32(machines * size)
			for _, i := range r.Perm(len(js)) {
				if n := counts[i]; n > 0 && n <= left {
					left -= n
					cs = append(cs, count(sim.JobID(i), n))
				}
			}
			slices.SortStableFunc(cs, func(a, b plan.Count) int { return int(b.GPUs - a.GPUs) })
			before := map[sim.JobID][]cluster.GPU{}
			for _, j := range s.v.Running() {
				before[j] = slices.Clone(s.v.Run(j).Held())
			}
			s.do(x.Decide(s.v, cs, nil)...)
			if len(x.Late()) > 0 {
				t.Fatalf("moves %d: %v are late", m, x.Late())
			}
			for _, c := range cs {
				held, was := s.v.Run(c.Job).Held(), before[c.Job]
				if len(s.v.Topology().ShapeOf(nil, held)) > max(1, len(held)/size) {
					spread[m]++
				}
				if len(was) == len(held) && !slices.Equal(was, held) {
					moved[m]++
				}
			}
		}
	}
	t.Logf("jobs moved that kept their number %v, jobs spread %v", moved, spread)
	if moved[plan.MoveNever] != 0 || spread[plan.MoveBuddy] != 0 || spread[plan.MovePacked] != 0 ||
		spread[plan.MoveSpread] > spread[plan.MoveNever]/4 || moved[plan.MoveBuddy] >= moved[plan.MovePacked] {
		t.Errorf("jobs moved that kept their number %v, jobs spread %v", moved, spread)
	}
}

// crowded draws jobs on a small cluster, each on one machine: their GPUs, and their numbers by
// machine.
func crowded(t *testing.T, r *rand.Rand, machines, size int) (*stage, []sim.Decision) {
	var js []sim.Job
	var ds []sim.Decision
	for m := range machines {
		for g := 0; g < size; {
			n := 1 + r.IntN(2)
			if n = min(n, size-g); r.IntN(5) < 3 {
				var gpus []cluster.GPU
				for k := range n {
					gpus = append(gpus, cluster.GPU(m*size+g+k))
				}
				ds = append(ds, start(sim.JobID(len(js)), gpus...))
				js = append(js, sim.Job{GPUs: int32(n), Work: 1000 * sim.Second})
			}
			g += n
		}
	}
	js = append(js, sim.Job{GPUs: 1, MaxGPUs: int32(size), Work: 1000 * sim.Second})
	s := set(t, sim.Config{}, cluster.Uniform(1, machines, size, 1), js...)
	s.do(ds...)
	return s, ds
}

// fewestMoves tries all ways to put jobs of these sizes, each on one machine, beside a job of n
// GPUs on one machine: how many of them change machines at least; -1 = there is no way.
func fewestMoves(sizes, on []int, n, machines, size int) int {
	best := -1
	var try func(k, moves int, left []int)
	try = func(k, moves int, left []int) {
		if best >= 0 && moves >= best {
			return
		}
		if k == len(sizes) {
			if slices.Max(left) >= n {
				best = moves
			}
			return
		}
		for m := range machines {
			if left[m] < sizes[k] {
				continue
			}
			left[m] -= sizes[k]
			more := 0
			if m != on[k] {
				more = 1
			}
			try(k+1, moves+more, left)
			left[m] += sizes[k]
		}
	}
	left := make([]int, machines)
	for m := range left {
		left[m] = size
	}
	try(0, 0, left)
	return best
}

// Against all ways to make room: none is made with fewer moves, one move is found wherever it is
// enough, and where there is a way at all the job is spread only when it needs two or more. Buddy
// finds one wherever packing does.
func TestFewestMoves(t *testing.T) {
	const machines, size = 3, 4
	seen := [6]int{}
	for seed := range uint64(400) {
		r := rand.New(rand.NewPCG(seed, 2))
		s, ds := crowded(t, r, machines, size)
		free := s.v.Free().Total()
		if free < 2 {
			continue
		}
		n := 2 + r.IntN(min(free, size)-1)
		var sizes, on []int
		var cs []plan.Count
		for _, d := range ds {
			sizes, on = append(sizes, len(d.GPUs)), append(on, s.v.Topology().Machine(d.GPUs[0]))
			cs = append(cs, count(d.Job, int32(len(d.GPUs))))
		}
		want := fewestMoves(sizes, on, n, machines, size)
		for _, m := range []plan.Moves{plan.MoveSpread, plan.MoveBuddy} {
			x := plan.NewSizer(cluster.BestFit)
			x.Moves = m
			out := x.Decide(s.v, append(cs, count(sim.JobID(len(ds)), int32(n))), nil)
			moves, spread := len(ofKind(out, sim.Migrate)), len(s.v.Topology().ShapeOf(nil, out[len(out)-1].GPUs)) > 1
			ok := spread && moves == 0 || !spread && moves >= want
			if want <= 1 {
				ok = spread == (want < 0) && moves == max(want, 0)
			}
			if !ok {
				t.Errorf("seed %d, moves %d: %d jobs moved for %d GPUs, spread %v, and %d are enough: %s", seed, m,
					moves, n, spread, want, fully(out))
			}
			if !spread && m == plan.MoveSpread {
				seen[min(moves, 5)]++
			}
		}
	}
	if seen[1] < 20 {
		t.Errorf("cases by moves: %v", seen)
	}
	t.Logf("cases by moves: %v", seen)
}

// Against all subsets and supersets: a job that shrinks keeps the nearest GPUs on the fewest
// machines; one that grows stays within as fine a unit as it can, and within a rack on as few
// machines.
func TestFewestMachines(t *testing.T) {
	spec := cluster.Uniform(2, 3, 2, 1)
	for seed := range uint64(600) {
		r := rand.New(rand.NewPCG(seed, 3))
		perm, k := r.Perm(12), 1+r.IntN(7)
		var held, free []cluster.GPU
		js, ds := []sim.Job{{GPUs: 1, MaxGPUs: 12}}, []sim.Decision{}
		for i, g := range perm {
			switch g := cluster.GPU(g); {
			case i < k:
				held = append(held, g)
			case r.IntN(2) == 0:
				free = append(free, g)
			default:
				ds = append(ds, start(sim.JobID(len(js)), g))
				js = append(js, sim.Job{GPUs: 1})
			}
		}
		slices.Sort(held)
		s := set(t, sim.Config{}, spec, js...)
		s.do(append(ds, start(0, held...))...)
		top := s.v.Topology()
		n := 1 + r.IntN(k+len(free))
		cs := []plan.Count{count(0, int32(n))}
		for _, d := range ds {
			cs = append(cs, count(d.Job, 1))
		}
		out := plan.NewSizer(cluster.BestFit).Decide(s.v, cs, nil)
		if n == k {
			if len(out) > 0 {
				t.Errorf("seed %d: %s", seed, fully(out))
			}
			continue
		}
		rank := func(gpus []cluster.GPU) int {
			if l := top.LevelOf(gpus); l < cluster.LevelCluster || n < k {
				return int(l)*100 + len(top.ShapeOf(nil, gpus))
			}
			return int(cluster.LevelCluster) * 100
		}
		best, from := 1<<20, append([]cluster.GPU(nil), held...)
		if n > k {
			from = append(from, free...)
		}
		for set := range 1 << len(from) {
			var gpus []cluster.GPU
			for i, g := range from {
				if set>>i&1 != 0 {
					gpus = append(gpus, g)
				}
			}
			if len(gpus) == n && (n < k || set&(1<<k-1) == 1<<k-1) {
				slices.Sort(gpus)
				best = min(best, rank(gpus))
			}
		}
		if got := out[len(out)-1].GPUs; rank(got) != best {
			t.Errorf("seed %d: %v of %v and %v free: rank %d, the best is %d", seed, got, held, free, rank(got), best)
		}
	}
}
