package measured

import (
	"math"
	"slices"
	"strings"
)

// Table holds throughputs. It does not change once read.
type Table struct {
	// Dir is the folder that it was read from.
	Dir string

	names  []string         // of models, as written, in order of appearance
	models map[string]int32 // lower-case name -> index
	types  []string         // in order of appearance, including types of spread GPUs; lower case
	spread []int32          // type -> the type of the same GPUs spread over servers, -1 = none
	counts []int            // numbers of GPUs, ascending
	count  []int32          // number of GPUs -> index in counts, -1 = none
	alone  []float64        // [model][count][type] steps per second; NaN = not measured
	pairs  map[pair]steps   // nil = there is no colocated.csv
}

// unconsolidated ends the name of a type whose GPUs are spread over servers.
const unconsolidated = "_unconsolidated"

// pair is two models on the same GPUs, and steps what each of them does in a second.
type (
	pair struct {
		a, b, count, typ int32
	}
	steps struct{ a, b float64 }
)

// Models lists the models with their batch sizes, in the order of the file.
func (t *Table) Models() []string { return t.names }

// Types lists the GPU types in the order of the file, without types of spread GPUs.
func (t *Table) Types() []string {
	return slices.DeleteFunc(slices.Clone(t.types), func(s string) bool { return strings.HasSuffix(s, unconsolidated) })
}

// GPUs lists the numbers of GPUs that were measured, ascending.
func (t *Table) GPUs() []int { return t.counts }

// Pairs reports whether pairs of jobs were measured.
func (t *Table) Pairs() bool { return t.pairs != nil }

// StepsPerS is what a job of a model does in a second on GPUs of a type, as the file has it; 0 = it
// does not fit, ok is false where it was not measured. A type NAME_unconsolidated is for GPUs
// spread over servers. Case does not count.
func (t *Table) StepsPerS(model string, gpus int, typ string) (perS float64, ok bool) {
	m, k, y := t.model(model), t.ofCount(gpus), t.ofType(typ)
	if m < 0 || k < 0 || y < 0 {
		return 0, false
	}
	perS = t.alone[t.at(m, k, y)]
	return zero(perS), !math.IsNaN(perS)
}

// PairStepsPerS is what a job of model a and one of model b do in a second each, on the same GPUs
// of a type; 0 for one of them = the pair does not run. ok is false where it was not measured.
func (t *Table) PairStepsPerS(a, b string, gpus int, typ string) (ofA, ofB float64, ok bool) {
	p := pair{t.model(a), t.model(b), t.ofCount(gpus), t.ofType(typ)}
	s, ok := t.pairs[p]
	return s.a, s.b, ok
}

// zero is 0 for what was not measured.
func zero(v float64) float64 {
	if math.IsNaN(v) {
		return 0
	}
	return v
}

// cell is the throughput alone, or beside a job of another model; NaN where it was not measured. A
// pair of which one does not run does not run.
func (t *Table) cell(model, beside, count, typ int32) float64 {
	if beside < 0 {
		return t.alone[t.at(model, count, typ)]
	}
	s, ok := t.pairs[pair{model, beside, count, typ}]
	switch {
	case !ok:
		return math.NaN()
	case s.b == 0:
		return 0
	}
	return s.a
}

func (t *Table) at(model, count, typ int32) int {
	return (int(model)*len(t.counts)+int(count))*len(t.types) + int(typ)
}

// model, ofCount and ofType give indices, -1 for what the table does not have.
func (t *Table) model(name string) int32 {
	if i, ok := t.models[strings.ToLower(name)]; ok {
		return i
	}
	return -1
}

func (t *Table) ofCount(gpus int) int32 {
	if gpus < 0 || gpus >= len(t.count) {
		return -1
	}
	return t.count[gpus]
}

func (t *Table) ofType(name string) int32 {
	return int32(slices.Index(t.types, strings.ToLower(name)))
}
