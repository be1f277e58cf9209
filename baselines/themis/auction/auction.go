package auction

import (
	"fmt"
	"math"
)

// Tie is the part by which two products may differ and count as equal: well above the rounding of a
// product of thousands of values.
const Tie = 1e-12

// Auction divides offers. The zero value is ready; it keeps its buffers, so that an auction
// allocates nothing once warm, and what it gives is valid until the next Run.
type Auction struct {
	options     []option
	first       []int32   // of bidder i: its first option; one more at the end
	front, back []Product // of the bidders before i, from i on: the largest product with at most g GPUs
	won, before []Product // of bidder i: its value at the split, and the product of those before
	gpus        []int
	kept        []float64
	best        Product
}

// option is a count at which a table rises above all smaller counts.
type option struct {
	gpus  int
	value Product
}

// Outcome is what an auction gives.
type Outcome struct {
	// GPUs are the counts of the split, by bidder; at most the offer in total.
	GPUs []int
	// Kept is the fraction c_i of them that each bidder keeps, 0 to 1.
	Kept []float64
	// Product is the product of the values at the split.
	Product Product
}

// Check reports the first bid that no auction takes: every table needs a value at 0 GPUs, and
// values are finite and > 0.
func Check(bids [][]float64) error {
	for i, b := range bids {
		if len(b) == 0 {
			return fmt.Errorf("bidder %d: no values, expected one at 0 GPUs at least", i)
		}
		for n, x := range b {
			if !(x > 0) || math.IsInf(x, 1) {
				return fmt.Errorf("bidder %d: the value %v at %d GPUs, expected a finite one > 0", i, x, n)
			}
		}
	}
	return nil
}

// Run divides an offer of identical GPUs. bids[i][n] is bidder i's value at n GPUs of the offer;
// its last holds for more too. The bids must pass Check.
func (a *Auction) Run(bids [][]float64, gpus int) Outcome {
	gpus = a.list(bids, max(gpus, 0))
	n, width := len(bids), gpus+1
	a.open(n, width)
	for i := range n {
		a.extend(i, a.front[i*width:(i+1)*width], a.front[(i+1)*width:(i+2)*width])
	}
	for i := n - 1; i >= 0; i-- {
		a.extend(i, a.back[(i+1)*width:(i+2)*width], a.back[i*width:(i+1)*width])
	}
	a.split(n, gpus)
	a.charge(n, gpus)
	return Outcome{a.gpus, a.kept, a.best}
}

// list lists the options, and gives how many GPUs of the offer anyone can use.
func (a *Auction) list(bids [][]float64, gpus int) int {
	a.options, a.first = a.options[:0], a.first[:0]
	used := 0
	for _, b := range bids {
		a.first = append(a.first, int32(len(a.options)))
		most, at := math.Inf(-1), 0
		for k := 0; k < len(b) && k <= gpus; k++ {
			if b[k] > most {
				most, at = b[k], k
				a.options = append(a.options, option{k, product(b[k])})
			}
		}
		used = min(gpus, used+at)
	}
	a.first = append(a.first, int32(len(a.options)))
	return used
}

// open sets the products of no bidder.
func (a *Auction) open(n, width int) {
	a.front, a.back = sized(a.front, (n+1)*width), sized(a.back, (n+1)*width)
	for g := range width {
		a.front[g], a.back[n*width+g] = one, one
	}
	a.gpus, a.kept, a.won, a.before = sized(a.gpus, n), sized(a.kept, n), sized(a.won, n), sized(a.before, n)
}

// sized gives a slice of a length, whatever is in it, with room to grow where it is made anew.
func sized[T any](s []T, n int) []T {
	if cap(s) < n {
		return make([]T, n, n+n/2)
	}
	return s[:n]
}

// of are a bidder's options, by count.
func (a *Auction) of(i int) []option { return a.options[a.first[i]:a.first[i+1]] }

// extend sets to[g] to the largest product of some bidders and i with at most g GPUs, from the
// others' product.
func (a *Auction) extend(i int, from, to []Product) {
	options := a.of(i)
	for g := range to {
		best := options[0].value.times(from[g])
		for _, o := range options[1:] {
			if o.gpus > g {
				break
			}
			if p := o.value.times(from[g-o.gpus]); best.less(p) {
				best = p
			}
		}
		to[g] = best
	}
}

// split walks from the first bidder to the last: each gets the fewest GPUs with which the largest
// product can still be had.
func (a *Auction) split(n, gpus int) {
	width, left, so := gpus+1, gpus, one
	most := a.back[gpus]
	for i := range n {
		rest, took, best := a.back[(i+1)*width:(i+2)*width], option{}, Product{}
		for _, o := range a.of(i) {
			if o.gpus > left {
				break
			}
			p := so.times(o.value).times(rest[left-o.gpus])
			if p.ties(most) {
				took = o
				break
			}
			if best.less(p) { // not reached but by the rounding of more than thousands of values
				took, best = o, p
			}
		}
		a.gpus[i], a.won[i], a.before[i] = took.gpus, took.value, so
		left -= took.gpus
		so = so.times(took.value)
	}
	a.best = so
}

// charge sets the fraction that each bidder keeps.
func (a *Auction) charge(n, gpus int) {
	width, after := gpus+1, one
	for i := n - 1; i >= 0; i-- {
		others := a.before[i].times(after) // multiplied anew: a division would round
		best := others
		for g := range width {
			if p := a.front[i*width+g].times(a.back[(i+1)*width+gpus-g]); best.less(p) {
				best = p
			}
		}
		a.kept[i] = others.over(best)
		after = after.times(a.won[i])
	}
}
