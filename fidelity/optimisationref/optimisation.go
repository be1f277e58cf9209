// Package optimisationref compares the solvers with the optimal values of optimisation problems:
// assignments, matchings, Gavel's allocations, Sia's choices. A folder holds files of JSON
// lines, a problem each; a file's kind of problem is known by the fields of its lines
// (problems). Every optimum must be within the relative tolerance of its kind, and proved by the
// solver's dual values.
package optimisationref

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"tarry/fidelity/reference"
)

// answer is how a problem was solved: the optimum found, the stored one, and their difference as a
// part of it; 0 = equal, or both have none.
type answer struct {
	got, want string
	off       float64
}

// problem is a kind of problem.
type problem struct {
	// name states what kind, fields which fields of a line are its own.
	name   string
	fields []string
	// within is how far an optimum may be off, relative to it.
	within float64
	// solve decodes and solves a line.
	solve func(line []byte) (answer, error)
}

// problems lists the kinds that are solved, one line each; the first whose fields a line has is
// taken.
func problems() []problem {
	return []problem{
		{"assignment", []string{"kind", "cost", "objective"}, 1e-9, solveAssignment},
		{"assignment", []string{"processing", "waited", "available", "objective"}, 1e-9, solveAssignment},
		{"matching", []string{"n", "edges", "max_weight", "max_weight_at_max_cardinality"}, 1e-9, solveMatching},
		{"max-min fairness", []string{"throughput", "scale", "weight", "workers", "objective"}, 1e-7, solveMaxMin},
		{"finish-time fairness", []string{"throughput", "scale", "steps", "elapsed_s", "isolated_elapsed_s", "workers",
			"objective"}, 1e-7, solveFinishTime},
		{"throughput per cost", []string{"throughput", "scale", "cost", "steps", "slo_s", "workers",
			"objective_without_slo"}, 1e-7, solveCost},
		{"makespan", []string{"throughput", "scale", "steps", "workers", "makespan_s", "gavel_bisection_T_s"}, 1e-7,
			solveMakespan},
		{"choice", []string{"capacity", "unallocated_penalty", "jobs", "objective"}, 1e-9, solvePicks},
	}
}

// kindOf finds the kind of a line.
func kindOf(line []byte) (problem, bool) {
	var fields map[string]json.RawMessage
	if json.Unmarshal(line, &fields) != nil {
		return problem{}, false
	}
	for _, p := range problems() {
		if !slices.ContainsFunc(p.fields, func(f string) bool { return fields[f] == nil }) {
			return p, true
		}
	}
	return problem{}, false
}

// Reader compares folders of this form.
func Reader() reference.Reader {
	return reference.Reader{Name: "optimisation", Knows: isOptimisation, Compare: compareOptimisation}
}

// outcome gathers how a folder compares.
type outcome struct{ reference.Outcome }

func isOptimisation(f *reference.Folder) bool {
	return f.AnyLine(func(line []byte) bool {
		_, ok := kindOf(line)
		return ok
	})
}

func compareOptimisation(ctx context.Context, f *reference.Folder) (reference.Outcome, error) {
	o := outcome{reference.Outcome{Unit: "relative"}}
	for _, name := range f.Files {
		if !strings.HasSuffix(name, ".jsonl") {
			continue
		}
		text, err := os.ReadFile(filepath.Join(f.Dir, name))
		if err != nil {
			return o.Outcome, err
		}
		if err := o.problems(ctx, name, text); err != nil {
			return o.Outcome, err
		}
	}
	return o.Outcome, ctx.Err()
}

// problems solves the lines of one file.
func (o *outcome) problems(ctx context.Context, name string, text []byte) error {
	unknown, n := 0, 0
	for line := range bytes.Lines(text) {
		if n++; len(bytes.TrimSpace(line)) == 0 {
			continue
		}
		if err := ctx.Err(); err != nil {
			return err
		}
		p, ok := kindOf(line)
		if !ok {
			unknown++
			continue
		}
		a, err := p.solve(line)
		o.One(p.name, name, err == nil && a.off <= p.within)
		switch {
		case err != nil:
			o.Short = append(o.Short, fmt.Sprintf("%s:%d: %s: %v", name, n, p.name, err))
			continue
		case !(a.off <= p.within):
			o.Short = append(o.Short, fmt.Sprintf("%s:%d: %s: optimum %s, there %s", name, n, p.name, a.got, a.want))
		}
		o.Worst = max(o.Worst, a.off)
	}
	if unknown > 0 {
		o.Leave("lines", name, unknown, "no solver has their form")
	}
	return nil
}

// numbers compares two optima.
func numbers(got, want float64) answer {
	a := answer{fmt.Sprint(got), fmt.Sprint(want), math.Abs(got - want)}
	if a.off > 0 {
		a.off /= math.Abs(want)
	}
	if math.IsNaN(a.off) {
		a.off = math.Inf(1)
	}
	return a
}
