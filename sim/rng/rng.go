// Package rng hands out named random streams.
//
// A stream's seed is a hash of (seed, experiment, cell, replicate, name), so that a
// new consumer never shifts another's numbers and a trial is a pure function of its
// configuration and seed. Streams are handed in, never fetched: there is no global one.
package rng

import (
	"crypto/sha256"
	"encoding/binary"
	"math/rand/v2"
)

// Source names a family of streams: everything that identifies a trial but the
// stream's own name. The zero value is a valid source with seed 0.
type Source struct {
	// Seed is the user's seed.
	Seed uint64
	// Experiment and Cell name the question and its cell; "" outside experiments.
	Experiment, Cell string
	// Replicate numbers the repetitions of one cell, from 0.
	Replicate uint64
}

// Stream is one named stream: a math/rand/v2 generator whose state can be saved.
type Stream struct {
	*rand.Rand
	src *rand.ChaCha8
}

// Stream gives the stream of that name, at its start. Two calls with the same
// name give two streams with the same numbers.
func (s Source) Stream(name string) *Stream {
	h := sha256.New()
	var n [8]byte
	u64 := func(v uint64) {
		binary.LittleEndian.PutUint64(n[:], v)
		h.Write(n[:])
	}
	// Every string is preceded by its length, so that no two sources collide.
	str := func(v string) {
		u64(uint64(len(v)))
		h.Write([]byte(v))
	}
	str("tarry/rng/v1")
	u64(s.Seed)
	str(s.Experiment)
	str(s.Cell)
	u64(s.Replicate)
	str(name)
	var key [32]byte
	copy(key[:], h.Sum(nil))
	src := rand.NewChaCha8(key)
	return &Stream{Rand: rand.New(src), src: src}
}

// MarshalBinary saves the state.
func (s *Stream) MarshalBinary() ([]byte, error) { return s.src.MarshalBinary() }

// UnmarshalBinary restores a state saved by MarshalBinary.
func (s *Stream) UnmarshalBinary(data []byte) error {
	if s.src == nil {
		s.src = rand.NewChaCha8([32]byte{})
		s.Rand = rand.New(s.src)
	}
	return s.src.UnmarshalBinary(data)
}

// Clone gives an independent stream that continues with the same numbers; nil of nil.
func (s *Stream) Clone() *Stream {
	if s == nil {
		return nil
	}
	src := *s.src
	return &Stream{Rand: rand.New(&src), src: &src}
}
