package synergy

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"tarry/internal/effort"
	"tarry/sim"
	"tarry/sim/cluster"
)

// cases is how many rounds are drawn: n, or 100 000 in the long form of tests.
func cases(t testing.TB, n int) int { return effort.Of(t, n, 100_000) }

// drawn is a matrix as profiles have them: the throughput of min(1, CPU / need, 1 / missing
// memory), over that at the part, or any numbers that rise with both.
func drawn(r *rand.Rand, fair, most cell, near float64) *matrix {
	m := &matrix{cells: []cell{fair}}
	for _, c := range points(fair.cpu, most.cpu, 9) {
		for _, g := range points(fair.mem, most.mem, 8) {
			if (cell{c, g}) != fair {
				m.cells = append(m.cells, cell{c, g})
			}
		}
	}
	cpu, mem := float64(fair.cpu)*(0.1+4*r.Float64()*r.Float64()), float64(fair.mem)*(0.1+3*r.Float64()*r.Float64())
	both := r.IntN(2) == 0
	for _, c := range m.cells {
		x, y := min(1, float64(c.cpu)/cpu), min(1, 0.3+0.7*float64(c.mem)/mem)
		if both {
			m.value = append(m.value, 0.01+x*y) // not the least of two
		} else {
			m.value = append(m.value, min(x, y))
		}
	}
	m.digest(near)
	return m
}

// round is a drawn round: machines, of which some GPUs are not free, and jobs that fit by number.
func round(t testing.TB, r *rand.Rand, machines, gpus, jobs int) *packer {
	t.Helper()
	slots := 1
	if gpus%2 == 0 {
		slots += r.IntN(2)
	}
	per := cell{int32(1000 * (1 + r.IntN(4))), int32(1024 * (1 + r.IntN(8)))}
	spec := cluster.Uniform(1+r.IntN(2), machines, gpus, slots)
	for i := range spec.Racks {
		for n := range spec.Racks[i] {
			spec.Racks[i][n].CPUMilli, spec.Racks[i][n].MemMiB = int64(per.cpu)*int64(gpus)+int64(r.IntN(1000)),
				int64(per.mem)*int64(gpus)
		}
	}
	top, err := cluster.New(spec)
	if err != nil {
		t.Fatal(err)
	}
	k, free := &packer{}, cluster.NewFree(top)
	for g := range cluster.GPU(top.GPUs()) {
		if r.IntN(12) == 0 {
			free.Take(g)
		}
	}
	free.Commit()
	k.top, k.free = top, free
	left := free.Total()
	for i := 0; i < jobs && left > 0; i++ {
		n := 1
		for n*2 <= left && r.IntN(2) == 0 {
			n *= 2
		}
		if left -= n; r.IntN(8) == 0 && left > 0 {
			n, left = n+1, left-1
		}
		on := int64(min(n, gpus))
		most := cell{int32(int64(per.cpu) * int64(gpus) / on), int32(int64(per.mem) * int64(gpus) / on)}
		k.list = append(k.list, entryOf(sim.JobID(i), int32(n), drawn(r, per, most, 0.5+0.5*r.Float64())))
	}
	k.open(free)
	return k
}

func entryOf(id sim.JobID, n int32, m *matrix) entry {
	return entry{job: id, m: m, gpus: n, fair: m.fair(), want: m.cells[m.want], best: m.value[m.want]}
}

// check holds what each plan must: no GPU twice, none that is not free, no machine over what it
// has, no job below its part.
func check(t *testing.T, k *packer, what string) {
	t.Helper()
	cpu, mem := make([]int64, k.top.Machines()), make([]int64, k.top.Machines())
	used := map[cluster.GPU]bool{}
	for i := range k.list {
		e := &k.list[i]
		if e.got == nil {
			continue
		}
		if len(e.got) != int(e.gpus) || !slices.IsSorted(e.got) || e.value < 1-1e-12 {
			t.Fatalf("%s: job %d has %v of %d GPUs and does %v of its part", what, e.job, e.got, e.gpus, e.value)
		}
		for _, g := range e.got {
			if used[g] || k.free.Has(g) {
				t.Fatalf("%s: GPU %d is given out twice, or free", what, g)
			}
			used[g] = true
			cpu[k.top.Machine(g)] += int64(e.has.cpu)
			mem[k.top.Machine(g)] += int64(e.has.mem)
		}
	}
	for m := range cpu {
		if cpu[m] > k.top.CPUMilli(m) || mem[m] > k.top.MemMiB(m) || k.cpu[m] != k.top.CPUMilli(m)-cpu[m] ||
			k.mem[m] != k.top.MemMiB(m)-mem[m] {
			t.Fatalf("%s: machine %d gives out %d of %d CPU and %d of %d memory, by the books %d and %d are left",
				what, m, cpu[m], k.top.CPUMilli(m), mem[m], k.top.MemMiB(m), k.cpu[m], k.mem[m])
		}
	}
}

