package pal

import (
	"math"
	"slices"
)

// mostBins bounds the bins, outliers included.
const mostBins = 32

// scores gives each GPU its PM-Score: slow[g] is the time of an iteration on it over that on the
// median GPU. k is the number of bins, 0 = by the best silhouette; sigmas states which GPUs are
// outliers. levels are the different scores, ascending.
func scores(slow []float64, k int, sigmas float64) (score, levels []float64) {
	xs := slices.Clone(slow)
	slices.Sort(xs)
	out := outliers(xs, sigmas)
	if k == 0 {
		k = bestBins(xs[:len(xs)-out])
	}
	k = min(k+out, mostBins, len(xs))
	cuts := newKMeans(xs, k).cuts(k)
	for i := range cuts[1:] {
		if part := xs[cuts[i]:cuts[i+1]]; len(part) > 0 {
			levels = append(levels, mean(part))
		}
	}
	levels = slices.Compact(levels)
	centre := median(levels)
	score = make([]float64, len(slow))
	for g, x := range slow {
		score[g] = levels[nearest(levels, x)] / centre
	}
	for i := range levels {
		levels[i] /= centre
	}
	return score, levels
}

// outliers counts the values, at the end of an ascending list, further than sigmas standard
// deviations above the mean.
func outliers(xs []float64, sigmas float64) int {
	m, sd := mean(xs), deviation(xs)
	n := 0
	for n < len(xs)-1 && xs[len(xs)-1-n] > m+float64(sigmas*sd)+1e-12 {
		n++
	}
	return n
}

// bestBins is the number of bins, 2 to 10, with the best mean silhouette; 1 where all values are
// the same. Of equals it is the least.
func bestBins(xs []float64) int {
	different := 1
	for i := 1; i < len(xs); i++ {
		if xs[i] != xs[i-1] {
			different++
		}
	}
	if different <= 2 {
		return different
	}
	most := min(10, different)
	km, best, best1 := newKMeans(xs, most), 2, math.Inf(-1)
	for k := 2; k <= most; k++ {
		if s := silhouette(xs, km.cuts(k)); s > best1+1e-12 {
			best, best1 = k, s
		}
	}
	return best
}

// kMeans holds the best partitions of an ascending list into 1 to k runs of least squared distance
// to their means, which in one dimension are the best clusters: opt[c][i] is the least sum over the
// first i values in c+1 runs, from[c][i] where the last of them begins.
type kMeans struct {
	sum, square []float64 // prefix sums of the values, less their mean
	opt         [][]float64
	from        [][]int32
}

func newKMeans(xs []float64, k int) *kMeans {
	n, m := len(xs), mean(xs)
	km := &kMeans{sum: make([]float64, n+1), square: make([]float64, n+1)}
	for i, x := range xs {
		d := x - m
		km.sum[i+1], km.square[i+1] = km.sum[i]+d, km.square[i]+float64(d*d)
	}
	for c := range k {
		km.opt, km.from = append(km.opt, make([]float64, n+1)), append(km.from, make([]int32, n+1))
		if c == 0 {
			for i := 1; i <= n; i++ {
				km.opt[0][i] = km.spread(0, i)
			}
			continue
		}
		km.layer(c, 1, n, 0, n-1)
	}
	return km
}

// spread is the sum of squared distances of values lo to hi-1 to their mean.
func (k *kMeans) spread(lo, hi int) float64 {
	s := k.sum[hi] - k.sum[lo]
	return math.Max(0, k.square[hi]-k.square[lo]-float64(s*s)/float64(hi-lo))
}

// layer fills opt[c][lo..hi], whose last runs begin in first..last: where they begin never falls as
// i rises, so that the middle one divides the work.
func (k *kMeans) layer(c, lo, hi, first, last int) {
	if lo > hi {
		return
	}
	i := (lo + hi) / 2
	best, at := math.Inf(1), first
	for b := first; b <= min(last, i-1); b++ {
		if v := k.opt[c-1][b] + k.spread(b, i); v < best {
			best, at = v, b
		}
	}
	k.opt[c][i], k.from[c][i] = best, int32(at)
	k.layer(c, lo, i-1, first, at)
	k.layer(c, i+1, hi, at, last)
}

// cuts gives the bounds of the best partition into k runs: run i has the values cuts[i] to
// cuts[i+1]-1. Some may be empty.
func (k *kMeans) cuts(runs int) []int {
	out, at := make([]int, runs+1), len(k.sum)-1
	out[runs] = at
	for c := runs - 1; c >= 0; c-- {
		at = int(k.from[c][at])
		out[c] = at
	}
	out[0] = 0
	return out
}

// silhouette is the mean of (b - a) / max(a, b) over an ascending list in runs: a is the mean
// distance of a value to the others of its run, b the least mean distance to the values of another,
// which is a neighbour; a value alone in its run counts 0.
func silhouette(xs []float64, cuts []int) float64 {
	cuts = slices.Compact(slices.Clone(cuts))
	sum := make([]float64, len(xs)+1)
	for i, x := range xs {
		sum[i+1] = sum[i] + x
	}
	total := 0.0
	for c := range cuts[1:] {
		lo, hi := cuts[c], cuts[c+1]
		for i := lo; i < hi && hi-lo > 1; i++ {
			x := xs[i]
			a := (float64(x*float64(i-lo)) - (sum[i] - sum[lo]) + (sum[hi] - sum[i]) - float64(x*float64(hi-i))) /
				float64(hi-lo-1)
			b := math.Inf(1)
			if c > 0 {
				b = x - (sum[lo]-sum[cuts[c-1]])/float64(lo-cuts[c-1])
			}
			if c+2 < len(cuts) {
				b = math.Min(b, (sum[cuts[c+2]]-sum[hi])/float64(cuts[c+2]-hi)-x)
			}
			if most := math.Max(a, b); most > 0 && !math.IsInf(b, 1) {
				total += (b - a) / most
			}
		}
	}
	return total / float64(len(xs))
}

// nearest is the index of the level next to a value; levels ascend.
func nearest(levels []float64, x float64) int {
	i, _ := slices.BinarySearch(levels, x)
	if i == len(levels) || i > 0 && x-levels[i-1] <= levels[i]-x {
		i--
	}
	return i
}

func mean(xs []float64) float64 {
	s := 0.0
	for _, x := range xs {
		s += x
	}
	return s / float64(len(xs))
}

// deviation is the sample standard deviation; 0 of one value.
func deviation(xs []float64) float64 {
	m, s := mean(xs), 0.0
	for _, x := range xs {
		s += float64((x - m) * (x - m))
	}
	return math.Sqrt(s / math.Max(1, float64(len(xs)-1)))
}

// median returns the median of an ascending list.
func median(xs []float64) float64 {
	n := len(xs)
	return (xs[(n-1)/2] + xs[n/2]) / 2
}
