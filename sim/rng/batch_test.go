package rng

import (
	"bytes"
	"testing"
)

// TestBatchesAreSingleDraws: numbers that are drawn many at a time equal the numbers of single
// calls.
func TestBatchesAreSingleDraws(t *testing.T) {
	one, many := Source{Seed: 5}.Stream("x"), Source{Seed: 5}.Stream("x")
	for k := range 20 {
		words := make([]uint64, 211*k+k%5)
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
