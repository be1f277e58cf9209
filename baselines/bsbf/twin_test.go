package bsbf

import (
	"cmp"
	"context"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"tarry/sim"
)

// twin is SJF-BSBF written down a second time, for one rack and place=jobs: plain lists, every
// waiting job asked again until none starts, pairs tried by playing both of their futures to the
// end in place of the formulas.
type twin struct {
	keep    func(model, beside string) float64
	force   bool // sjf-ffs
	per     int  // GPUs of a machine
	on      [][]int
	jobs    []twinJob
	now     float64
	shared  int // jobs that started beside others
	refused int // times that a job found GPUs enough and waited
}

type twinJob struct {
	submit, run, left, end float64
	need                   int
	model                  string
	gpus                   []int
	waits, runs            bool
}

// rate is the part of its full speed at which a job runs.
func (w *twin) rate(j int) float64 {
	keep := 1.0
	for _, g := range w.jobs[j].gpus {
		for _, o := range w.on[g] {
			if o != j {
				keep = min(keep, w.keep(w.jobs[j].model, w.jobs[o].model))
			}
		}
	}
	return keep
}

func (w *twin) play() {
	for {
		next := math.Inf(1)
		for j := range w.jobs {
			x := &w.jobs[j]
			if x.end < 0 && !x.waits && !x.runs {
				next = min(next, x.submit)
			}
			if x.runs {
				next = min(next, w.now+x.left/w.rate(j))
			}
		}
		if math.IsInf(next, 1) {
			return
		}
		rates := make([]float64, len(w.jobs))
		for j := range w.jobs {
			if w.jobs[j].runs {
				rates[j] = w.rate(j)
			}
		}
		for j := range w.jobs {
			x := &w.jobs[j]
			if x.runs {
				if x.left -= rates[j] * (next - w.now); x.left < 2e-6 {
					x.runs, x.end = false, next
					for _, g := range x.gpus {
						w.on[g] = slices.DeleteFunc(w.on[g], func(o int) bool { return o == j })
					}
				}
			}
		}
		for j := range w.jobs {
			if x := &w.jobs[j]; x.end < 0 && !x.waits && !x.runs && x.submit <= next {
				x.waits = true
			}
		}
		w.now = next
		for w.pass() {
		}
	}
}

// pass asks every job that waits, the shortest first, and reports whether one started.
func (w *twin) pass() (started bool) {
	var order []int
	for j := range w.jobs {
		if w.jobs[j].waits {
			order = append(order, j)
		}
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(w.jobs[a].left, w.jobs[b].left) })
	for _, j := range order {
		started = w.try(j) || started
	}
	return started
}

func (w *twin) try(j int) bool {
	x := &w.jobs[j]
	var idle, single []int
	for g, on := range w.on {
		switch len(on) {
		case 0:
			idle = append(idle, g)
		case 1:
			single = append(single, g)
		}
	}
	slices.SortStableFunc(idle, func(a, b int) int { return cmp.Compare(w.crowd(a), w.crowd(b)) })
	if len(idle) < x.need && len(idle)+len(single) >= x.need {
		ranks, got := map[int]float64{}, 0
		for b := range w.jobs {
			mine := 0
			for _, g := range single {
				if w.on[g][0] == b {
					mine++
				}
			}
			if mine > 0 {
				if rank, pays := w.gains(j, b, single); pays {
					ranks[b], got = rank, got+mine
				}
			}
		}
		if len(idle)+got < x.need {
			w.refused++
			return false
		}
		single = slices.DeleteFunc(single, func(g int) bool { _, ok := ranks[w.on[g][0]]; return !ok })
		slices.SortStableFunc(single, func(a, b int) int {
			return cmp.Or(cmp.Compare(ranks[w.on[a][0]], ranks[w.on[b][0]]), cmp.Compare(w.on[a][0], w.on[b][0]))
		})
		idle = append(idle, single...)
		w.shared++
	}
	if len(idle) < x.need {
		return false
	}
	x.gpus = slices.Clone(idle[:x.need])
	for _, g := range x.gpus {
		w.on[g] = append(w.on[g], j)
	}
	x.waits, x.runs = false, true
	return true
}

// crowd is the number of jobs on the machine of a GPU.
func (w *twin) crowd(g int) int {
	seen := map[int]bool{}
	for o := g / w.per * w.per; o < (g/w.per+1)*w.per; o++ {
		for _, j := range w.on[o] {
			seen[j] = true
		}
	}
	return len(seen)
}

// gains plays both futures of two jobs alone in the world.
func (w *twin) gains(a, b int, single []int) (rank float64, pays bool) {
	if w.force {
		for _, g := range single {
			if w.on[g][0] == b {
				return float64(g), true
			}
		}
	}
	x, y := w.jobs[a], w.jobs[b]
	kx, ky := w.keep(x.model, y.model), w.keep(y.model, x.model)
	endX, endY := x.left/kx, y.left/ky
	if endX < endY {
		endY = endX + (y.left - endX*ky)
	} else {
		endX = endY + (x.left - endY*kx)
	}
	now, wait := (endX+endY)/2, (y.left+y.left+x.left)/2
	return now, now < wait*(1-1e-12)
}

// Every end of drawn crowds equals the twin's.
func TestTwin(t *testing.T) {
	shared, refused := 0, 0
	for seed := range uint64(300) {
		r := rand.New(rand.NewPCG(seed, 1811))
		machines, per, force := 1+r.IntN(3), 1+r.IntN(4), seed%5 == 4
		var table [4][4]float64
		for i := range table {
			for k := range table[i] {
				table[i][k] = 0.3 + 0.7*math.Sqrt(r.Float64())
			}
		}
		keep := func(m, o string) float64 { return table[m[0]-'a'][o[0]-'a'] }
		w := twin{keep: keep, force: force, per: per, on: make([][]int, machines*per)}
		var jobs []sim.Job
		at := 0.0
		for range 4 + r.IntN(25) {
			at += math.Round(r.ExpFloat64()*6e6) / 1e6
			n, run, model := 1+r.IntN(machines*per), math.Round(1e6*math.Exp(3*r.Float64()))/1e6,
				string(rune('a'+r.IntN(4)))
			jobs = append(jobs, job(at, int32(n), run, model))
			w.jobs = append(w.jobs, twinJob{submit: at, run: run, left: run, end: -1, need: n, model: model})
		}
		w.play()
		shared, refused = shared+w.shared, refused+w.refused
		build := New
		if force {
			build = NewFFS
		}
		cfg := setting(t, company{keep}, [3]int{1, machines, per}, jobs...)
		e, err := sim.Run(context.Background(), cfg, maker(t, build, "place=jobs")())
		if err != nil {
			t.Fatal(err)
		}
		for j := range jobs {
			if got := e.Record(sim.JobID(j)).End.Seconds(); math.Abs(got-w.jobs[j].end) > 1e-4 {
				t.Fatalf("seed %d, %d x %d GPUs: job %d ends at %v s, by the twin at %v s\n%s", seed, machines, per, j,
					got, w.jobs[j].end,
					strings.Join(run(t, cfg, maker(t, build, "place=jobs")()), "\n"))
			}
		}
	}
	if shared < 1000 || refused < 500 {
		t.Errorf("%d jobs shared and %d times one waited: too few to tell", shared, refused)
	}
}
