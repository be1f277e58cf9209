package rng

import "testing"

// TestBatchesAreSingleDraws: numbers that are drawn many at a time are those of single calls, also where most words are rejected.
func TestBatchesAreSingleDraws(t *testing.T) {
	one, many := Source{Seed: 5}.Stream("x"), Source{Seed: 5}.Stream("x")
	sizes := []int{1, 2, 3, 7, 64, 1000, 25_000, 1<<62 + 1, 3 << 61, 1<<63 - 1}
	for k, n := range append(sizes, sizes...) {
		ix := make([]int, 1+37*k)
		many.Indices(ix, n)
		for i, got := range ix {
			if want := one.IntN(n); got != want {
				t.Fatalf("index %d below %d is %d, want %d", i, n, got, want)
			}
		}
		words := make([]uint64, 11*k)
		many.Words(words)
		for i, got := range words {
			if want := one.Uint64(); got != want {
				t.Fatalf("word %d is %d, want %d", i, got, want)
			}
		}
	}
}

// TestSumIsOfIndices: with a range of which most words are rejected, too.
func TestSumIsOfIndices(t *testing.T) {
	s := Source{Seed: 6}.Stream("x")
	for _, n := range []int{1, 2, 3, 64, 1000} {
		words, table := make([]uint64, 500), make([]uint64, n)
		s.Words(words)
		s.Words(table)
		for _, r := range []Range{Below(n), {uint64(n), 1 << 63}} {
			want, count := uint64(0), 0
			for _, w := range words {
				if i, ok := r.Index(w); ok {
					want += table[i]
					count++
				}
			}
			if got, drawn := r.Sum(table, words); got != want || drawn != count {
				t.Errorf("sum below %d is %d of %d, want %d of %d", n, got, drawn, want, count)
			}
		}
	}
}
