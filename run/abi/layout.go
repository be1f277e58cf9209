package abi

import (
	"fmt"
	"unsafe"

	"tarry/env"
)

// Column is one array of the buffer: Count numbers for each environment, environment after
// environment.
type Column struct {
	Name string `json:"name"`
	// Type is f8, i1 or u8 (a uint64).
	Type string `json:"type"`
	// Offset counts bytes from the start of the buffer, a multiple of 64.
	Offset int `json:"offset"`
	// Count is how many numbers each environment has, >= 1.
	Count int `json:"count"`
}

// align is what every column starts at: a line of the cache.
const align = 64

// sizeOf is the bytes of a number of a type.
func sizeOf(typ string) int {
	if typ == "i1" {
		return 1
	}
	return 8
}

// slots is how many places the observations of a group have; the column slot begins with a number, 0
// to slots-1: where the next call writes. A caller whose program still refers to an observation
// leaves its slot alone and chooses another, in place of a copy.
const slots = 3

// slotted is from how many numbers on an observation has slots: fewer are copied as fast.
// mostSlotted is up to how many numbers all observations of a group have them: memory of three
// times as many is no gain where it leaves the processor's caches.
const (
	slotted     = 16
	mostSlotted = 1 << 17
)

// layoutOf lists the columns of n environments and the bytes of all. The names ending in _final are
// what a step led to where Obs and its companions are already of the next episode.
func layoutOf(s *env.Spec, n int) (columns []Column, bytes int) {
	mask, spare, slot := 0, 0, 0
	if s.Masked {
		mask = env.MaskLen(s.Action)
	}
	if k := s.Observation.Len(); k >= slotted && n*k <= mostSlotted {
		spare, slot = s.Observation.Len(), 1
	}
	for _, c := range []Column{
		{"action", "f8", 0, s.Action.Len()}, {"obs", "f8", 0, s.Observation.Len()}, {"reward", "f8", 0, 1},
		{"elapsed", "f8", 0, 1},
		{"metrics", "f8", 0, len(s.Metrics)}, {"mask", "i1", 0, mask}, {"terminated", "i1", 0, 1},
		{"truncated", "i1", 0, 1},
		{"obs_final", "f8", 0, s.Observation.Len()}, {"elapsed_final", "f8", 0, 1},
		{"metrics_final", "f8", 0, len(s.Metrics)}, {"mask_final", "i1", 0, mask},
		{"seed", "u8", 0, 1}, {"seeded", "i1", 0, 1}, {"chosen", "i1", 0, 1},
		{"obs_1", "f8", 0, spare}, {"obs_2", "f8", 0, spare}, {"slot", "u8", 0, slot},
	} {
		if c.Count == 0 {
			continue
		}
		c.Offset = bytes
		bytes += (n*c.Count*sizeOf(c.Type) + align - 1) / align * align
		columns = append(columns, c)
	}
	return columns, bytes
}

// buffer is the columns in the caller's memory; columns that the layout lacks are empty.
type buffer struct {
	// obs is the slot in use, of shown.
	action, obs, reward, elapsed, metrics  []float64
	obsFinal, elapsedFinal, metricsFinal   []float64
	mask, terminated, truncated, maskFinal []int8
	seed, slot                             []uint64
	shown                                  [slots][]float64
	seeded, chosen                         []int8
}

// view lays the columns over the caller's memory.
func view(columns []Column, n, bytes int, memory []byte) (*buffer, error) {
	switch {
	case len(memory) != bytes:
		return nil, fmt.Errorf("a buffer of %d bytes, expected %d", len(memory), bytes)
	case uintptr(unsafe.Pointer(&memory[0]))%8 != 0:
		return nil, fmt.Errorf("a buffer that starts at no multiple of 8, expected one")
	}
	b := &buffer{}
	floats := map[string]*[]float64{"action": &b.action, "obs": &b.shown[0], "obs_1": &b.shown[1],
		"obs_2": &b.shown[2], "reward": &b.reward, "elapsed": &b.elapsed, "metrics": &b.metrics,
		"obs_final": &b.obsFinal, "elapsed_final": &b.elapsedFinal, "metrics_final": &b.metricsFinal}
	flags := map[string]*[]int8{"mask": &b.mask, "terminated": &b.terminated, "truncated": &b.truncated,
		"mask_final": &b.maskFinal, "seeded": &b.seeded, "chosen": &b.chosen}
	counts := map[string]*[]uint64{"seed": &b.seed, "slot": &b.slot}
	for _, c := range columns {
		at, k := unsafe.Pointer(&memory[c.Offset]), n*c.Count
		switch c.Type {
		case "f8":
			*floats[c.Name] = unsafe.Slice((*float64)(at), k)
		case "i1":
			*flags[c.Name] = unsafe.Slice((*int8)(at), k)
		case "u8":
			*counts[c.Name] = unsafe.Slice((*uint64)(at), k)
		}
	}
	b.obs = b.shown[0]
	return b, nil
}

// flags writes yes and no as 1 and 0.
func flags(dst []int8, from []bool) {
	for i, yes := range from {
		dst[i] = flag(yes)
	}
}

func flag(yes bool) int8 {
	if yes {
		return 1
	}
	return 0
}