// all reports whether every job is placed.
func all(k *packer) bool {
	return !slices.ContainsFunc(k.list, func(e entry) bool { return e.got == nil })
}

// Tune and proportional place every job of a round, and tune does at least as much; jobs may hold
// GPUs of an earlier round.
func TestTuneAlwaysPlaces(t *testing.T) {
	r := rand.New(rand.NewPCG(11, 12))
	cut := 0
	for n := range cases(t, 4000) {
		k := round(t, r, 1+r.IntN(5), 1+r.IntN(8), 1+r.IntN(40))
		k.proportional()
		check(t, k, "proportional")
		if !all(k) || math.Abs(k.sum()-float64(len(k.list))) > 1e-9 {
			t.Fatalf("round %d: proportional places %d of %d jobs that do %v of their parts", n, k.placed, len(k.list),
				k.sum())
		}
		for i := range k.list {
			if e := &k.list[i]; r.IntN(2) == 0 {
				e.held = slices.Clone(e.got)
			}
		}
		k.free.Rollback(0)
		k.open(k.free)
		k.tune()
		check(t, k, "tune")
		if !all(k) || k.sum() < float64(len(k.list))-1e-9 {
			t.Fatalf("round %d: tune places %d of %d jobs that do %v of their parts", n, k.placed, len(k.list), k.sum())
		}
		for i := range k.list {
			if e := &k.list[i]; e.has != e.want {
				cut++
			}
		}
		k.free.Rollback(0)
		k.open(k.free)
		k.greedy()
		check(t, k, "greedy")
	}
	if cut < 1000 {
		t.Errorf("only %d jobs did not get what they want, so that the rounds say nothing", cut)
	}
}

// choices is the most that jobs can do in sum within the CPU and memory of the cluster, by trying
// every cell of each that is no worse than its part.
func choices(list []entry, cpu, mem int64) float64 {
	if cpu < 0 || mem < 0 {
		return math.Inf(-1)
	}
	if len(list) == 0 {
		return 0
	}
	e, best := &list[0], math.Inf(-1)
	for i, c := range e.m.cells {
		if v := e.m.value[i]; v >= 1 {
			best = max(best, v+choices(list[1:], cpu-int64(e.gpus)*int64(c.cpu), mem-int64(e.gpus)*int64(c.mem)))
		}
	}
	return best
}

// places is the most that they can do in sum on machines, by trying every cell of each on every
// split of its GPUs over two machines.
func places(list []entry, gpus [2]int, cpu, mem [2]int64) float64 {
	if len(list) == 0 {
		return 0
	}
	e, best := &list[0], math.Inf(-1)
	for a := range int(e.gpus) + 1 {
		b := int(e.gpus) - a
		if a > gpus[0] || b > gpus[1] {
			continue
		}
		for i, c := range e.m.cells {
			v := e.m.value[i]
			lc := [2]int64{cpu[0] - int64(a)*int64(c.cpu), cpu[1] - int64(b)*int64(c.cpu)}
			lm := [2]int64{mem[0] - int64(a)*int64(c.mem), mem[1] - int64(b)*int64(c.mem)}
			if v < 1 || lc[0] < 0 || lc[1] < 0 || lm[0] < 0 || lm[1] < 0 {
				continue
			}
			best = max(best, v+places(list[1:], [2]int{gpus[0] - a, gpus[1] - b}, lc, lm))
		}
	}
	return best
}

