package models

import (
	"io"
	"math"

	"tarry/sim/param"
)

// ReadYAML reads a profile:
//
//	name: tiny            # required
//	aliases: [t]          # all others but layers are optional
//	doc: a tiny model
//	reference: NVIDIA V100
//	batch: 32             # samples per GPU
//	params: 1000
//	mem_mib: 100
//	sources: ["measured by hand"]
//	layers:               # first to last
//	  - name: fc          # times in microseconds; what is left out is 0
//	    forward_us: 10
//	    input_grad_us: 10
//	    weight_grad_us: 10
//	    update_us: 0
//	    bytes: 4000       # all-reduced
//
// Unknown and repeated fields are faults. All faults are reported, up to param.MaxFaults, as
// file:line:column.
func ReadYAML(r io.Reader, file string) (*Profile, error) {
	s, err := param.ReadYAMLFrom(r, file)
	if err != nil {
		return nil, err
	}
	p := &Profile{
		Name:      s.Text("name", ""),
		Aliases:   s.Texts("aliases", nil),
		Doc:       s.Text("doc", ""),
		Reference: s.Text("reference", ""),
		Batch:     s.Int("batch", 0, 0, math.MaxInt32),
		Params:    s.Int64("params", 0, 0, 1<<50),
		MemMiB:    s.Int64("mem_mib", 0, 0, 1<<40),
		Sources:   s.Texts("sources", nil),
	}
	for _, l := range s.List("layers") {
		p.Layers = append(p.Layers, layer(l))
	}
	if err := s.Err(); err != nil {
		return nil, err
	}
	if err := p.Validate(); err != nil {
		s.Fault("%w", err)
	}
	if err := s.Err(); err != nil {
		return nil, err
	}
	return p, nil
}

func layer(s *param.Set) Layer {
	const most = 1e12
	ns := func(key string) float64 { return float64(s.Float(key, 0, 0, most) * 1e3) }
	return Layer{
		Name:         s.Text("name", ""),
		ForwardNS:    ns("forward_us"),
		InputGradNS:  ns("input_grad_us"),
		WeightGradNS: ns("weight_grad_us"),
		UpdateNS:     ns("update_us"),
		Bytes:        s.Int64("bytes", 0, 0, 1<<50),
	}
}
