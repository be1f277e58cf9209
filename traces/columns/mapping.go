// Package columns has the schema of a table of jobs: which columns there are, with unit and meaning,
// under which names they are read, and how columns with other names are mapped to them. The package
// jobcell reads the cells.
//
// Reading guide: Fields lists the columns, Find gives the field of a name, Meant a field that an
// unknown name probably stands for, and Tie what a mapping OWN=COLUMN,... gives for a table.
package columns

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"tarry/sim/param"
)

// Option is the name of the setting that maps columns.
const Option = "trace_columns"

// pair maps one column: own is the field's name, file the column's. Where file is Leave, the column
// own is not read.
type pair struct{ own, file string }

// Leave stands for no column: NAME=- Leaves the column NAME of the file out.
const Leave = "-"

// parseColumns reads OWN=COLUMN,...
func parseColumns(text string) ([]pair, error) {
	set := param.Parse("columns", text)
	var out []pair
	for _, key := range set.Keys() {
		out = append(out, pair{key, set.Text(key, "")})
	}
	if err := set.Err(); err != nil {
		return nil, err
	}
	fields := Fields()
	taken := map[string]string{}
	var errs []error
	for _, p := range out {
		if p.file == "" {
			errs = append(errs, fmt.Errorf("nothing after %s=, expected the name of a column of the file, or %s "+
				"to leave the column %s out", p.own, Leave, p.own))
		}
		if p.file == Leave {
			continue
		}
		f, ok := Find(fields, p.own)
		switch {
		case !ok:
			errs = append(errs, fmt.Errorf("unknown column %q, expected one of %s (tarry list columns)%s",
				p.own, strings.Join(fieldNames(fields), ", "), hint(fields, p.own)))
		case taken[f.Field.Name] != "":
			errs = append(errs, fmt.Errorf("%s and %s are one column, expected one of them",
				taken[f.Field.Name], p.own))
		default:
			taken[f.Field.Name] = p.own
		}
	}
	return out, OneLine(errs)
}

// Check reports what is wrong with a mapping OWN=COLUMN,... before a file is there.
func Check(text string) error {
	_, err := parseColumns(text)
	return err
}

// Join writes a mapping as text.
func Join(own, file []string) string {
	parts := make([]string, len(own))
	for i := range own {
		parts[i] = own[i] + "=" + param.Quote(file[i])
	}
	return strings.Join(parts, ",")
}

// hint gives the field that a name probably stands for.
func hint(fields []Field, name string) string {
	if f := Meant(fields, name); f != nil {
		return fmt.Sprintf("; did you mean %q?", f.Name)
	}
	return param.Hint(name, fieldNames(fields))
}

func fieldNames(fields []Field) []string {
	names := make([]string, len(fields))
	for i, f := range fields {
		names[i] = f.Name
	}
	return names
}

// Mapping is what is given for the columns of one table.
type Mapping struct {
	// Own has the fields by the columns of the file.
	Own map[string]Found
	// Left are the columns that are left out.
	Left []string
}

// Has reports whether a column is mapped to a field.
func (m *Mapping) Has(field string) bool {
	for _, f := range m.Own {
		if f.Field.Name == field {
			return true
		}
	}
	return false
}

// Tie finds the columns of a table that a mapping names.
func Tie(given string, columns []string, fields []Field) (Mapping, error) {
	m := Mapping{Own: map[string]Found{}}
	pairs, err := parseColumns(given)
	if err != nil {
		return m, err
	}
	var errs []error
	for _, p := range pairs {
		name := p.file
		if p.file == Leave {
			name = p.own
		}
		if !slices.Contains(columns, name) {
			errs = append(errs, fmt.Errorf("the table has no column %q, expected one of %s%s", name,
				Shorten(strings.Join(columns, ",")), param.Hint(name, columns)))
			continue
		}
		if p.file == Leave {
			m.Left = append(m.Left, name)
			continue
		}
		if was, twice := m.Own[name]; twice {
			errs = append(errs, fmt.Errorf("column %q is given for %s and %s, expected one of them", name,
				was.Field.Name, p.own))
			continue
		}
		f, _ := Find(fields, p.own)
		if _, unit := cutUnit(simplified(name)); f.Bare && unit != 0 {
			f.Unit, f.Bare = unit, false
		}
		m.Own[name] = f
	}
	return m, OneLine(errs)
}

// OneLine joins errors, so that a caller can put one place before all of them.
func OneLine(errs []error) error {
	if len(errs) == 0 {
		return nil
	}
	texts := make([]string, len(errs))
	for i, err := range errs {
		texts[i] = err.Error()
	}
	return errors.New(strings.Join(texts, "; "))
}

// Shorten cuts a text that is too long for an error.
func Shorten(s string) string {
	const most = 200
	if len(s) > most {
		return s[:most] + "..."
	}
	return s
}