// In sums of throughputs over those at the parts: opt's choice is the best within the sums of the
// cluster, by trial of every choice; it bounds the best placement on two machines, by trial of
// every one, which bounds what opt places; this is at least what tune places, and that at least
// what proportional does.
func TestOptTuneProportional(t *testing.T) {
	r := rand.New(rand.NewPCG(13, 14))
	var gained, short, below [2]float64
	for n := range cases(t, 2000) {
		k := small(t, r)
		c := &chooser{}
		chosen, exact, ok := c.choose(k, 100000)
		cpu, mem := k.top.CPUMilli(0)+k.top.CPUMilli(1), k.top.MemMiB(0)+k.top.MemMiB(1)
		if want := choices(k.list, cpu, mem); !ok || !exact || math.Abs(chosen-want) > 1e-6*want {
			t.Fatalf("round %d: opt chooses %v (exact %v), the best is %v", n, chosen, exact, want)
		}
		for i := range k.list {
			e := &k.list[i]
			e.want, e.best = e.m.cells[e.m.want], e.m.value[e.m.want]
		}
		best := places(k.list, [2]int{4, 4}, [2]int64{k.top.CPUMilli(0), k.top.CPUMilli(1)},
			[2]int64{k.top.MemMiB(0), k.top.MemMiB(1)})
		sums := map[string]float64{}
		for what, run := range map[string]func(){"proportional": k.proportional, "tune": k.tune,
			"opt": func() { c.opt(k, 100000) }} {
			own := slices.Clone(k.list)
			k.free.Rollback(0)
			k.open(k.free)
			run()
			if what != "opt" {
				check(t, k, what)
			}
			if !all(k) {
				t.Fatalf("round %d: %s places %d of %d", n, what, k.placed, len(k.list))
			}
			sums[what] = k.sum()
			k.list = own
		}
		const bit = 1e-9
		if !(chosen >= best-1e-6 && best >= sums["opt"]-bit && sums["opt"] >= sums["tune"]-bit &&
			sums["tune"] >= sums["proportional"]-bit) {
			t.Fatalf("round %d: chosen %v, best placed %v, opt %v, tune %v, proportional %v", n, chosen, best,
				sums["opt"], sums["tune"], sums["proportional"])
		}
		gained[0], gained[1] = gained[0]+sums["opt"], gained[1]+sums["proportional"]
		short[0], short[1] = short[0]+best, short[1]+chosen
		below[0], below[1] = below[0]+sums["tune"], below[1]+1
	}
	t.Logf("over proportional: chosen %.4f, best placed %.4f, opt %.4f, tune %.4f", short[1]/gained[1],
		short[0]/gained[1], gained[0]/gained[1], below[0]/gained[1])
}

// small is two machines of 4 GPUs and at most 4 jobs with few cells.
func small(t *testing.T, r *rand.Rand) *packer {
	per := cell{int32(1000 * (1 + r.IntN(3))), 3072}
	spec := cluster.Uniform(1, 2, 4, 1)
	spec.Racks[0][0].CPUMilli, spec.Racks[0][0].MemMiB = int64(per.cpu)*4, int64(per.mem)*4
	top, err := cluster.New(spec)
	if err != nil {
		t.Fatal(err)
	}
	k := &packer{top: top, free: cluster.NewFree(top)}
	for i, left := 0, 8; i < 4 && left > 0; i++ {
		n := 1 + r.IntN(min(left, 4))
		left -= n
		m := drawn(r, per, cell{per.cpu * 4 / int32(n), per.mem * 4 / int32(n)}, 1)
		few := &matrix{cells: m.cells[:1:1], value: m.value[:1:1]}
		for _, at := range r.Perm(len(m.cells) - 1)[:min(6, len(m.cells)-1)] {
			few.cells, few.value = append(few.cells, m.cells[1+at]), append(few.value, m.value[1+at])
		}
		few.digest(1)
		k.list = append(k.list, entryOf(sim.JobID(i), int32(n), few))
	}
	k.open(k.free)
	return k
}

// Nothing is allocated once warm.
func TestRoundsAllocateNothing(t *testing.T) {
	r := rand.New(rand.NewPCG(15, 16))
	k, c := round(t, r, 4, 8, 40), &chooser{}
	for what, run := range map[string]func(){"tune": k.tune, "greedy": k.greedy, "proportional": k.proportional,
		"opt": func() { c.opt(k, 50) }} {
		step := func() {
			k.free.Rollback(0)
			k.arena = k.arena[:0]
			k.open(k.free)
			run()
		}
		step()
		if n := testing.AllocsPerRun(20, step); n > 0 {
			t.Errorf("%s: %v allocations", what, n)
		}
	}
}

func BenchmarkRound(b *testing.B) {
	for _, what := range []string{"tune", "opt"} {
		b.Run(what, func(b *testing.B) {
			k, c := round(b, rand.New(rand.NewPCG(17, 18)), 8, 8, 128), &chooser{}
			b.ReportAllocs()
			for b.Loop() {
				k.free.Rollback(0)
				k.arena = k.arena[:0]
				k.open(k.free)
				if what == "opt" {
					c.opt(k, 2000)
				} else {
					k.tune()
				}
			}
		})
	}
}
