package assign

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

// schedules is the least sum of completion times over all ways to give jobs to machines, each in
// order of run time.
func schedules(avail []float64, class []int, times [][]float64) float64 {
	queue := make([][]float64, len(avail))
	best := math.Inf(1)
	var from func(j int)
	from = func(j int) {
		if j == len(times) {
			sum := 0.0
			for m, q := range queue {
				q = slices.Sorted(slices.Values(q))
				at := avail[m]
				for _, t := range q {
					at += t
					sum += at
				}
			}
			best = min(best, sum)
			return
		}
		for m := range avail {
			queue[m] = append(queue[m], times[j][class[m]])
			from(j + 1)
			queue[m] = queue[m][:len(queue[m])-1]
		}
	}
	from(0)
	return best
}

// The sum of completion times is the least of all schedules, and the order of each machine has it.
func TestBatchAgainstAllSchedules(t *testing.T) {
	r, b := rand.New(rand.NewPCG(21, 22)), new(Batch)
	for range 400 {
		machines, classes, jobs := 1+r.IntN(4), 1+r.IntN(3), r.IntN(6)
		avail, class := make([]float64, machines), make([]int, machines)
		for m := range machines {
			class[m] = r.IntN(classes)
			avail[m] = float64(r.IntN(3) * r.IntN(10))
		}
		times := make([][]float64, jobs)
		b.Begin(avail, class, classes)
		for j := range jobs {
			times[j] = make([]float64, classes)
			for c := range classes {
				if times[j][c] = float64(1 + r.IntN(12)); r.IntN(6) == 0 {
					times[j][c] = math.Inf(1)
				}
			}
			if !b.Add(times[j]) {
				able := false
				for m := range machines {
					able = able || !math.IsInf(times[j][class[m]], 1)
				}
				if able {
					t.Fatalf("job %d with %v left out", j, times[j])
				}
				times[j] = nil
			}
		}
		times = slices.DeleteFunc(times, func(x []float64) bool { return x == nil })
		if want := schedules(avail, class, times); b.Cost() != want || b.Jobs() != len(times) {
			t.Fatalf("%d jobs, cost %v, expected %d and %v", b.Jobs(), b.Cost(), len(times), want)
		}
		sum := 0.0
		for m := range machines {
			at := avail[m]
			var queue []int
			for j := range times {
				if on, _ := b.At(j); on == m {
					queue = append(queue, j)
				}
			}
			slices.SortFunc(queue, func(i, j int) int { return b.placeOf(j) - b.placeOf(i) })
			for i, j := range queue {
				if b.placeOf(j) != len(queue)-i {
					t.Fatalf("machine %d has places %v", m, queue)
				}
				at += times[j][class[m]]
				sum += at
			}
			if first := b.First(nil)[m]; len(queue) == 0 && first != -1 || len(queue) > 0 && first != queue[0] {
				t.Fatalf("first of machine %d is %d of %v", m, first, queue)
			}
		}
		if sum != b.Cost() {
			t.Fatalf("the machines' queues cost %v, expected %v", sum, b.Cost())
		}
	}
}

// All places at once give the same cost: large batches.
func TestBatchAgainstAllPlaces(t *testing.T) {
	r, b := rand.New(rand.NewPCG(23, 24)), new(Batch)
	for range 20 {
		machines, jobs := 1+r.IntN(12), 1+r.IntN(40)
		avail, class := make([]float64, machines), make([]int, machines)
		for m := range machines {
			class[m], avail[m] = m%3, float64(r.IntN(100))
		}
		all := Matrix{Rows: jobs, Cols: jobs * machines}
		b.Begin(avail, class, 3)
		for range jobs {
			times := []float64{float64(1 + r.IntN(99)), float64(1 + r.IntN(99)), float64(1 + r.IntN(99))}
			if !b.Add(times) {
				t.Fatal("left out")
			}
			for k := 1; k <= jobs; k++ {
				for m := range machines {
					all.At = append(all.At, avail[m]+float64(k)*times[class[m]])
				}
			}
		}
		if a, err := Min(all); err != nil || a.Cost != b.Cost() {
			t.Fatalf("%v, all places %v %v", b.Cost(), a.Cost, err)
		}
	}
}

func BenchmarkBatch(b *testing.B) {
	r := rand.New(rand.NewPCG(25, 26))
	for _, jobs := range []int{50, 200, 600} {
		avail, class := make([]float64, 108), make([]int, 108)
		for m := range avail {
			class[m], avail[m] = m/36, float64(r.IntN(5000))
		}
		times := make([]float64, 3*jobs)
		for k := range times {
			times[k] = 100 + 1e4*r.Float64()
		}
		b.Run("jobs="+size(jobs)[2:], func(b *testing.B) {
			var s Batch
			b.ReportAllocs()
			for b.Loop() {
				s.Begin(avail, class, 3)
				for j := range jobs {
					s.Add(times[3*j : 3*j+3])
				}
			}
		})
	}
}

// What is kept of a job's costs is what it costs, also of a job in the place of one that was left
// out, and in a batch in the memory of another.
func TestBatchKeepsCosts(t *testing.T) {
	b := new(Batch)
	for _, at := range []float64{3, 7} {
		b.Begin([]float64{at, 2 * at}, []int{0, 1}, 2)
		if b.Add([]float64{math.Inf(1), math.Inf(1)}) || !b.Add([]float64{at, at + 1}) || !b.Add([]float64{1, 2}) {
			t.Fatal("expected that the first is left out and the others are not")
		}
		for job, times := range [][]float64{{at, at + 1}, {1, 2}} {
			want := make([]float64, len(b.columns))
			for c, s := range b.columns {
				want[c] = s.avail + s.place*times[s.class]
			}
			got := make([]float64, len(want))
			if b.Row(job, got); !slices.Equal(got, want) || !slices.Equal(b.Kept(job, len(want)), want) {
				t.Errorf("job %d costs %v and %v, expected %v", job, got, b.Kept(job, len(want)), want)
			}
		}
	}
}
