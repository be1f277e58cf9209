package rng

import (
	"bytes"
	"testing"
)

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
		words := make([]uint64, 211*k+n%5)
		many.Words(words)
		for i, got := range words {
			if want := one.Uint64(); got != want {
				t.Fatalf("word %d is %d, want %d", i, got, want)
			}
		}
		a, err := one.MarshalBinary()
		b, err2 := many.MarshalBinary()
		if err != nil || err2 != nil || !bytes.Equal(a, b) {
			t.Fatalf("states are %x %v and %x %v", a, err, b, err2)
		}
	}
}

// TestWordsAtEveryPlace: batches of any length begin and end anywhere in what one seed gives.
func TestWordsAtEveryPlace(t *testing.T) {
	for start := range 2 * perGroup {
		for length := many - 2; length < many+2*perGroup; length += 7 {
			one, many := Source{Seed: 7}.Stream("x"), Source{Seed: 7}.Stream("x")
			for range start {
				one.Uint64()
				many.Uint64()
			}
			words := make([]uint64, length)
			many.Words(words)
			for i, got := range append(words, many.Uint64()) {
				if want := one.Uint64(); got != want {
					t.Fatalf("word %d of %d after %d is %d, want %d", i, length, start, got, want)
				}
			}
		}
	}
}

// BenchmarkWords: numbers of a stream in batches, and one at a time.
func BenchmarkWords(b *testing.B) {
	s := Source{}.Stream("x")
	words := make([]uint64, 2048)
	b.Run("batch", func(b *testing.B) {
		b.SetBytes(int64(8 * len(words)))
		for b.Loop() {
			s.Words(words)
		}
	})
	b.Run("single", func(b *testing.B) {
		b.SetBytes(int64(8 * len(words)))
		for b.Loop() {
			for i := range words {
				words[i] = s.Uint64()
			}
		}
	})
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
