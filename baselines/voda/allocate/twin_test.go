package allocate_test

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"tarry/baselines/voda/allocate"
)

// draw makes jobs whose speeds are multiples of 1/8, so that sums are exact and ties are many. Some
// have min above 1, some min = max, some a speed that falls, some none at all.
func draw(r *rand.Rand, n, most int) []allocate.Job {
	jobs := make([]allocate.Job, n)
	for i := range jobs {
		j := &jobs[i]
		j.Min = 1 + r.IntN(2)*r.IntN(3)
		j.Max = j.Min + r.IntN(2)*r.IntN(most)
		j.Num = j.Min + r.IntN(j.Max-j.Min+1)
		j.Submit, j.FirstStart, j.Queue = r.Int64N(5), allocate.Never, r.IntN(2)
		if r.IntN(2) == 0 {
			j.FirstStart = r.Int64N(6)
		}
		j.Remaining = float64(1 + r.IntN(6))
		j.Speedup = []float64{0}
		for s := 0.0; len(j.Speedup) <= j.Max+1; {
			if s += float64(r.IntN(10)-1) / 8; r.IntN(3) == 0 {
				s = math.Ceil(s) // linear stretches
			}
			s = max(s, 0)
			j.Speedup = append(j.Speedup, s)
		}
		if r.IntN(2) == 0 {
			for w := range j.Speedup {
				j.Speedup[w] = float64(w)
			}
		}
	}
	return jobs
}

// speed reads a speed as the allocators do.
func speed(j *allocate.Job, w int) float64 {
	if w < len(j.Speedup) {
		return j.Speedup[w]
	}
	return 0
}

// The tournament as it is described: each GPU to the winner among all jobs of the list, each
// compared with the winner so far.
type plain struct {
	allocate.Tournament
	jobs []allocate.Job
	w    []int
}

func (p *plain) unit(i int) int {
	switch {
	case !p.Mins:
		return 1
	case p.w[i] == 0:
		return p.jobs[i].Min
	}
	return max(1, p.jobs[i].Step)
}

func (p *plain) length(i, w int) float64 {
	switch {
	case w == 0:
		return math.Inf(1)
	case p.Attained:
		return p.jobs[i].Remaining
	}
	return p.jobs[i].Remaining / speed(&p.jobs[i], w)
}

// sides are the left and the right side of the comparison.
func (p *plain) sides(i int) (left, right float64) {
	j, w, n := &p.jobs[i], p.w[i], p.unit(i)
	gain := speed(j, w+n) - speed(j, w)
	if w > 0 {
		gain /= float64(n)
		return gain / speed(j, w+n), gain / speed(j, w)
	}
	return gain / speed(j, w+n), math.Inf(1)
}

func (p *plain) beats(b, a int) bool {
	if p.w[a] == 0 && p.w[b] == 0 {
		return p.jobs[b].Remaining < p.jobs[a].Remaining || !p.Earlier && p.jobs[b].Remaining == p.jobs[a].Remaining
	}
	share := p.w[a]
	if p.Own {
		share = p.w[b]
	}
	la, ra := p.sides(a)
	lb, rb := p.sides(b)
	if p.length(a, p.w[a]) >= p.length(b, share) {
		return !(la > rb)
	}
	return lb > ra
}

func (p *plain) share(gpus int) []int {
	p.w = make([]int, len(p.jobs))
	var list []int
	for i := range p.jobs {
		list = append(list, i)
	}
	for gpus > 0 && len(list) > 0 {
		if p.Mins {
			list = slices.DeleteFunc(list, func(i int) bool { return p.w[i] == 0 && p.jobs[i].Min > gpus })
			if len(list) == 0 {
				break
			}
		}
		best := list[0]
		for _, i := range list[1:] {
			if p.beats(i, best) {
				best = i
			}
		}
		n := p.unit(best)
		short := n > gpus
		if !short {
			p.w[best] += n
			gpus -= n
		}
		if short || p.w[best]+p.unit(best) > p.jobs[best].Max {
			list = slices.DeleteFunc(list, func(i int) bool { return i == best })
		}
	}
	return p.w
}

// The fast tournament gives what the plain one does, for every rule.
func TestTournamentTwin(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	var fast allocate.Tournament
	var out []int
	for n := range 30000 {
		x := allocate.Tournament{Own: r.IntN(2) == 0, Mins: r.IntN(2) == 0, Earlier: r.IntN(2) == 0,
			Attained: r.IntN(4) == 0}
		jobs := draw(r, r.IntN(30), 1+r.IntN(9))
		if x.Mins {
			for i := range jobs { // the plain one takes jobs without speed off at another moment
				jobs[i].Speedup[jobs[i].Min] = max(jobs[i].Speedup[jobs[i].Min], 0.125)
			}
		}
		gpus := r.IntN(40)
		p := plain{Tournament: x, jobs: jobs}
		fast.Own, fast.Mins, fast.Earlier, fast.Attained = x.Own, x.Mins, x.Earlier, x.Attained
		want := p.share(gpus)
		if out = fast.Share(jobs, gpus, out); !slices.Equal(out, want) {
			t.Fatalf("case %d: %v, expected %v\n%+v\n%+v on %d", n, out, want, x, jobs, gpus)
		}
	}
}

