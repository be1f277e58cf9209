package auction_test

import (
	"fmt"
	"math"
	"slices"
	"testing"

	"tarry/baselines/themis/auction"
	"tarry/sim/rng"
)

// economy draws the tables of up to n bidders for an offer of up to 6 GPUs. Some rise at one count
// alone, as rigid jobs do, some stop to rise early, some are equal.
func economy(r *rng.Stream, n int) (bids [][]float64, gpus int) {
	gpus = r.IntN(7)
	for i := range 1 + r.IntN(n) {
		if i > 0 && r.IntN(5) == 0 {
			bids = append(bids, slices.Clone(bids[i-1]))
			continue
		}
		b, most, rigid := []float64{math.Exp(3 * r.NormFloat64())}, 1+r.IntN(gpus+1), r.IntN(3) == 0
		gain := 1 + 3*r.Float64()
		for k := 1; k <= gpus; k++ {
			switch x := b[0] * math.Pow(float64(k), gain/4) * gain; {
			case rigid && k < most:
				b = append(b, b[0])
			case k > most:
				b = append(b, b[k-1])
			default:
				b = append(b, x)
			}
		}
		bids = append(bids, b)
	}
	return bids, gpus
}

// brute tries every split.
func brute(bids [][]float64, gpus int) (split []int, product float64, kept []float64) {
	best := func(skip int) ([]int, float64) {
		var all func(i, left int, so []int, p float64)
		var at []int
		most := 0.0
		all = func(i, left int, so []int, p float64) {
			if i == len(bids) {
				if p > most*(1+auction.Tie) {
					at, most = slices.Clone(so), p
				}
				return
			}
			for n := range left + 1 {
				if i == skip {
					all(i+1, left, append(so, 0), p)
					return
				}
				all(i+1, left-n, append(so, n), p*bids[i][n])
			}
		}
		all(0, gpus, nil, 1)
		return at, most
	}
	split, product = best(-1)
	for i := range bids {
		_, without := best(i)
		others := 1.0
		for k := range bids {
			if k != i {
				others *= bids[k][split[k]]
			}
		}
		kept = append(kept, others/without)
	}
	return split, product, kept
}

// TestBruteForce: split, product and payments equal the result of trying every split of up to six
// GPUs among up to six bidders.
func TestBruteForce(t *testing.T) {
	r := rng.Source{Seed: 16}.Stream("auction")
	var a auction.Auction
	for c := range 1500 {
		bids, gpus := economy(r, 6)
		if err := auction.Check(bids); err != nil {
			t.Fatal(err)
		}
		got := a.Run(bids, gpus)
		split, product, kept := brute(bids, gpus)
		if !slices.Equal(got.GPUs, split) || math.Abs(got.Product.Value()/product-1) > 1e-12 {
			t.Fatalf("case %d: %d GPUs among %v: %v with %v, by brute force %v with %v", c, gpus, bids, got.GPUs,
				got.Product.Value(), split, product)
		}
		for i, k := range got.Kept {
			if math.Abs(k-kept[i]) > 1e-12 || k < 0 || k > 1 {
				t.Fatalf("case %d: bidder %d keeps %v, by brute force %v", c, i, k, kept[i])
			}
		}
	}
}

