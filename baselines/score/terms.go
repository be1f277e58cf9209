package score

// term is what a weight is multiplied with: an input, its square, or its product with the pressure or
// the spread; or one of these times the lull or the doubt.
type term struct {
	name string
	of   Input
	kind termKind
	gate int // what it is multiplied with, too: 0, byLull or byDoubt
}

type termKind uint8

const (
	plain termKind = iota
	square
	product // with the pressure
	trusted // with the spread
)

// part is which part of a score a term belongs to: what is multiplied with it later.
func (t *term) part() int {
	if t.kind == product {
		return t.gate + byPressure
	}
	return t.gate
}

// The parts of a score by the common inputs that they are multiplied with; a sum stands for both.
const (
	byPressure = 1
	byLull     = 2
	byDoubt    = 4
	numParts   = 6
)

// center is what is subtracted before squaring, and half before products: an hour, or eight GPUs.
func center(i Input) float64 {
	if i == GPUs {
		return 2
	}
	return 4
}

// base lists the terms of single jobs that are not predictions beside the rank, without products with
// the spread, the lull and the doubt. The pressure by
// itself is none: it is the same for all jobs, as the other two are.
func base() []term {
	var out []term
	names := InputNames()
	for i := range Pressure {
		out = append(out, term{name: names[i], of: i})
	}
	for _, i := range []Input{Rank, GPUs, Attained} {
		out = append(out, term{name: "pressure_" + names[i], of: i, kind: product})
	}
	for _, i := range []Input{Rank, GPUs, Attained, Age, Wait} {
		out = append(out, term{name: names[i] + "2", of: i, kind: square})
	}
	return out
}

// terms lists all terms in the order of files and vectors.
func terms() []term {
	out, names := base(), InputNames()
	for _, i := range []Input{Rank, GPUs, Attained} {
		out = append(out, term{name: "spread_" + names[i], of: i, kind: trusted})
	}
	for _, i := range []Input{Left, Request} {
		out = append(out, term{name: names[i], of: i}, term{name: "pressure_" + names[i], of: i, kind: product},
			term{name: names[i] + "2", of: i, kind: square})
	}
	plain := out
	for _, t := range plain {
		t.name, t.gate = "lull_"+t.name, byLull
		out = append(out, t)
	}
	for _, t := range plain {
		t.name, t.gate = "doubt_"+t.name, byDoubt
		out = append(out, t)
	}
	return out
}

// BaseTerms are the names of TermNames without left, request and the products with the spread, the
// lull and the doubt: what features=all means.
func BaseTerms() []string { return named(base()) }

// TermNames are how users write the terms: the inputs of single jobs;
// pressure_rank, pressure_gpus and pressure_attained, the pressure times an input less its centre;
// rank2, gpus2, attained2, age2 and wait2, the square of half an input less its centre; spread_rank,
// spread_gpus and spread_attained, the spread times an input less its centre: how far a law can be
// trusted; left and request, each with its product with the pressure and its square; and each of these with lull_ or doubt_ before its name, the lull or the doubt times the
// term. The centre is 2 for gpus (ln 8 GPUs, about) and 4 for times (ln 55 min).
func TermNames() []string { return named(terms()) }

func named(of []term) []string {
	var out []string
	for _, t := range of {
		out = append(out, t.name)
	}
	return out
}

// value is a term without the common inputs, which multiply products later.
func (t *term) value(x *Inputs) float64 {
	v := x[t.of]
	switch t.kind {
	case square:
		v = 0.5 * (v - center(t.of))
		return float64(v * v)
	case product:
		return v - center(t.of)
	case trusted:
		return float64((v - center(t.of)) * x[Spread])
	}
	return v
}
