package models

import (
	"errors"
	"fmt"
	"math"
)

// Layer is one layer of a profile. Times are nanoseconds per iteration on the
// reference GPU at the profile's batch; finite and >= 0.
type Layer struct {
	Name string
	// ForwardNS, InputGradNS and WeightGradNS are the compute of the three passes.
	ForwardNS, InputGradNS, WeightGradNS float64
	// UpdateNS passes after the all-reduce before the weights can be used.
	UpdateNS float64
	// Bytes of gradient are all-reduced; >= 0.
	Bytes int64
}

// Profile is one model.
type Profile struct {
	// Name is the catalogue's name, lower case; Aliases are other names of it.
	Name    string
	Aliases []string
	// Doc is one line.
	Doc string
	// Layers run first to last in the forward pass; at least one.
	Layers []Layer
	// Params is the number of trained parameters; 0 = unknown.
	Params int64
	// Batch is the number of samples per GPU and iteration; 0 = unknown.
	Batch int
	// Reference names the GPU of the times.
	Reference string
	// FLOPs are the operations of the passes over one sample; 0 = unknown.
	FLOPs float64
	// MemMiB is an estimate of the memory of one GPU that trains alone; 0 = unknown.
	MemMiB int64
	// StatesMiB is the part of MemMiB (weights, gradients, states of the optimiser) that a job divides
	// between its GPUs; 0 = each has all of it.
	StatesMiB int64
	// Sources state where the figures come from.
	Sources []string
	// Warnings are doubts that a reader had about the file.
	Warnings []string
}

// Bytes is the sum of all layers' gradients.
func (p *Profile) Bytes() int64 {
	n := int64(0)
	for _, l := range p.Layers {
		n += l.Bytes
	}
	return n
}

// NeedMiB is the memory of each GPU of a job with so many; 0 = unknown.
func (p *Profile) NeedMiB(gpus int) int64 {
	n := int64(max(gpus, 1))
	return p.MemMiB - p.StatesMiB + (p.StatesMiB+n-1)/n
}

// ComputeNS is one iteration's compute. The first layer needs no input gradient.
func (p *Profile) ComputeNS() float64 {
	t := 0.0
	for i, l := range p.Layers {
		t += l.ForwardNS + l.WeightGradNS
		if i > 0 {
			t += l.InputGradNS
		}
	}
	return t
}

// Validate reports every fault.
func (p *Profile) Validate() error {
	var errs []error
	bad := func(format string, args ...any) { errs = append(errs, fmt.Errorf(format, args...)) }
	if p.Name == "" {
		bad("name is empty, expected the model's name")
	}
	if len(p.Layers) == 0 {
		bad("no layers, expected at least one")
	}
	for i, l := range p.Layers {
		for _, v := range [...]struct {
			field string
			ns    float64
		}{{"forward", l.ForwardNS}, {"input_grad", l.InputGradNS}, {"weight_grad", l.WeightGradNS},
			{"update", l.UpdateNS}} {
			if !(v.ns >= 0) || math.IsInf(v.ns, 0) {
				bad("layer %d (%q): %s is %v ns, expected a finite number >= 0", i, l.Name, v.field, v.ns)
			}
		}
		if l.Bytes < 0 {
			bad("layer %d (%q): bytes is %d, expected >= 0", i, l.Name, l.Bytes)
		}
	}
	if len(errs) == 0 && !(p.ComputeNS() > 0) {
		bad("no compute at all, expected some time > 0")
	}
	if p.Params < 0 || p.Batch < 0 || p.MemMiB < 0 {
		bad("params %d, batch %d, memory %d MiB, expected >= 0", p.Params, p.Batch, p.MemMiB)
	}
	return errors.Join(errs...)
}