// gains is E-Tiresias' second part with a list that is sorted before each step.
func gains(jobs []allocate.Job, free int, out []int) {
	var list []int
	gain := make([]float64, len(jobs))
	for i := range jobs {
		j := &jobs[i]
		if out[i] >= j.Max || free < j.Min {
			continue
		}
		list = append(list, i)
		if gain[i] = speed(j, out[i]+1) - speed(j, out[i]); out[i] == 0 {
			gain[i] = speed(j, j.Min) / float64(j.Min)
		}
	}
	for free > 0 && len(list) > 0 {
		slices.SortStableFunc(list, func(a, b int) int { return jobs[a].Queue - jobs[b].Queue })
		slices.SortStableFunc(list, func(a, b int) int {
			switch {
			case gain[a] > gain[b]:
				return -1
			case gain[a] < gain[b]:
				return 1
			}
			return 0
		})
		i := list[0]
		j := &jobs[i]
		if gain[i] <= 0 {
			return
		}
		n, was := 1, out[i]
		if was == 0 {
			n = j.Min
		}
		if n > free {
			list = list[1:]
			continue
		}
		out[i] += n
		free -= n
		gain[i] = speed(j, out[i]+1) - speed(j, out[i])
		if was > 0 && out[i] >= j.Max {
			list = list[1:]
		}
	}
}

func TestElasticTiresiasTwin(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	for n := range 20000 {
		jobs := draw(r, r.IntN(30), 1+r.IntN(9))
		gpus := r.IntN(60)
		want := allocate.New(allocate.Tiresias, false).Allocate(jobs, gpus, nil)
		free, unserved := gpus, 0
		for i := range want {
			if free -= want[i]; want[i] == 0 {
				unserved++
			}
		}
		if unserved > 10 {
			for i := range jobs {
				if jobs[i].Queue > 0 && want[i] > 0 {
					free += want[i] - jobs[i].Min
					want[i] = jobs[i].Min
				}
			}
		}
		gains(jobs, free, want)
		if got := allocate.New(allocate.ElasticTiresias, false).Allocate(jobs, gpus, nil); !slices.Equal(got, want) {
			t.Fatalf("case %d: %v, expected %v\n%+v on %d", n, got, want, jobs, gpus)
		}
	}
}

// best is the largest sum of speeds by trying every allocation.
func best(jobs []allocate.Job, lo func(j *allocate.Job) int, gpus int) float64 {
	if len(jobs) == 0 {
		return 0
	}
	most := math.Inf(-1)
	for g := lo(&jobs[0]); g <= min(jobs[0].Max, gpus); g += max(1, jobs[0].Step) {
		most = max(most, speed(&jobs[0], g)+best(jobs[1:], lo, gpus-g))
	}
	return most
}

// FfDL's optimiser reaches the best sum of speeds that there is: the published one over 1 to max,
// the corrected one over min to max.
func TestOptimiserAgainstAll(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	for n := range 12000 {
		corrected := n%2 == 1
		jobs := draw(r, 1+r.IntN(5), 1+r.IntN(6))
		for i := range jobs {
			jobs[i].Submit = int64(i)
			if corrected {
				jobs[i].Step = r.IntN(3)
			}
		}
		gpus := 1 + r.IntN(12)
		kept := jobs[:min(gpus, len(jobs))]
		lo := func(*allocate.Job) int { return 1 }
		if corrected {
			sum := 0
			lo = func(j *allocate.Job) int { return j.Min }
			kept = jobs
			for i := range jobs {
				if sum += jobs[i].Min; sum > gpus {
					kept = jobs[:i]
					break
				}
			}
		}
		got := allocate.New(allocate.FfDLOptimizer, corrected).Allocate(jobs, gpus, nil)
		total, used := 0.0, 0
		for i, w := range got {
			total += speed(&jobs[i], w)
			used += w
			if i < len(kept) && best(kept, lo, gpus) > 0 && (w < lo(&jobs[i]) || w > jobs[i].Max) || i >= len(kept) &&
				w != 0 {
				t.Fatalf("case %d: job %d has %d GPUs: %v\n%+v", n, i, w, got, jobs)
			}
		}
		if want := max(0, best(kept, lo, gpus)); total != want || used > gpus {
			t.Fatalf("case %d: speed %v, expected %v: %v\n%+v on %d", n, total, want, got, jobs, gpus)
		}
	}
}
