package models

import "fmt"

// The reference GPUs; see the package comment for the derivation.
const (
	reference = "NVIDIA V100, single precision"
	flopPerS  = 6.9e12
	bytePerS  = 720e9

	reference16 = "NVIDIA A100 SXM of 80 GB, bf16"
	flopPerS16  = 175e12
	bytePerS16  = 1.63e12
)

// device is a GPU and a precision that times are stated for.
type device struct {
	name               string
	flopPerS, bytePerS float64 // sustained
	elem               int64   // bytes of an activation and of a gradient
	shards             bool    // weights, gradients and optimiser states are divided between a job's GPUs
}

// single is the reference GPU of the models up to GPT-2, half is for later models.
func single() device { return device{reference, flopPerS, bytePerS, 4, false} }
func half() device   { return device{reference16, flopPerS16, bytePerS16, 2, true} }

// bytesPerParam are of weights, gradients and optimiser states: 4 + 4 + 8 in single precision, 2 + 2 +
// 12 (a copy in single precision and two states) with bf16.
const bytesPerParam = 16

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

// profile gives the layers their times on the reference GPU of single precision.
func (n *net) profile(i info) *Profile { return n.on(single(), i) }

// on gives the layers their times on a device.
func (n *net) on(d device, i info) *Profile {
	p := &Profile{
		Name: i.name, Aliases: i.aliases, Doc: i.doc, Batch: i.batch, Reference: d.name,
		Sources: append(i.sources, fmt.Sprintf("times: roofline of %.3g FLOP/s and %.3g B/s, see package models",
			d.flopPerS, d.bytePerS)),
	}
	p.Layers = make([]Layer, 0, len(n.ops))
	acts, most := int64(0), int64(0)
	for _, o := range n.ops {
		b := float64(i.batch)
		t := max(2*float64(o.macs)*b/d.flopPerS, float64(d.elem)*float64(o.in+o.out)*b/d.bytePerS) * 1e9
		l := Layer{Name: o.name, ForwardNS: t, InputGradNS: t}
		passes := 2
		if o.params > 0 {
			l.WeightGradNS = t
			passes = 3
		}
		if !o.noReduce {
			l.Bytes = d.elem * o.params
		}
		p.Layers = append(p.Layers, l)
		p.Params += o.params
		p.FLOPs += float64(2*passes) * float64(o.macs)
		acts += o.out
		most = max(most, o.params)
	}
	p.MemMiB = (bytesPerParam*p.Params + d.elem*acts*int64(i.batch)) >> 20
	if d.shards { // the weights of one layer at a time are gathered
		p.StatesMiB = bytesPerParam * p.Params >> 20
		p.MemMiB += d.elem * most >> 20
	}
	return p
}
