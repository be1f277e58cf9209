// Package linksref compares what tarry computes about shared links with exact answers: max-min
// rates, steady states of jobs that compute and transfer in turns, CASSINI's circles, Crux' orders,
// levels and paths, vClos' sub-networks. A folder holds .json files, each a list of cases; a file's
// kind of case is known by the fields of its first (kinds).
package linksref

import (
	"context"
	"encoding/json"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"tarry/fidelity/reference"
	"tarry/internal/fraction"
)

// kind is a kind of case.
type kind struct {
	// name states what kind, fields which fields of a case are its own.
	name   string
	fields []string
	// compare decodes a case and notes on it what differs.
	compare func(c *verdict)
	// all judges the verdicts of a file together; nil = each for itself.
	all func(file string, o *reference.Outcome, cases []*verdict)
}

// kinds lists them, one line each; the first whose fields a case has is taken.
func kinds() []kind {
	return []kind{
		{"rates", []string{"capacity", "demand", "weight", "links", "rate"}, compareRates, nil},
		{"steady states", []string{"capacity", "jobs", "periodic", "first_iteration_ends"}, comparePhases, judgePhases},
		{"interleavings", []string{"jobs", "shifts", "fair_together", "one_at_a_time"}, compareInterleaving, nil},
		{"forests", []string{"jobs", "angles", "per_link", "cluster_shift", "score_after"}, compareForest, nil},
		{"circles", []string{"jobs", "angles", "perimeter", "best_score", "first_best_shifts"}, compareCircle, nil},
		{"cuts", []string{"intensity", "levels", "edges", "best_cut"}, compareCut, nil},
		{"pairs", []string{"reference", "other", "ref_first", "other_first", "better"}, comparePair, nil},
		{"paths", []string{"leaves", "spines", "jobs", "greedy_path", "best_use"}, comparePaths, nil},
		{"sequences", []string{"spines", "leaves", "gpus_per_server", "events"}, compareSequence, nil},
	}
}

// verdict is a case and what differs from it.
type verdict struct {
	name   string
	raw    json.RawMessage
	worst  float64 // the largest difference of near, relative above 1
	extra  float64 // what the kind's all judges
	faults []string
}

// decode reads the case; what is wrong with it is a fault.
func decode[T any](v *verdict) (c T, ok bool) {
	if err := json.Unmarshal(v.raw, &c); err != nil {
		v.errorf("%v", err)
		return c, false
	}
	return c, true
}

func (v *verdict) errorf(format string, args ...any) {
	v.faults = append(v.faults, fmt.Sprintf(format, args...))
}

// near notes a number that is not within a part of what is expected (absolutely below 1).
func (v *verdict) near(what string, got, want, within float64) {
	off := math.Abs(got-want) / max(1, math.Abs(want))
	if got == want {
		off = 0
	}
	if off <= within {
		v.worst = max(v.worst, off)
		return
	}
	v.errorf("%s is %v, there %v", what, got, want)
}

// number is a number of a case.
type number = fraction.Number

// Reader compares folders of this form.
func Reader() reference.Reader {
	return reference.Reader{Name: "links", Knows: isLinks, Compare: compareLinks}
}

func isLinks(f *reference.Folder) bool {
	return slices.ContainsFunc(f.Files, func(name string) bool {
		cases, err := list(f, name)
		if err != nil || len(cases) == 0 {
			return false
		}
		_, ok := kindOf(cases[0])
		return ok
	})
}

// list gives the cases of a file; none where it has another form.
func list(f *reference.Folder, name string) (cases []json.RawMessage, err error) {
	if !strings.HasSuffix(name, ".json") {
		return nil, nil
	}
	text, err := os.ReadFile(filepath.Join(f.Dir, name))
	if err != nil {
		return nil, err
	}
	if err := json.Unmarshal(text, &cases); err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	return cases, nil
}

// kindOf finds the kind of a case.
func kindOf(raw json.RawMessage) (kind, bool) {
	var fields map[string]json.RawMessage
	if json.Unmarshal(raw, &fields) != nil {
		return kind{}, false
	}
	for _, k := range kinds() {
		if !slices.ContainsFunc(k.fields, func(f string) bool { return fields[f] == nil }) {
			return k, true
		}
	}
	return kind{}, false
}

func compareLinks(ctx context.Context, f *reference.Folder) (reference.Outcome, error) {
	o := reference.Outcome{Unit: "relative"}
	for _, name := range f.Files {
		cases, err := list(f, name)
		if err != nil {
			return o, err
		}
		byKind := map[string][]*verdict{}
		for i, raw := range cases {
			if ctx.Err() != nil {
				return o, ctx.Err()
			}
			k, ok := kindOf(raw)
			if !ok {
				o.Leave("cases", name, 1, "no comparer has their form")
				continue
			}
			v := &verdict{raw: raw, name: fmt.Sprintf("%s: case %d", name, i)}
			k.compare(v)
			byKind[k.name] = append(byKind[k.name], v)
			o.One(k.name, name, len(v.faults) == 0)
			for _, fault := range v.faults {
				o.Short = append(o.Short, v.name+": "+fault)
			}
			o.Worst = max(o.Worst, v.worst)
		}
		for _, k := range kinds() {
			if k.all != nil && len(byKind[k.name]) > 0 {
				k.all(name, &o, byKind[k.name])
			}
		}
	}
	return o, nil
}
