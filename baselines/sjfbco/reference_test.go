package sjfbco

import (
	"encoding/json"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"testing"

	"tarry/internal/fraction"
	"tarry/internal/sharedata"
	"tarry/sim"
	"tarry/sim/cluster"
)

// number is a number of the reference.
type number = fraction.Number

// ring is the paper's model of an iteration: w workers reduce and gather m over w - 1 steps each,
// at the bandwidth of the links and of the additions.
type ring struct {
	Alpha    number `json:"alpha"`
	Inside   number `json:"inside_gbps"`
	Between  number `json:"between_gbps"`
	Reduce   number `json:"reduce_gbps"`
	Overhead number `json:"overhead_s_per_server"`
}

// training is a job of the model.
type training struct {
	Workers    int    `json:"workers"`
	Gradient   number `json:"gradient_gb"`
	Compute    number `json:"compute_s"`
	Iterations int    `json:"iterations"`
}

// fill prices iterations on so many servers, in s: what does not depend on the links' jobs is in
// compute.
func (r *ring) fill(p *price, j *training, servers int) {
	steps := float64(j.Gradient) / float64(j.Workers) * float64(j.Workers-1)
	p.release, p.transfer = 1, 0
	p.compute = float64(j.Compute) + steps/float64(r.Reduce)
	if servers == 1 {
		p.compute += steps * 2 / float64(r.Inside)
	} else {
		p.compute += float64(r.Overhead) * float64(servers)
		p.transfer = steps * 2 / float64(r.Between)
	}
}

// The times of an iteration are as in the reference set, for each number of contenders.
func TestIterationsOfTheReference(t *testing.T) {
	for _, file := range sharedata.References(t, "sjf-bco/iteration.json") {
		var set struct {
			ring
			training
			Rows []struct {
				Workers    int    `json:"workers"`
				Servers    int    `json:"servers"`
				Contenders int    `json:"contenders"`
				Iteration  number `json:"iteration_s"`
			} `json:"rows"`
		}
		read(t, file, &set)
		read(t, filepath.Join(filepath.Dir(file), "batches.json"), &set.ring) // they have the constants
		if len(set.Rows) == 0 {
			t.Fatalf("%s has no rows", file)
		}
		for _, row := range set.Rows {
			j := training{Workers: row.Workers, Gradient: set.Gradient, Compute: set.Compute}
			var p price
			set.fill(&p, &j, row.Servers)
			got := (p.compute + p.transfer) * p.slower(int32(row.Contenders), float64(set.Alpha))
			if math.Abs(got-float64(row.Iteration)) > 1e-9 {
				t.Errorf("%+v: %v s", row, got)
			}
		}
	}
}

// batch is a case of the reference set.
type batch struct {
	Name     string                         `json:"name"`
	Servers  int                            `json:"servers"`
	GPUs     int                            `json:"gpus"`
	Jobs     []training                     `json:"jobs"`
	Best     number                         `json:"best_makespan"`
	Smallest map[string]number              `json:"smallest_first"`
	PlaceOf  map[string]map[string][]string `json:"smallest_first_place"`
}

// model prices the jobs of a batch.
type model struct {
	ring
	*batch
}

func (m *model) price(t *task, p *price) {
	j := &m.Jobs[t.id]
	servers, last := 0, -1
	for _, g := range p.on {
		if s := int(g) / m.GPUs; s != last {
			last = s
			servers++
			p.links = append(p.links, int32(s))
		}
	}
	if servers == 1 {
		p.links = p.links[:0]
	}
	m.fill(p, j, servers)
	p.alone = (p.compute + p.transfer) * float64(j.Iterations) * 1e6
}

// plannerOf is a planner over the batch on an empty cluster.
func plannerOf(r ring, b *batch) *planner {
	p := &planner{alpha: float64(r.Alpha), ask: &model{r, b}, links: make([]int32, b.Servers)}
	for m := range b.Servers {
		p.first, p.types = append(p.first, int32(len(p.base))), append(p.types, 0)
		for range b.GPUs {
			p.base, p.machine, p.holder = append(p.base, 0), append(p.machine, int32(m)), append(p.holder, -1)
		}
	}
	p.first = append(p.first, int32(len(p.base)))
	return p
}

// give makes the jobs tasks, in an order.
func (p *planner) give(b *batch, order []int) {
	p.tasks = p.tasks[:0]
	for _, i := range order {
		var t task
		t.reset(sim.JobID(i), b.Jobs[i].Workers, -1)
		p.tasks = append(p.tasks, t)
	}
}

