package models

import "fmt"

// The reference GPU; see the package comment for the derivation.
const (
	reference = "NVIDIA V100, single precision"
	flopPerS  = 6.9e12
	bytePerS  = 720e9
)

// shape is a tensor of one sample: channels x height x width.
type shape struct{ c, h, w int }

func (s shape) size() int64 { return int64(s.c) * int64(s.h) * int64(s.w) }

// op is one layer before it has times: counts per sample.
type op struct {
	name     string
	params   int64
	macs     int64
	in, out  int64
	noReduce bool
}

// net collects the layers of one architecture.
type net struct{ ops []op }

func (n *net) add(o op) { n.ops = append(n.ops, o) }

// conv is a convolution; norm adds batch normalisation (two parameters a channel)
// in place of a bias.
type conv struct {
	out, kh, kw  int
	stride       int
	padH, padW   int
	groups       int
	norm, noBias bool
}

func sq(out, k, stride, pad int) conv {
	return conv{out: out, kh: k, kw: k, stride: stride, padH: pad, padW: pad}
}

func (n *net) conv(name string, in shape, c conv) shape {
	g := max(c.groups, 1)
	o := shape{c.out, (in.h+2*c.padH-c.kh)/c.stride + 1, (in.w+2*c.padW-c.kw)/c.stride + 1}
	w := int64(c.out) * int64(in.c/g) * int64(c.kh*c.kw)
	p := w
	switch {
	case c.norm:
		p += 2 * int64(c.out)
	case !c.noBias:
		p += int64(c.out)
	}
	n.add(op{name: name, params: p, macs: w * int64(o.h) * int64(o.w), in: in.size(), out: o.size()})
	return o
}

// linear applies in -> out, with bias, to each of rows vectors.
func (n *net) linear(name string, in, out, rows int, bias bool) {
	p := int64(in) * int64(out)
	macs := p * int64(rows)
	if bias {
		p += int64(out)
	}
	n.add(op{name: name, params: p, macs: macs, in: int64(in) * int64(rows), out: int64(out) * int64(rows)})
}

// embed looks rows vectors up in a table; its traffic is the rows, its gradient the whole table.
func (n *net) embed(name string, entries, width, rows int) {
	n.add(op{name: name, params: int64(entries) * int64(width), in: int64(width) * int64(rows), out: int64(width) *
		int64(rows)})
}

// pool is max pooling without padding.
func pool(in shape, k, stride int) shape {
	return shape{in.c, (in.h-k)/stride + 1, (in.w-k)/stride + 1}
}

// info is what a profile states beside its layers.
type info struct {
	name    string
	aliases []string
	doc     string
	batch   int
	sources []string
}

// profile gives the layers their times.
func (n *net) profile(i info) *Profile {
	p := &Profile{
		Name: i.name, Aliases: i.aliases, Doc: i.doc, Batch: i.batch, Reference: reference,
		Sources: append(i.sources, fmt.Sprintf("times: roofline of %.3g FLOP/s and %.3g B/s, see package models",
			flopPerS, bytePerS)),
	}
	acts := int64(0)
	for _, o := range n.ops {
		b := float64(i.batch)
		t := max(2*float64(o.macs)*b/flopPerS, 4*float64(o.in+o.out)*b/bytePerS) * 1e9
		l := Layer{Name: o.name, ForwardNS: t, InputGradNS: t}
		if o.params > 0 {
			l.WeightGradNS = t
		}
		if !o.noReduce {
			l.Bytes = 4 * o.params
		}
		p.Layers = append(p.Layers, l)
		p.Params += o.params
		acts += o.out
	}
	p.MemMiB = (16*p.Params + 4*acts*int64(i.batch)) >> 20
	return p
}
