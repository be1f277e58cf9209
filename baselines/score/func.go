package score

import (
	"fmt"
	"slices"
	"strings"

	"tarry/internal/fixmath"
)

// MostHidden is the largest number of hidden units.
const MostHidden = 64

// Func is a function of some terms. Build it with New; it starts with all weights 0.
type Func struct {
	terms   []term
	inputs  []Input // what hidden units read: the inputs among the terms, and the pressure
	hidden  int
	weights []float64
	reads   [NumInputs]bool
	active  []weighted // the terms whose weight is not 0, in order
}

// weighted is a term with its weight.
type weighted struct {
	weight, center float64
	of             Input
	kind           termKind
	part           int
}

// New is a function of named terms, each once, with hidden units (0 = none, at most MostHidden).
// The error reports every fault.
func New(names []string, hidden int) (*Func, error) {
	f := &Func{hidden: hidden}
	var faults []string
	all := TermNames()
	for i, n := range names {
		switch at := slices.Index(all, n); {
		case at < 0:
			faults = append(faults, fmt.Sprintf("the feature %q is unknown, expected some of %s", n,
				strings.Join(all, ", ")))
		case slices.Contains(names[:i], n):
			faults = append(faults, fmt.Sprintf("the feature %s is given twice, expected once", n))
		default:
			f.terms = append(f.terms, terms()[at])
		}
	}
	if len(names) == 0 {
		faults = append(faults, "no feature is given, expected some of "+strings.Join(all, ", "))
	}
	if hidden < 0 || hidden > MostHidden {
		faults = append(faults, fmt.Sprintf("%d hidden units, expected 0 to %d", hidden, MostHidden))
	}
	if len(faults) > 0 {
		return nil, fmt.Errorf("%s", strings.Join(faults, "; "))
	}
	for _, t := range f.terms {
		if t.kind == plain && t.gate == 0 {
			f.inputs = append(f.inputs, t.of)
		}
	}
	f.inputs = append(f.inputs, Pressure)
	f.Set(make([]float64, len(f.Names())))
	return f, nil
}

// Hidden is how many hidden units there are.
func (f *Func) Hidden() int { return f.hidden }

// Terms names the terms, in order.
func (f *Func) Terms() []string {
	var out []string
	for _, t := range f.terms {
		out = append(out, t.name)
	}
	return out
}

// Names names the weights, in order: one per term, then for each hidden unit its bias, one per
// input and its output.
func (f *Func) Names() []string {
	out, inputs := f.Terms(), InputNames()
	for k := range f.hidden {
		unit := fmt.Sprintf("unit%d.", k+1)
		out = append(out, unit+"bias")
		for _, i := range f.inputs {
			out = append(out, unit+inputs[i])
		}
		out = append(out, unit+"out")
	}
	return out
}

// Weights are the present ones, in the order of Names. They must not be changed.
func (f *Func) Weights() []float64 { return f.weights }

// Set copies weights, in the order of Names. It allocates nothing the second time.
func (f *Func) Set(weights []float64) {
	f.weights = append(f.weights[:0], weights...)
	f.reads, f.active = [NumInputs]bool{}, f.active[:0]
	for i := range f.terms {
		if t, w := &f.terms[i], f.weights[i]; w != 0 {
			f.active = append(f.active, weighted{w, center(t.of), t.of, t.kind, t.part()})
			f.reads[t.of] = true
			f.reads[Pressure] = f.reads[Pressure] || t.kind == product
			f.reads[Spread] = f.reads[Spread] || t.kind == trusted
			f.reads[Lull] = f.reads[Lull] || t.gate == byLull
			f.reads[Doubt] = f.reads[Doubt] || t.gate == byDoubt
		}
	}
	each := len(f.inputs) + 2
	for k := range f.hidden {
		unit := f.weights[len(f.terms)+k*each:][:each]
		for i, in := range f.inputs {
			if unit[1+i] != 0 && unit[each-1] != 0 {
				f.reads[in] = true
			}
		}
	}
}