// smallestFirst is the order of the jobs by workers, then as given.
func smallestFirst(b *batch) []int {
	order := make([]int, len(b.Jobs))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(x, y int) int { return b.Jobs[x].Workers - b.Jobs[y].Workers })
	return order
}

// The plan of each kappa without a limit has the reference's GPUs and makespan, the search over
// kappa the least of them, with a limit none that is longer, and no plan beats the best.
func TestPlansOfTheReference(t *testing.T) {
	each(t, func(t *testing.T, r ring, b *batch) {
		p := plannerOf(r, b)
		p.give(b, smallestFirst(b))
		p.open()
		least := math.Inf(1)
		for text, want := range b.Smallest {
			kappa, err := strconv.Atoi(text)
			if err != nil {
				t.Fatal(err)
			}
			if _, ok := p.lay(kappa, math.Inf(1), nil); !ok {
				t.Fatalf("%s: kappa %d finds no places", b.Name, kappa)
			}
			for i := range p.tasks {
				got, want := p.tasks[i].price().on, b.PlaceOf[text][strconv.Itoa(int(p.tasks[i].id))]
				if !slices.Equal(names(b, got), want) {
					t.Errorf("%s, kappa %d: job %d on %v, expected %v", b.Name, kappa, p.tasks[i].id, names(b, got),
						want)
				}
			}
			last, _ := p.play()
			if math.Abs(last/1e6-float64(want)) > 1e-9*float64(want) {
				t.Errorf("%s, kappa %d: makespan %v s, expected %v", b.Name, kappa, last/1e6, want)
			}
			least = min(least, float64(want))
		}
		for _, steps := range []int{0, 6} {
			p.steps = steps
			if !p.search() || p.last/1e6 > least*(1+1e-9) || p.last/1e6 < float64(b.Best)*(1-1e-9) ||
				steps == 0 && p.last/1e6 < least*(1-1e-9) {
				t.Errorf("%s, %d steps: makespan %v s, kappas have %v, the best is %v", b.Name, steps, p.last/1e6,
					least, b.Best)
			}
		}
	})
}

// The least makespan over all sets of GPUs and all orders is the reference's.
func TestBestOfTheReference(t *testing.T) {
	each(t, func(t *testing.T, r ring, b *batch) {
		p := plannerOf(r, b)
		best := math.Inf(1)
		order := smallestFirst(b)
		permute(order, 0, func() {
			p.give(b, order)
			p.allSets(0, func() {
				last, _ := p.play()
				best = min(best, last)
			})
		})
		if math.Abs(best/1e6-float64(b.Best)) > 1e-9*float64(b.Best) {
			t.Errorf("%s: %v s, expected %v", b.Name, best/1e6, b.Best)
		}
	})
}

// allSets calls f with each choice of GPUs for the tasks from i on.
func (p *planner) allSets(i int, f func()) {
	if i == len(p.tasks) {
		f()
		return
	}
	for mask := range 1 << len(p.base) {
		var on []cluster.GPU
		for g := range p.base {
			if mask>>g&1 == 1 {
				on = append(on, cluster.GPU(g))
			}
		}
		if t := &p.tasks[i]; len(on) == t.gpus {
			if pr, known := t.known(on); !known {
				p.ask.price(t, pr)
			}
			p.allSets(i+1, f)
		}
	}
}

// permute calls f with each order of what lies from i on.
func permute(order []int, i int, f func()) {
	if i == len(order) {
		f()
	}
	for k := i; k < len(order); k++ {
		order[i], order[k] = order[k], order[i]
		permute(order, i+1, f)
		order[i], order[k] = order[k], order[i]
	}
}

func names(b *batch, gpus []cluster.GPU) (out []string) {
	for _, g := range gpus {
		out = append(out, strconv.Itoa(int(g)/b.GPUs)+":"+strconv.Itoa(int(g)%b.GPUs))
	}
	return out
}

// each calls f with every batch of the reference sets.
func each(t *testing.T, f func(*testing.T, ring, *batch)) {
	t.Helper()
	for _, file := range sharedata.References(t, "sjf-bco/batches*.json") {
		var set struct {
			ring
			Cases []batch `json:"cases"`
		}
		read(t, file, &set)
		if len(set.Cases) == 0 {
			t.Fatalf("%s has no cases", file)
		}
		for i := range set.Cases {
			f(t, set.ring, &set.Cases[i])
		}
	}
}

func read(t *testing.T, file string, into any) {
	t.Helper()
	text, err := os.ReadFile(file)
	if err == nil {
		err = json.Unmarshal(text, into)
	}
	if err != nil {
		t.Fatal(err)
	}
}
