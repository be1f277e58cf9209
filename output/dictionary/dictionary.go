// Package dictionary is the data dictionary of the tables that commands write: what a row is, and the
// unit, meaning and missing value of each column, from the tags of the rows in package results.
package dictionary

import (
	"reflect"
	"strings"

	"tarry/output/results"
)

// Table is the dictionary of one table: what a row is, which commands write it, and its columns.
type Table struct {
	// Name is the folder; What a row is, and Where it is written by, continue a sentence.
	Name, What, Where string
	// By are the columns that distinguish the rows of one trial; with the keys they name a row.
	By []string
	// Columns are in the order of the files.
	Columns []Column
}

// Column is the dictionary of one column.
type Column struct {
	Name string `json:"name"`
	// Type is integer, double or text.
	Type string `json:"type"`
	Unit string `json:"unit"`
	Doc  string `json:"meaning"`
	// Missing is what a missing value is and stands for; "" = a value is always there.
	Missing string `json:"missing,omitempty"`
	// Shared is where the column is from: keys, which every table has; trials, which evals repeats; or
	// "", the table's own.
	Shared string `json:"shared,omitempty"`
}

// written has a row of each table that commands write, with its words.
func written() []described {
	return []described{
		{results.Trial{}, "one run of one policy on one workload", "`simulate`, `compare`, sweeps", nil},
		{results.Eval{}, "one agent, tuned scheduler or baseline on one held-out window",
			"`eval`, sweeps that learn or tune", nil},
		{results.Job{}, "one job of one trial", "`simulate`, `compare`, `eval`, sweeps", []string{"job"}},
		{results.Interval{}, "one allocation: one job on one set of GPUs",
			"`simulate`, `compare`, `eval`; in sweeps below each cell", []string{"job", "start_s", "end_s"}},
		{results.Sample{}, "the state of the cluster from a time on, until the next row", "as `intervals`",
			[]string{"time_s"}},
		{results.PowerSample{}, "what the cluster draws from a time on, until the next row",
			"as `intervals`, of runs with `power`; else there is none", []string{"time_s"}},
		{results.ServiceSample{}, "what a service did from a time on, until its next row",
			"as `intervals`, of runs with `services`; else there is none", []string{"service", "time_s"}},
		{results.Prediction{}, "how well the predictor of a trial foretold run times, at the submit of each job",
			"`simulate` and `compare` with `--predict`, sweeps of such runs", []string{"predictor"}},
		{results.Measure{}, "one number about a trial: deadlines, tenants, energy, services, what a policy states of itself",
			"`simulate` and `compare` with deadlines, `--tenants`, `power`, `services` or such a policy, sweeps of such " +
				"runs; else there is none", []string{"name", "of"}},
		{results.Curve{}, "one training update", "`train`, sweeps that learn", []string{"update"}},
		{results.Tune{}, "one point that an optimiser measured", "`tune`, sweeps that tune", []string{"step"}},
		{results.Timing{}, "wall time of one trial; the only table that differs between runs of the same configuration",
			"`--timing`", []string{"update"}},
	}
}

// described is a table of the dictionary.
type described struct {
	row         results.Row
	what, where string
	by          []string
}

// Tables is the dictionary of the tables that commands write.
func Tables() []Table {
	var out []Table
	for _, d := range written() {
		shared := map[string]string{}
		if d.row.Table() == (results.Eval{}).Table() {
			for _, c := range out[0].Columns {
				shared[c.Name] = out[0].Name
			}
		}
		for _, c := range Keys() {
			shared[c.Name] = "keys"
		}
		cols := columns(nil, reflect.TypeOf(d.row))
		for i := range cols {
			cols[i].Shared = shared[cols[i].Name]
		}
		out = append(out, Table{d.row.Table(), d.what, d.where, d.by, cols})
	}
	return out
}

// Keys is the dictionary of the columns that every table has.
func Keys() []Column { return columns(nil, reflect.TypeFor[results.Keys]()) }

// columns appends the columns of a row, whose embedded structs are flattened.
func columns(out []Column, t reflect.Type) []Column {
	for i := range t.NumField() {
		f := t.Field(i)
		if f.Anonymous && f.Type.Kind() == reflect.Struct {
			out = columns(out, f.Type)
			continue
		}
		name, _, _ := strings.Cut(f.Tag.Get("col"), ",")
		kind := "integer"
		switch f.Type.Kind() {
		case reflect.Float64:
			kind = "double"
		case reflect.String:
			kind = "text"
		}
		out = append(out, Column{Name: name, Type: kind, Unit: f.Tag.Get("unit"), Doc: f.Tag.Get("doc"),
			Missing: f.Tag.Get("none")})
	}
	return out
}
