package models

import (
	"errors"
	"fmt"
	"io"
	"math"
	"strconv"

	"tarry/internal/yamldoc"
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
// Unknown and repeated fields are faults. All faults are reported, up to 20, as file:line.
func ReadYAML(r io.Reader, file string) (*Profile, error) {
	y := reader{file: file}
	text, err := yamldoc.LoadFrom(r)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", file, err)
	}
	root, fault := yamldoc.Parse(text, "a profile")
	if fault != nil {
		return nil, fault.In(file)
	}
	p := &Profile{}
	y.fields(root, "profile", map[string]func(*yamldoc.Node){
		"name":      func(n *yamldoc.Node) { p.Name = y.text(n, "name") },
		"aliases":   func(n *yamldoc.Node) { p.Aliases = y.texts(n, "aliases") },
		"doc":       func(n *yamldoc.Node) { p.Doc = y.text(n, "doc") },
		"reference": func(n *yamldoc.Node) { p.Reference = y.text(n, "reference") },
		"batch":     func(n *yamldoc.Node) { p.Batch = int(y.whole(n, "batch", math.MaxInt32)) },
		"params":    func(n *yamldoc.Node) { p.Params = y.whole(n, "params", 1<<50) },
		"mem_mib":   func(n *yamldoc.Node) { p.MemMiB = y.whole(n, "mem_mib", 1<<40) },
		"sources":   func(n *yamldoc.Node) { p.Sources = y.texts(n, "sources") },
		"layers": func(n *yamldoc.Node) {
			if n.Kind != yamldoc.List {
				y.bad(n, "layers is not a list, expected a list of layers")
				return
			}
			for _, c := range n.Content {
				p.Layers = append(p.Layers, y.layer(c))
			}
		},
	})
	if len(y.errs) == 0 {
		if err := p.Validate(); err != nil {
			y.bad(root, "%v", err)
		}
	}
	if len(y.errs) > 0 {
		return nil, errors.Join(y.errs...)
	}
	return p, nil
}

// reader collects the faults of one file.
type reader struct {
	file string
	errs []error
}

func (y *reader) bad(n *yamldoc.Node, format string, args ...any) {
	if len(y.errs) < maxFaults {
		y.errs = append(y.errs, fmt.Errorf("%s:%d: %s", y.file, n.Line, fmt.Sprintf(format, args...)))
	}
}

// fields calls the reader of each field of a mapping.
func (y *reader) fields(n *yamldoc.Node, what string, read map[string]func(*yamldoc.Node)) {
	if n.Kind != yamldoc.Mapping {
		y.bad(n, "%s is not a mapping, expected fields such as name", what)
		return
	}
	seen := map[string]bool{}
	for i := 0; i+1 < len(n.Content); i += 2 {
		k, v := n.Content[i], n.Content[i+1]
		f, ok := read[k.Value]
		switch {
		case !ok:
			y.bad(k, "unknown field %q of a %s", k.Value, what)
		case seen[k.Value]:
			y.bad(k, "field %q appears twice", k.Value)
		default:
			f(v)
		}
		seen[k.Value] = true
	}
}

func (y *reader) layer(n *yamldoc.Node) Layer {
	var l Layer
	us := func(to *float64, field string) func(*yamldoc.Node) {
		return func(n *yamldoc.Node) { *to = float64(y.number(n, field) * 1e3) }
	}
	y.fields(n, "layer", map[string]func(*yamldoc.Node){
		"name":           func(n *yamldoc.Node) { l.Name = y.text(n, "name") },
		"forward_us":     us(&l.ForwardNS, "forward_us"),
		"input_grad_us":  us(&l.InputGradNS, "input_grad_us"),
		"weight_grad_us": us(&l.WeightGradNS, "weight_grad_us"),
		"update_us":      us(&l.UpdateNS, "update_us"),
		"bytes":          func(n *yamldoc.Node) { l.Bytes = y.whole(n, "bytes", 1<<50) },
	})
	return l
}

func (y *reader) text(n *yamldoc.Node, field string) string {
	if n.Kind != yamldoc.Scalar || n.Value == "" {
		y.bad(n, "%s is empty or not a text, expected a text", field)
		return ""
	}
	return n.Value
}

func (y *reader) texts(n *yamldoc.Node, field string) []string {
	if n.Kind != yamldoc.List {
		y.bad(n, "%s is not a list, expected a list of texts", field)
		return nil
	}
	var out []string
	for _, c := range n.Content {
		out = append(out, y.text(c, field))
	}
	return out
}

func (y *reader) whole(n *yamldoc.Node, field string, most int64) int64 {
	v, err := strconv.ParseInt(n.Value, 10, 64)
	if n.Kind != yamldoc.Scalar || err != nil || v < 0 || v > most {
		y.bad(n, "%s is %q, expected a whole number, 0..%d", field, n.Value, most)
		return 0
	}
	return v
}

func (y *reader) number(n *yamldoc.Node, field string) float64 {
	v, err := strconv.ParseFloat(n.Value, 64)
	if n.Kind != yamldoc.Scalar || err != nil || !(v >= 0) || v > 1e12 {
		y.bad(n, "%s is %q, expected microseconds, 0..1e12", field, n.Value)
		return 0
	}
	return v
}
