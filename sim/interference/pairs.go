package interference

import (
	"strings"
	"unicode"

	"tarry/sim/param"
)

// pairs is a table of what was measured of two jobs on the same GPUs: what each keeps of its speed
// alone, by their models and by the number of GPUs of the job that is asked about, as SJF-BSBF's
// simulator looks it up. Of several others a job keeps the product of what it keeps beside each, or
// the least of them; both are ours.
//
// It bounds nothing together but what the table states.
type pairs struct {
	table  *table
	other  float64 // of a pair without a row
	beyond bool    // true: the least of several
}

// table holds the rows; models are numbered.
type table struct {
	models map[string]int32 // lower-case name
	bases  map[string]int32 // letters and digits of the name without its batch size -> the first such model
	rows   map[pair]float64
}

func newTable() *table {
	return &table{models: map[string]int32{}, bases: map[string]int32{}, rows: map[pair]float64{}}
}

// pair is a job's model, that beside it, and the GPUs that the job has; 0 = any number.
type pair struct{ me, other, gpus int32 }

const pairsForm = ",default=0.5,beyond=least"

const pairsDoc = "default    what a job keeps beside a model with which it has no row\nbeyond     several " +
	"others: product of what it keeps beside each, or the least"

func pairsKind() Kind {
	return Kind{Name: "pairs", Form: "pairs:FILE[" + pairsForm + "]", Doc: "measured pairs of models from a CSV " +
		"file: model_a, model_b, gpus, keep_a, keep_b", First: "file",
		Params: "file       the CSV file; it stands first, without file=\n" + pairsDoc, read: readPairsLaw,
		files: func(path string) []string { return []string{path} }}
}

func readPairsLaw(s *param.Set, _ Opener) (law, error) {
	file := s.Text("file", "")
	l := readPairs(s)
	if file == "" {
		s.Missing("file", "pairs:FILE")
		return l, nil
	}
	t, err := openPairs(file)
	l.table = t
	return l, err
}

// readPairs reads the options of all tables.
func readPairs(s *param.Set) *pairs {
	return &pairs{other: s.Float("default", 0.5, leastKeep, 1), beyond: s.Enum("beyond", "product", "least") == "least"}
}

// name implements naming: a model of this name, or the first of the table that differs from it by
// no more than a batch size, case and signs.
func (l *pairs) name(model string) int32 {
	if id, ok := l.table.models[strings.ToLower(model)]; ok {
		return id
	}
	if id, ok := l.table.bases[base(model)]; ok {
		return id
	}
	return -1
}

// base is the letters and digits of a name without its batch size.
func base(model string) string {
	name, _, _ := strings.Cut(strings.ToLower(model), " (batch size ")
	return strings.Map(func(r rune) rune {
		if unicode.IsLetter(r) || unicode.IsDigit(r) {
			return r
		}
		return -1
	}, name)
}

func (l *pairs) keep(me *sharer, others []sharer) float64 {
	keep := 1.0
	for i := range others {
		one := l.beside(me.name, others[i].name, me.count)
		if l.beyond {
			keep = min(keep, one)
		} else {
			keep *= one
		}
	}
	return keep
}

// beside is what a job keeps beside one other.
func (l *pairs) beside(me, other, gpus int32) float64 {
	if me < 0 || other < 0 {
		return l.other
	}
	if keep, ok := l.table.rows[pair{me, other, gpus}]; ok {
		return keep
	}
	if keep, ok := l.table.rows[pair{me, other, 0}]; ok {
		return keep
	}
	return l.other
}
