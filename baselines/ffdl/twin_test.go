package ffdl

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

// node is a machine as Kubernetes has it.
type node struct{ gpus, cpu, mem, usedGPUs, usedCPU, usedMem int64 }

func (n *node) fits(gpus, cpu, mem int64) bool {
	return n.usedGPUs+gpus <= n.gpus && (n.cpu == 0 || n.usedCPU+cpu <= n.cpu) && (n.mem == 0 || n.usedMem+mem <= n.mem)
}

// add places a pod, or with sign -1 takes it away.
func (n *node) add(gpus, cpu, mem, sign int64) {
	n.usedGPUs += sign * gpus
	n.usedCPU += sign * cpu
	n.usedMem += sign * mem
}

// points is the score as the scorers of kube-scheduler have it: least is ((capacity - requested) * 100)
// / capacity, most (requested * 100) / capacity, with equal weights, of the pods on the node.
func (n *node) points(spread bool) int64 {
	sum, weights := int64(0), int64(0)
	for _, r := range [][2]int64{{n.usedGPUs, n.gpus}, {n.usedCPU, n.cpu}, {n.usedMem, n.mem}} {
		requested, capacity := r[0], r[1]
		if capacity == 0 {
			continue
		}
		weights++
		if spread {
			sum += ((capacity - requested) * 100) / capacity
		} else {
			sum += (requested * 100) / capacity
		}
	}
	return sum / weights
}

// kube follows a policy: at each decision it places the pods of what starts itself, GPU by GPU on
// its own books, and expects the same machines; of the admitted jobs that do not start it expects
// that the gang fits nowhere.
type kube struct {
	*Policy
	t      *testing.T
	points func(n *node) int64
	starts *int
}

func (k kube) Decide(v *sim.View, out []sim.Decision) []sim.Decision {
	nodes := make([]node, v.Topology().Machines())
	for m := range nodes {
		n := &nodes[m]
		n.cpu, n.mem = v.Topology().CPUMilli(m), v.Topology().MemMiB(m)
		n.usedCPU, n.usedMem = v.HostUsed(m)
		for g, hi := v.Topology().MachineGPUs(m); g < hi; g++ {
			if v.Up(g) {
				n.gpus++
				if v.Share(g) > 0 {
					n.usedGPUs++
				}
			}
		}
	}
	out = k.Policy.Decide(v, out)
	for _, d := range out {
		if d.Kind != sim.Start {
			continue
		}
		*k.starts++
		got := make([]int32, len(nodes))
		for _, g := range d.GPUs {
			got[v.Topology().Machine(g)]++
		}
		if want := k.place(v, nodes, d.Job); !slices.Equal(got, want) {
			k.t.Fatalf("at %v job %d has %v GPUs of the machines, want %v", v.Now(), d.Job, got, want)
		}
	}
	for i := range k.shapes {
		s := &k.shapes[i]
		if s.head < len(s.jobs) && k.place(v, slices.Clone(nodes), s.jobs[s.head]) != nil {
			k.t.Fatalf("at %v job %d waits and fits", v.Now(), s.jobs[s.head])
		}
	}
	return out
}

// place gives the GPUs of each machine for a job, pod by pod, and books them; nil if a pod has no
// node.
func (k kube) place(v *sim.View, nodes []node, j sim.JobID) []int32 {
	a, s := v.Job(j).Public(), &k.shapes[k.jobs[j].shape]
	g := int64(s.pod)
	cpu, mem := g*int64(a.CPUMilli), g*int64(a.MemMiB)
	got := make([]int32, len(nodes))
	for range int64(s.GPUs) / g {
		best, most := -1, int64(-1)
		for m := range nodes {
			if n := &nodes[m]; typed(v.Topology(), m, a.GPUType) && n.fits(g, cpu, mem) {
				n.add(g, cpu, mem, 1)
				if x := k.points(n); x > most {
					best, most = m, x
				}
				n.add(g, cpu, mem, -1)
			}
		}
		if best < 0 {
			return nil
		}
		nodes[best].add(g, cpu, mem, 1)
		got[best] += int32(g)
	}
	return got
}

