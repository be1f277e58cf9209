package rng

import (
	"fmt"
	"testing"
)

// The numbers of a stream are part of every published result: they must never move.
func TestStreamsAreFrozen(t *testing.T) {
	for _, c := range []struct {
		src  Source
		name string
		want [3]uint64
	}{
		{Source{}, "arrivals", [3]uint64{14657483623558932746, 13881502869829220494, 16111777517776714899}},
		{Source{Seed: 1, Experiment: "e", Cell: "policy=dally", Replicate: 2}, "models",
			[3]uint64{4318037047028872160, 12237075235209223259, 11678122698928715791}},
	} {
		s := c.src.Stream(c.name)
		for i, w := range c.want {
			if g := s.Uint64(); g != w {
				t.Errorf("%+v %q draw %d = %d, want %d", c.src, c.name, i, g, w)
			}
		}
	}
}

func TestStreamsDiffer(t *testing.T) {
	seen := map[uint64]string{}
	for _, src := range []Source{{}, {Seed: 1}, {Replicate: 1}, {Experiment: "a"}, {Cell: "a"},
		{Experiment: "ab", Cell: "c"}, {Experiment: "a", Cell: "bc"}} {
		for _, name := range []string{"a", "b", ""} {
			v := src.Stream(name).Uint64()
			id := fmt.Sprintf("%+v/%s", src, name)
			if other, dup := seen[v]; dup {
				t.Errorf("%s and %s start with the same number", id, other)
			}
			seen[v] = id
		}
	}
}

func TestSaveAndRestore(t *testing.T) {
	s := Source{Seed: 7}.Stream("x")
	for range 100 {
		s.NormFloat64()
	}
	state, err := s.MarshalBinary()
	if err != nil {
		t.Fatal(err)
	}
	want := s.Uint64()
	var r Stream
	if err := r.UnmarshalBinary(state); err != nil {
		t.Fatal(err)
	}
	if got := r.Uint64(); got != want {
		t.Errorf("restored stream gives %d, want %d", got, want)
	}
	if err := r.UnmarshalBinary([]byte("no")); err == nil {
		t.Error("a broken state was accepted")
	}
}

func TestClone(t *testing.T) {
	var none *Stream
	if none.Clone() != nil {
		t.Error("a clone of no stream is one")
	}
	for drawn := range 70 { // the generator keeps up to 32 numbers in advance
		s := Source{Seed: 7}.Stream("x")
		for range drawn {
			s.Uint64()
		}
		c := s.Clone()
		want := Source{Seed: 7}.Stream("x")
		for range drawn {
			want.Uint64()
		}
		for range 40 { // the clone draws first: neither moves the other
			c.Uint64()
		}
		for i := range 100 {
			if got, want := s.Uint64(), want.Uint64(); got != want {
				t.Fatalf("after %d draws and a clone, number %d is %d, expected %d", drawn, i, got, want)
			}
		}
		again := Source{Seed: 7}.Stream("x")
		for range drawn + 40 {
			again.Uint64()
		}
		if got, want := c.Uint64(), again.Uint64(); got != want {
			t.Errorf("after %d draws the clone gives %d, expected %d", drawn, got, want)
		}
	}
}
