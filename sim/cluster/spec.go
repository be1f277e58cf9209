// Package cluster is hardware as data: a tree of racks, machines, slots and GPUs,
// and the free list over it. It is bookkeeping only, without time.
//
// Reading guide: Spec states what to build, Topology is the immutable tree, Free is
// the indexed free list with an undo journal, Shape is the summary of an allocation
// that speed models look at.
package cluster

import (
	"errors"
	"fmt"
	"strconv"
	"strings"

	"tarry/sim/mig"
)

// GPU is the index of a GPU. GPUs are numbered machine by machine, machines rack by
// rack, so every unit of the tree is a run of consecutive numbers.
type GPU int32

// Level is a level of the tree, from the finest outwards.
type Level uint8

// The levels. An allocation's level is the smallest unit that holds all of it.
const (
	LevelGPU Level = iota
	LevelSlot
	LevelMachine
	LevelRack
	LevelCluster
)

// String is the level's name as results print it: gpu, slot, machine, rack, network.
func (l Level) String() string {
	return [...]string{"gpu", "slot", "machine", "rack", "network"}[l]
}

// Machines describes a run of equal machines.
type Machines struct {
	// Count is how many; >= 1.
	Count int
	// GPUs is the number of GPUs in each; 1..64.
	GPUs int
	// Slots divides the GPUs into that many equal, tightly linked groups; 0 or 1 = the machine is
	// one group.
	Slots int
	// Type names the GPU type; "" = the reference type.
	Type string
	// CPUMilli and MemMiB are the machine's; 0 = not constrained.
	CPUMilli, MemMiB int64
	// MIG names the device of sim/mig whose instances each GPU may be cut into; "" = none.
	MIG string `json:",omitempty"`
	// GPUMiB is the memory of each GPU; 0 = not constrained.
	GPUMiB int64 `json:",omitempty"`
}

// Spec describes a cluster: per rack, its runs of machines.
type Spec struct {
	Racks [][]Machines
	// Speeds states how fast a type is beside the others, in any unit, for the order of
	// Topology.Fastest; a type that is not listed has 1. It is no part of the hardware as written
	// down.
	Speeds map[string]float64 `json:"-"`
	// Names are the names of the machines in their order, by which traces name them too; nil = they
	// have none.
	Names []string `json:"-"`
}

// GPUs is the number of GPUs in all.
func (s Spec) GPUs() int {
	n := 0
	for _, rack := range s.Racks {
		for _, m := range rack {
			n += m.Count * m.GPUs
		}
	}
	return n
}

// Uniform is racks x machines x GPUs, each machine divided into slots.
func Uniform(racks, machines, gpus, slots int) Spec {
	s := Spec{Racks: make([][]Machines, max(racks, 0))}
	for r := range s.Racks {
		s.Racks[r] = []Machines{{Count: machines, GPUs: gpus, Slots: slots}}
	}
	return s
}

// ParseDims reads "RxMxG", racks x machines per rack x GPUs per machine, such as "8x8x8".
func ParseDims(s string) (racks, machines, gpus int, err error) {
	p := strings.Split(s, "x")
	if len(p) != 3 {
		return 0, 0, 0, fmt.Errorf("cluster %q: expected RxMxG (racks x machines per rack x GPUs per machine), such "+
			"as 8x8x8", s)
	}
	var n [3]int
	for i, name := range [...]string{"racks", "machines per rack", "GPUs per machine"} {
		n[i], err = strconv.Atoi(p[i])
		if err != nil || n[i] < 1 {
			return 0, 0, 0, fmt.Errorf("cluster %q: %s is %q, expected a whole number >= 1", s, name, p[i])
		}
	}
	if n[2] > maxPerMachine {
		return 0, 0, 0, fmt.Errorf("cluster %q: GPUs per machine is %d, expected 1..%d", s, n[2], maxPerMachine)
	}
	if n[0] > maxGPUs/n[1]/n[2] { // neither division nor the bound overflows
		return 0, 0, 0, fmt.Errorf("cluster %q: more than %d GPUs, expected fewer", s, maxGPUs)
	}
	return n[0], n[1], n[2], nil
}

// maxGPUs bounds a cluster; above it indices of GPU and the free index's keys would overflow.
const maxGPUs = 1 << 24

// maxPerMachine is the width of the mask in which a machine's free GPUs are kept.
const maxPerMachine = 64

// Validate reports every fault of the spec.
func (s Spec) Validate() error {
	var errs []error
	if len(s.Racks) == 0 {
		errs = append(errs, errors.New("no racks, expected at least one"))
	}
	total := 0
	for r, rack := range s.Racks {
		if len(rack) == 0 {
			errs = append(errs, fmt.Errorf("rack %d: no machines, expected at least one", r))
		}
		for i, m := range rack {
			bad := func(field string, v any, want string) {
				errs = append(errs, fmt.Errorf("rack %d, machines %d: %s is %v, expected %s", r, i, field, v, want))
			}
			if m.Count < 1 || m.Count > maxGPUs {
				bad("count", m.Count, "1..16777216")
			}
			if m.GPUs < 1 || m.GPUs > maxPerMachine {
				bad("gpus", m.GPUs, "1..64")
			}
			if m.Slots < 0 || (m.Slots > 1 && (m.Slots > m.GPUs || m.GPUs%m.Slots != 0)) {
				bad("slots", m.Slots, fmt.Sprintf("a divisor of %d", m.GPUs))
			}
			if m.CPUMilli < 0 {
				bad("cpu_milli", m.CPUMilli, ">= 0")
			}
			if m.MemMiB < 0 {
				bad("mem_mib", m.MemMiB, ">= 0")
			}
			if _, err := mig.Named(m.MIG); err != nil && m.MIG != "" {
				errs = append(errs, fmt.Errorf("rack %d, machines %d: %w", r, i, err))
			}
			if m.GPUMiB < 0 {
				bad("gpu_mem_mib", m.GPUMiB, ">= 0")
			}
			if m.Count >= 1 && m.Count <= maxGPUs && m.GPUs >= 1 && m.GPUs <= maxPerMachine && total <= maxGPUs {
				total += m.Count * m.GPUs
			}
		}
	}
	if total > maxGPUs {
		errs = append(errs, fmt.Errorf("more than %d GPUs, expected fewer", maxGPUs))
	}
	return errors.Join(errs...)
}