// TestTruth holds what doc.go states is exact.
func TestTruth(t *testing.T) {
	r := rng.Source{Seed: 16}.Stream("truth")
	var a auction.Auction
	for c := range 1500 {
		bids, gpus := economy(r, 5)
		truth := slices.Clone(bids)
		o := a.Run(bids, gpus)
		split, kept := slices.Clone(o.GPUs), slices.Clone(o.Kept)
		i := r.IntN(len(bids))
		have := kept[i] * truth[i][split[i]]
		scaled, lie := []float64{}, []float64{}
		factor := math.Exp(2 * r.NormFloat64())
		for _, x := range bids[i] {
			scaled, lie = append(scaled, x*factor), append(lie, x*math.Exp(r.NormFloat64()))
		}
		bids[i] = scaled
		if o = a.Run(bids, gpus); !slices.Equal(o.GPUs, split) || math.Abs(o.Kept[i]-kept[i]) > 1e-11 {
			t.Fatalf("case %d: a bid scaled by %v changes %v to %v and %v to %v", c, factor, split, o.GPUs, kept[i],
				o.Kept[i])
		}
		bids[i] = lie
		if o = a.Run(bids, gpus); o.Kept[i]*truth[i][o.GPUs[i]] > have*(1+1e-11) {
			t.Fatalf("case %d: bidder %d has %v by the truth and %v by a lie", c, i, have,
				o.Kept[i]*truth[i][o.GPUs[i]])
		}
	}
}

// TestManyBidders: the product of a thousand bidders' values is out of the range of a float64, and
// the outcome equals the outcome of the same bids in another unit.
func TestManyBidders(t *testing.T) {
	var small, large auction.Auction
	tiny, huge := [][]float64{}, [][]float64{}
	for i := range 1000 {
		b := []float64{1e-3, 2e-3 + 1e-6*float64(i%97), 3e-3}
		tiny, huge = append(tiny, b), append(huge, []float64{1e6 * b[0], 1e6 * b[1], 1e6 * b[2]})
	}
	s, l := small.Run(tiny, 100), large.Run(huge, 100)
	if s.Product.Value() != 0 || !math.IsInf(l.Product.Value(), 1) {
		t.Errorf("products %v and %v, expected 0 and infinity", s.Product.Value(), l.Product.Value())
	}
	sum := 0
	for i, n := range s.GPUs {
		sum += n
		if n != l.GPUs[i] || math.Abs(s.Kept[i]-l.Kept[i]) > 1e-12 || n > 0 && i%97 < 86 {
			t.Fatalf("bidder %d: %d GPUs of which it keeps %v; in another unit %d and %v", i, n, s.Kept[i], l.GPUs[i],
				l.Kept[i])
		}
	}
	if sum != 100 {
		t.Errorf("%d GPUs are split, expected 100", sum)
	}
}

func TestNothingToDivide(t *testing.T) {
	var a auction.Auction
	if o := a.Run(nil, 4); len(o.GPUs) != 0 || o.Product.Value() != 1 {
		t.Errorf("without bidders: %+v", o)
	}
	if o := a.Run([][]float64{{0.5, 1}, {0.25}}, -1); o.GPUs[0]+o.GPUs[1] != 0 || o.Kept[0] != 1 ||
		o.Product.Value() != 0.125 {
		t.Errorf("without an offer: %+v", o)
	}
	for _, bad := range [][][]float64{{{}}, {{1}, {0}}, {{math.NaN()}}, {{1, math.Inf(1)}}, {{-1}}} {
		if auction.Check(bad) == nil {
			t.Errorf("%v passes as bids", bad)
		}
	}
}

// TestSteadyAllocations: an auction allocates nothing once warm.
func TestSteadyAllocations(t *testing.T) {
	bids, gpus := economy(rng.Source{Seed: 3}.Stream("warm"), 6)
	var a auction.Auction
	if n := testing.AllocsPerRun(10, func() { a.Run(bids, gpus) }); n != 0 {
		t.Errorf("%v allocations per auction, expected none", n)
	}
}

func BenchmarkRun(b *testing.B) {
	for _, c := range [][2]int{{16, 8}, {128, 64}, {1000, 16}} {
		b.Run(fmt.Sprintf("bidders=%d/gpus=%d", c[0], c[1]), func(b *testing.B) {
			bids := make([][]float64, c[0])
			for i := range bids {
				for n := range 9 {
					bids[i] = append(bids[i], (1+float64(i%13))*(0.1+math.Sqrt(float64(n))))
				}
			}
			var a auction.Auction
			b.ReportAllocs()
			for b.Loop() {
				a.Run(bids, c[1])
			}
		})
	}
}
