package nn

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"testing"
)

// orders are all orders of n items.
func orders(n int) [][]int {
	if n == 0 {
		return [][]int{nil}
	}
	var out [][]int
	for _, o := range orders(n - 1) {
		for at := range n {
			out = append(out, slices.Insert(slices.Clone(o), at, n-1))
		}
	}
	return out
}

// prefix names what an order has in its first places.
func prefix(order []int, places int) string { return fmt.Sprint(order[:min(places, len(order))]) }

// The probabilities of all orders of the first places sum to 1, each is the probability of choosing
// one item after the other, and the mean of the entropies along orders is the entropy of the law.
func TestRankingIsALaw(t *testing.T) {
	logits := []float64{0.3, -1.2, 2, 0.1}
	for places := range 6 {
		seen, total, entropy, along := map[string]bool{}, 0.0, 0.0, 0.0
		for _, o := range orders(len(logits)) {
			name := prefix(o, places)
			if seen[name] {
				continue
			}
			seen[name] = true
			want, left := 1.0, slices.Clone(o)
			for range min(places, len(o)) {
				sum := 0.0
				for _, j := range left {
					sum += math.Exp(logits[j])
				}
				want *= math.Exp(logits[left[0]]) / sum
				left = left[1:]
			}
			logp, h := RankingLogProb(logits, o, places)
			if math.Abs(math.Exp(logp)-want) > 1e-14 {
				t.Errorf("%d places of %v: probability %v, expected %v", places, o, math.Exp(logp), want)
			}
			total += want
			entropy -= want * logp
			along += want * h
		}
		if math.Abs(total-1) > 1e-13 || math.Abs(entropy-along) > 1e-13 {
			t.Errorf("%d places: probabilities sum to %v, the entropy is %v, along orders %v", places, total, entropy,
				along)
		}
	}
}

// Items sorted by logit + Gumbel noise have the probabilities of the law, by enumeration; an item
// that takes no part changes nothing.
func TestGumbelNoiseDrawsFromTheLaw(t *testing.T) {
	r := stream("gumbel")
	logits := []float64{0.5, -0.7, 99, 1.1, 0}
	in := []int{0, 1, 3, 4}
	const draws, places = 200_000, 2
	count, key := map[string]float64{}, make([]float64, len(logits))
	for range draws {
		for i, l := range logits {
			key[i] = l + Gumbel(1-r.Float64())
		}
		order := slices.Clone(in)
		slices.SortFunc(order, func(a, b int) int { return cmp.Compare(key[b], key[a]) })
		count[prefix(order, places)]++
	}
	chi, cells := 0.0, 0
	for _, o := range orders(len(in)) {
		order := make([]int, len(o))
		for i, at := range o {
			order[i] = in[at]
		}
		name := prefix(order, places)
		got, ok := count[name]
		if !ok {
			continue // was counted
		}
		delete(count, name)
		logp, _ := RankingLogProb(logits, order, places)
		want := draws * math.Exp(logp)
		chi += (got - want) * (got - want) / want
		cells++
	}
	if cells != 12 || len(count) != 0 || chi > 31.3 { // chi-squared of 11 degrees of freedom: beyond once in 1000 runs
		t.Errorf("%d cells, %d unknown, chi-squared %.1f, expected 12, 0 and at most 31.3", cells, len(count), chi)
	}
}

func TestRankingGradient(t *testing.T) {
	r := stream("ranking")
	const rows, items = 4, 6
	for _, places := range []int{1, 3, 9} {
		p := NewParam("logits", rows, items)
		tape := NewTape(rows)
		of := &Rankings{Places: places, Order: make([][]int, rows)}
		logp, entropy := tape.RankingLogProb(tape.Param(p), of)
		weight, data := tape.Vector("weight")
		m, err := tape.Compile(tape.Sum(tape.Add(tape.Mul(weight, logp), tape.Mul(tape.Square(weight), entropy))))
		if err != nil {
			t.Fatal(err)
		}
		checkGradient(t, m, []*Param{p}, func() {
			fill(data, r)
			for i := range of.Order { // the last row is empty, the one before a single item
				of.Order[i] = r.Perm(items)[:[]int{items, 4, 1, 0}[i]]
			}
		})
	}
}

// Logits far apart leave no infinity and no NaN.
func TestRankingOfExtremeLogits(t *testing.T) {
	logp, h := RankingLogProb([]float64{-4000, 0, 4000}, []int{0, 1, 2}, 8)
	if logp != -12000 || h != 0 {
		t.Errorf("log-probability %v and entropy %v, expected -12000 and 0", logp, h)
	}
	if logp, h := RankingLogProb(nil, nil, 8); logp != 0 || h != 0 {
		t.Errorf("of nobody: %v, %v, expected 0", logp, h)
	}
}
