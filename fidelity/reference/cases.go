package reference

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// CaseKind is a kind of case of .json files that are lists of cases.
type CaseKind struct {
	// Name states what kind, Fields which fields of a case are its own, separated by spaces.
	Name, Fields string
	// Compare decodes a case and notes on it what differs.
	Compare func(c *Case)
	// All judges the cases of a file together; nil = each for itself.
	All func(file string, o *Outcome, cases []*Case)
}

// TableKind is a kind of .csv files of which each row is a case.
type TableKind struct {
	// Name states what kind, Columns which columns its files have, separated by spaces.
	Name, Columns string
	// Compare notes on the case what differs from the row, whose faults are noted besides.
	Compare func(c *Case, row *Line)
}

// Case is a case and what differs from it.
type Case struct {
	// Name is the file and the number of the case in it.
	Name string
	// Extra is what the kind's All judges.
	Extra  float64
	raw    json.RawMessage
	worst  float64 // the largest difference of Near, relative above 1
	faults []string
}

// Decode reads the case; what is wrong with it is a fault.
func Decode[T any](c *Case) (v T, ok bool) {
	if err := json.Unmarshal(c.raw, &v); err != nil {
		c.Errorf("%v", err)
		return v, false
	}
	return v, true
}

// Errorf notes a fault.
func (c *Case) Errorf(format string, args ...any) {
	c.faults = append(c.faults, fmt.Sprintf(format, args...))
}

// Near notes a number that is not within a part of what is expected (absolutely below 1).
func (c *Case) Near(what string, got, want, within float64) {
	off := math.Abs(got-want) / max(1, math.Abs(want))
	if got == want {
		off = 0
	}
	if off <= within {
		c.worst = max(c.worst, off)
		return
	}
	c.Errorf("%s is %v, there %v", what, got, want)
}

// Cases makes a reader of folders whose .json files are lists of cases, or objects of such lists. A file's kind of case is
// the first whose fields its first case has. Beside them may be .csv files of tables.
func Cases(name string, kinds []CaseKind, tables ...TableKind) Reader {
	return Reader{Name: name, Knows: func(f *Folder) bool {
		return slices.ContainsFunc(f.Files, func(name string) bool {
			cases, err := listOf(f, name)
			if err != nil || len(cases) == 0 {
				return false
			}
			_, ok := kindOf(kinds, cases[0])
			return ok
		})
	}, Compare: func(ctx context.Context, f *Folder) (Outcome, error) { return compareCases(ctx, f, kinds, tables) }}
}

// listOf gives the cases of a file; none where it has another form.
func listOf(f *Folder, name string) (cases []json.RawMessage, err error) {
	if !strings.HasSuffix(name, ".json") {
		return nil, nil
	}
	text, err := os.ReadFile(filepath.Join(f.Dir, name))
	if err != nil {
		return nil, err
	}
	if err := json.Unmarshal(text, &cases); err == nil {
		return cases, nil
	}
	// The other form: an object whose fields are lists.
	var lists map[string][]json.RawMessage
	if err := json.Unmarshal(text, &lists); err != nil || len(lists) == 0 {
		return nil, fmt.Errorf("%s: %w", name, cmp.Or(err, errors.New("no cases, expected a list or an object of lists")))
	}
	for _, field := range slices.Sorted(maps.Keys(lists)) {
		cases = append(cases, lists[field]...)
	}
	return cases, nil
}

// kindOf finds the kind of a case.
func kindOf(kinds []CaseKind, raw json.RawMessage) (CaseKind, bool) {
	var fields map[string]json.RawMessage
	if json.Unmarshal(raw, &fields) != nil {
		return CaseKind{}, false
	}
	for _, k := range kinds {
		if !slices.ContainsFunc(strings.Fields(k.Fields), func(f string) bool { return fields[f] == nil }) {
			return k, true
		}
	}
	return CaseKind{}, false
}

func compareCases(ctx context.Context, f *Folder, kinds []CaseKind, tables []TableKind) (Outcome, error) {
	o := Outcome{Unit: "relative"}
	for _, name := range f.Files {
		cases, err := listOf(f, name)
		if err != nil {
			return o, err
		}
		byKind := map[string][]*Case{}
		for i, raw := range cases {
			if ctx.Err() != nil {
				return o, ctx.Err()
			}
			k, ok := kindOf(kinds, raw)
			if !ok {
				o.Leave("cases", name, 1, "no comparer has their form")
				continue
			}
			c := &Case{raw: raw, Name: fmt.Sprintf("%s: case %d", name, i)}
			k.Compare(c)
			byKind[k.Name] = append(byKind[k.Name], c)
			o.take(c, k.Name, name)
		}
		for _, k := range kinds {
			if k.All != nil && len(byKind[k.Name]) > 0 {
				k.All(name, &o, byKind[k.Name])
			}
		}
	}
	return o, compareTables(f, &o, tables)
}

// take counts a case.
func (o *Outcome) take(c *Case, kind, file string) {
	o.One(kind, file, len(c.faults) == 0)
	for _, fault := range c.faults {
		o.Short = append(o.Short, c.Name+": "+fault)
	}
	o.Worst = max(o.Worst, c.worst)
}

// compareTables compares the files that have the columns of a kind.
func compareTables(f *Folder, o *Outcome, tables []TableKind) error {
	for _, name := range f.Files {
		if !strings.HasSuffix(name, ".csv") || len(tables) == 0 {
			continue
		}
		rows, err := ReadRows(filepath.Join(f.Dir, name))
		if err != nil {
			return err
		}
		i := slices.IndexFunc(tables, func(k TableKind) bool { return rows.Has(strings.Fields(k.Columns)) })
		if i < 0 {
			o.Leave("rows", name, len(rows.Cells), "no comparer has their form")
			continue
		}
		for row := range rows.Cells {
			c, l := &Case{Name: fmt.Sprintf("%s: row %d", name, row+1)}, &Line{Rows: rows, Row: row}
			tables[i].Compare(c, l)
			if l.Err != nil {
				c.Errorf("%v", l.Err)
			}
			o.take(c, tables[i].Name, name)
		}
	}
	return nil
}
