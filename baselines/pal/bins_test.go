package pal

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

// byForce is the least sum of squared distances of an ascending list in k runs.
func byForce(xs []float64, k int) float64 {
	if k == 1 {
		m, s := mean(xs), 0.0
		for _, x := range xs {
			s += float64((x - m) * (x - m))
		}
		return s
	}
	best := math.Inf(1)
	for cut := 1; cut < len(xs)-k+2; cut++ {
		best = math.Min(best, byForce(xs[:cut], 1)+byForce(xs[cut:], k-1))
	}
	return best
}

func TestKMeansIsTheBest(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 3))
	for range 300 {
		xs := make([]float64, 2+r.IntN(9))
		for i := range xs {
			xs[i] = 1 + float64(r.IntN(20))/10
		}
		slices.Sort(xs)
		k := 1 + r.IntN(min(4, len(xs)))
		cuts, got := newKMeans(xs, k).cuts(k), 0.0
		for i := range k {
			if part := xs[cuts[i]:cuts[i+1]]; len(part) > 0 {
				got += byForce(part, 1)
			}
		}
		if want := byForce(xs, k); math.Abs(got-want) > 1e-9 {
			t.Fatalf("%v in %d runs: %v by cuts %v, best %v", xs, k, got, cuts, want)
		}
	}
}

// The silhouette by its definition.
func TestSilhouette(t *testing.T) {
	r := rand.New(rand.NewPCG(4, 4))
	for range 100 {
		xs := make([]float64, 5+r.IntN(10))
		for i := range xs {
			xs[i] = r.Float64()
		}
		slices.Sort(xs)
		cuts := []int{0, 1 + r.IntN(2), 3 + r.IntN(2), len(xs)}
		if got, want := silhouette(xs, cuts), defined(xs, cuts); math.Abs(got-want) > 1e-9 {
			t.Fatalf("%v cut at %v: silhouette %v, want %v", xs, cuts, got, want)
		}
	}
}

func defined(xs []float64, cuts []int) float64 {
	far := func(i, c int) float64 {
		s, n := 0.0, 0
		for o := cuts[c]; o < cuts[c+1]; o++ {
			if o != i {
				s, n = s+math.Abs(xs[i]-xs[o]), n+1
			}
		}
		return s / float64(n)
	}
	total := 0.0
	for c := range cuts[1:] {
		for i := cuts[c]; i < cuts[c+1]; i++ {
			if cuts[c+1]-cuts[c] == 1 {
				continue
			}
			a, b := far(i, c), math.Inf(1)
			for o := range cuts[1:] {
				if o != c {
					b = math.Min(b, far(i, o))
				}
			}
			total += (b - a) / math.Max(a, b)
		}
	}
	return total / float64(len(xs))
}

// Two groups and one far outlier: two bins by silhouette and one for the outlier; scores are over
// the median centroid.
func TestScores(t *testing.T) {
	var slow []float64
	for i := range 20 {
		d := float64(i%10) / 500
		slow = append(slow, 0.9+d, 1.1+d)
	}
	slow = append(slow, 3)
	score, levels := scores(slow, 0, 3)
	if len(levels) != 3 || math.Abs(levels[1]-1) > 1e-12 || math.Abs(levels[0]-0.909/1.109) > 1e-9 ||
		math.Abs(levels[2]-3/1.109) > 1e-9 {
		t.Fatalf("levels %v, want 0.909, 1.109 and 3 over 1.109", levels)
	}
	if score[40] != levels[2] || score[0] != levels[0] || score[1] != levels[1] {
		t.Errorf("scores %v", score)
	}
	if _, levels := scores([]float64{1, 1, 1}, 0, 3); len(levels) != 1 || levels[0] != 1 {
		t.Errorf("GPUs that are alike have levels %v, want 1", levels)
	}
	if _, levels := scores(slow, 4, 3); len(levels) != 5 {
		t.Errorf("four bins and an outlier give %d levels", len(levels))
	}
	if _, levels := scores([]float64{1, 2}, 0, 3); len(levels) != 2 {
		t.Errorf("two GPUs give levels %v", levels)
	}
}