// Reads reports whether the score depends on an input, by the present weights.
func (f *Func) Reads(i Input) bool { return f.reads[i] }

// Gated reports whether some weights would make the score depend on the lull or the doubt.
func (f *Func) Gated() bool {
	return slices.ContainsFunc(f.terms, func(t term) bool { return t.gate != 0 })
}

// Foresees reports whether some weights would make the score depend on the run time that is left, by
// the law or by the user's request.
func (f *Func) Foresees() bool {
	return slices.ContainsFunc(f.terms, func(t term) bool { return t.of == Left || t.of == Request })
}

// Common are the inputs that are the same for all jobs.
type Common struct{ Pressure, Lull, Doubt float64 }

// Slope is what a score gains per unit of common inputs: of each, and of the products that
// PressureLull and PressureDoubt name.
type Slope struct{ Pressure, Lull, PressureLull, Doubt, PressureDoubt float64 }

// At is what a score gains by the common inputs.
func (s Slope) At(now Common) float64 {
	return float64((s.Pressure+float64(s.PressureLull*now.Lull)+float64(s.PressureDoubt*now.Doubt))*now.Pressure) +
		float64(s.Lull*now.Lull) + float64(s.Doubt*now.Doubt)
}

// Split gives the score as a function of the common inputs, fixed + slope.At(them), for a function
// without hidden units; with some, fixed has their part at the present ones.
func (f *Func) Split(x *Inputs) (fixed float64, slope Slope) {
	var sum [numParts]float64
	for i := range f.active {
		t := &f.active[i]
		v := x[t.of]
		switch t.kind {
		case square:
			v = 0.5 * (v - t.center)
			v = float64(v * v)
		case product:
			v -= t.center
		case trusted:
			v = float64((v - t.center) * x[Spread])
		}
		sum[t.part] += float64(t.weight * v)
	}
	if f.hidden > 0 {
		sum[0] = f.units(f.weights, x, sum[0])
	}
	return sum[0], slopeOf(&sum)
}

// slopeOf are the parts of a sum that are multiplied with common inputs.
func slopeOf(sum *[numParts]float64) Slope {
	return Slope{sum[byPressure], sum[byLull], sum[byPressure+byLull], sum[byDoubt], sum[byPressure+byDoubt]}
}

// With is Score under other weights, in the order of Names. It may be called by many goroutines at
// once.
func (f *Func) With(weights []float64, x *Inputs) float64 {
	var sum [numParts]float64
	for i := range f.terms {
		if w := weights[i]; w != 0 {
			t := &f.terms[i]
			sum[t.part()] += float64(w * t.value(x))
		}
	}
	return f.units(weights, x, sum[0]) + slopeOf(&sum).At(x.common())
}

// common are the inputs that are the same for all jobs.
func (x *Inputs) common() Common { return Common{x[Pressure], x[Lull], x[Doubt]} }

// units adds the hidden units to a sum.
func (f *Func) units(weights []float64, x *Inputs, sum float64) float64 {
	at, n := len(f.terms), len(f.inputs)
	for range f.hidden {
		unit := weights[at : at+n+2]
		at += n + 2
		if unit[n+1] == 0 {
			continue
		}
		in := unit[0]
		for i, of := range f.inputs {
			in += float64(unit[1+i] * x[of])
		}
		sum += float64(unit[n+1] * fixmath.Tanh(in))
	}
	return sum
}

// Score is the number of a job: smaller goes first.
func (f *Func) Score(x *Inputs) float64 {
	fixed, slope := f.Split(x)
	return fixed + slope.At(x.common())
}

// Len is how many weights there are.
func (f *Func) Len() int { return len(f.weights) }

// Clone gives an independent copy.
func (f *Func) Clone() *Func {
	c := *f
	c.weights, c.active = slices.Clone(f.weights), slices.Clone(f.active)
	return &c
}

// CopyFrom makes f equal to another, in its own memory.
func (f *Func) CopyFrom(o *Func) {
	weights, active := f.weights, f.active
	*f = *o
	f.weights, f.active = append(weights[:0], o.weights...), append(active[:0], o.active...)
}