// drawn is a small cluster with CPU and memory, and jobs of several learners.
func drawn(t *testing.T, seed uint64) sim.Config {
	t.Helper()
	r := rand.New(rand.NewPCG(seed, 7))
	spec := cluster.Spec{Racks: make([][]cluster.Machines, 1+r.IntN(2))}
	for i := range spec.Racks {
		for range 1 + r.IntN(4) {
			m := cluster.Machines{Count: 1, GPUs: 1 + r.IntN(6), Type: []string{"k80", "v100"}[r.IntN(2)]}
			if r.IntN(2) == 0 {
				m.CPUMilli, m.MemMiB = int64(m.GPUs)*(4000+int64(r.IntN(4000))), int64(m.GPUs)*8192
			}
			spec.Racks[i] = append(spec.Racks[i], m)
		}
	}
	top, err := cluster.New(spec)
	if err != nil {
		t.Fatal(err)
	}
	var js []sim.Job
	for i := range 30 {
		w := int32(1 + r.IntN(3))
		j := sim.Job{ID: fmt.Sprint(i), WorkerGPUs: w, GPUs: w * int32(1+r.IntN(4)), Submit: sim.Time(r.IntN(60)) *
			sim.Second,
			Work: sim.Time(1+r.IntN(200)) * sim.Second, GPUType: []string{"", "", "k80", "v100"}[r.IntN(4)]}
		if r.IntN(2) == 0 {
			j.CPUMilli, j.MemMiB = int32(r.IntN(4001)), int32(r.IntN(8193))
		}
		if r.IntN(4) == 0 {
			j.WorkerGPUs = 0
		}
		js = append(js, j)
	}
	w, err := sim.NewWorkload("drawn", js)
	if err != nil {
		t.Fatal(err)
	}
	return sim.Config{Workload: w, Topology: top, Speed: simtest.Counting{}, Check: true}
}

// Every placement of 150 drawn runs is where the scoring formula of kube-scheduler puts it, and no
// gang waits that it could place.
func TestScoresOfKubernetes(t *testing.T) {
	starts := 0
	for seed := range uint64(150) {
		text := []string{"place=spread", "place=pack", "place=ratio,shape=0:0+40:10+100:3,balance=2",
			"weights=gpu:3+cpu:0,balance=1"}[seed%4]
		p := policy(t, text+",limit=none")().(*Policy)
		points := func(n *node) int64 { return n.points(seed%4 == 0) }
		if seed%4 > 1 {
			points = func(n *node) int64 {
				x := load{req: [3]int64{n.usedGPUs, n.usedCPU, n.usedMem}, has: [3]int64{n.gpus, n.cpu, n.mem}}
				return fitExact(&p.cfg.scorer, &x) + p.cfg.balance*balanceExact(&p.cfg.scorer, &x)
			}
		}
		if _, err := sim.Run(context.Background(), drawn(t, seed), kube{p, t, points, &starts}); err != nil {
			t.Fatalf("seed %d: %v", seed, err)
		}
	}
	if starts < 2000 {
		t.Errorf("%d placements, expected more", starts)
	}
}

// Of many samples the best is the best of all placements; of few it is never better, and never
// worse than of fewer from the same stream.
func TestSamplesAgainstAll(t *testing.T) {
	for seed := range uint64(120) {
		r := rand.New(rand.NewPCG(seed, 5))
		p := policy(t, "place=bsa,bias=1,goal="+[]string{"pack", "spread"}[seed%2])().(*Policy)
		n := 2 + r.IntN(4)
		b := &p.buf
		b.free, b.req, b.scores = make([]int32, n), make([]load, n), make([]int64, n)
		b.now, b.room, b.drawn = make([]load, n), make([]int32, n), make([]int64, n)
		s := &shape{pod: int32(1 + r.IntN(2))}
		s.GPUs, s.CPUMilli = s.pod*int32(1+r.IntN(4)), int32(1000*r.IntN(3))
		room := int32(0)
		for m := range n {
			has := int64(2 + r.IntN(7))
			used := int64(r.IntN(int(has)))
			b.req[m] = load{req: [3]int64{used, 1000 * used}, has: [3]int64{has, has * 4000}}
			b.free[m] = int32(has-used) / s.pod
			room += b.free[m]
			b.scores[m] = p.cfg.score(b.req[m].with(s))
		}
		if room < s.learners() {
			continue
		}
		best := p.all(s, s.learners(), 0)
		last := int64(-1)
		for _, samples := range []int{1, 5, 50, 3000} {
			p.cfg.samples, p.draws = samples, rng.Source{Seed: seed}.Stream("pods")
			p.sample(s)
			got := p.valueOf(s, p.order)
			if got < last || got > best || samples == 3000 && got != best {
				t.Errorf("seed %d, %d samples: value %d, with fewer %d, best of all %d", seed, samples, got, last, best)
			}
			last = got
		}
	}
}

// all tries every way to put k pods on the machines from m on.
func (p *Policy) all(s *shape, k int32, m int) int64 {
	if k == 0 {
		return p.valueOf(s, p.order)
	}
	best := int64(-1)
	for ; m < len(p.buf.free); m++ {
		if p.buf.free[m] > 0 {
			p.buf.free[m]--
			p.order = append(p.order, int32(m))
			best = max(best, p.all(s, k-1, m))
			p.order = p.order[:len(p.order)-1]
			p.buf.free[m]++
		}
	}
	return best
}

// valueOf is the sum over pods of the final scores of their machines.
func (p *Policy) valueOf(s *shape, order []int32) int64 {
	final := slices.Clone(p.buf.req)
	for _, m := range order {
		final[m] = final[m].with(s)
	}
	sum := int64(0)
	for _, m := range order {
		sum += p.cfg.score(final[m])
	}
	return sum
}
