package jobcell

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"tarry/sim/param"
	"tarry/traces/columns"
	"tarry/traces/intake"
)

// Header ties the columns of a table to fields of jobs.
type Header struct {
	columns []column
	// Ignored lists columns that are row numbers of a data frame, Unread others that are not columns
	// of jobs, and Bare the columns of times whose names have no unit.
	Ignored, Unread, Bare []string
	// ByDuration states that duration_s is in place of work_s.
	ByDuration bool

	numbered bool // there is no column id
}

// column is one column of a table.
type column struct {
	name, field string
	unit        columns.Unit // of a number in a column of times
	set         setter       // nil where it is not read
}

// isRowNumber reports whether data frames give the name to a column of row numbers: "", index,
// Unnamed: 0, level_0, __index_level_0__.
func isRowNumber(name string) bool {
	stem := strings.TrimRight(strings.TrimSuffix(name, "__"), "0123456789")
	return name == "" || name == "index" || name != stem && (stem == "Unnamed: " || stem == "level_" ||
		stem == "__index_level_")
}

// Match ties columns to fields by their names, or as a mapping OWN=COLUMN,... states. index names
// more columns that are row numbers, where no field has the name. A column that is unknown and has
// nearly the name of a field that no column has is an error, so that a misspelt one is not lost;
// others that are unknown are in Unread. Columns that are there twice and missing ones are an error,
// which is the caller's to put behind a place.
func Match(names []string, given string, index ...string) (*Header, error) {
	fields := columns.Fields()
	as, err := columns.Tie(given, names, fields)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", columns.Option, err)
	}
	h := &Header{}
	var errs []error
	at := map[string]string{} // field -> column
	for _, name := range names {
		c := column{name: name}
		f, ok := as.Own[name]
		switch {
		case slices.ContainsFunc(h.columns, func(c column) bool { return c.name == name }):
			errs = append(errs, fmt.Errorf("column %q appears twice", name))
		case slices.Contains(as.Left, name):
		case ok:
			at[f.Field.Name] = name
			h.read(&c, f)
		}
		h.columns = append(h.columns, c)
	}
	errs = append(errs, h.byName(fields, at, as, index)...)
	errs = append(errs, h.unknown(fields, at)...)
	for _, f := range fields {
		if f.Needed && at[f.Name] == "" && !offered(errs, &f) {
			errs = append(errs, fmt.Errorf("column %q is missing, expected at least submit_s, gpus and work_s or "+
				"duration_s; the columns are %s; --trace-columns %s=NAME reads another one",
				f.Name, columns.Shorten(strings.Join(names, ",")), f.Stem()))
		}
	}
	h.numbered, h.ByDuration = at["id"] == "", at["duration_s"] != ""
	work, run := field(fields, "work_s"), field(fields, "duration_s")
	if h.ByDuration == (at["work_s"] != "") && !offered(errs, work) && !offered(errs, run) {
		errs = append(errs, errors.New("expected exactly one of the columns \"work_s\" and \"duration_s\""))
	}
	if err := columns.OneLine(errs); err != nil {
		return h, fmt.Errorf("%w%s", err, howTo(errs))
	}
	return h, nil
}

// read has a column read as a field.
func (h *Header) read(c *column, f columns.Found) {
	c.field, c.unit, c.set = f.Field.Name, f.Unit, setters()[f.Field.Name]
	if f.Bare {
		h.Bare = append(h.Bare, c.name)
	}
}

// byName ties the columns that no mapping names, and sorts out the others.
func (h *Header) byName(fields []columns.Field, at map[string]string, as columns.Mapping, index []string) []error {
	var errs []error
	for i := range h.columns {
		c := &h.columns[i]
		if c.set != nil || slices.Contains(as.Left, c.name) {
			continue
		}
		f, ok := columns.Find(fields, c.name)
		switch {
		case !ok && (isRowNumber(c.name) || slices.Contains(index, c.name)):
			h.Ignored = append(h.Ignored, c.name)
		case !ok:
			h.Unread = append(h.Unread, c.name)
		case at[f.Field.Name] == c.name: // twice
		case as.Has(f.Field.Name):
			h.Unread = append(h.Unread, c.name)
		case at[f.Field.Name] != "":
			errs = append(errs, fmt.Errorf("columns %q and %q are both given, expected one of them: --trace-columns "+
				"%s=%s leaves one out", at[f.Field.Name], c.name, c.name, columns.Leave))
		default:
			at[f.Field.Name] = c.name
			h.read(c, f)
		}
	}
	return errs
}

// offer is an unknown column that probably stands for a field.
type offer struct {
	name  string
	field *columns.Field
}

func (o *offer) Error() string {
	return fmt.Sprintf("unknown column %q, did you mean %q?", o.name, o.field.Name)
}

// howTo states how columns are mapped that probably stand for fields; "" = there are none.
func howTo(errs []error) string {
	var own, file []string
	for _, err := range errs {
		if o, ok := err.(*offer); ok {
			own, file = append(own, o.field.Stem()), append(file, o.name)
		}
	}
	if len(own) == 0 {
		return ""
	}
	return fmt.Sprintf(" (--trace-columns %s reads it so, trace_columns in files and Python; %s leaves a column out)",
		columns.Join(own, file), param.Quote(file[0])+"="+columns.Leave)
}

// offered reports whether an unknown column probably stands for the field.
func offered(errs []error, f *columns.Field) bool {
	return slices.ContainsFunc(errs, func(err error) bool {
		o, ok := err.(*offer)
		return ok && o.field.Name == f.Name
	})
}

// unknown takes the columns out of Unread whose names are nearly the names of fields that no column has.
func (h *Header) unknown(fields []columns.Field, at map[string]string) (errs []error) {
	free := slices.DeleteFunc(slices.Clone(fields), func(f columns.Field) bool {
		either := f.Name == "work_s" && at["duration_s"] != "" || f.Name == "duration_s" && at["work_s"] != ""
		return at[f.Name] != "" || either || f.Name == "drawn_bits"
	})
	h.Unread = slices.DeleteFunc(h.Unread, func(name string) bool {
		f := columns.Meant(free, name)
		if f != nil {
			errs = append(errs, &offer{name, f})
		}
		return f != nil
	})
	return errs
}

func field(fields []columns.Field, name string) *columns.Field {
	for i := range fields {
		if fields[i].Name == name {
			return &fields[i]
		}
	}
	return nil
}

// Reads reports whether the i-th column is a field of jobs.
func (h *Header) Reads(i int) bool { return h.columns[i].set != nil }

// Note puts remarks on the columns that are not read, and on those without a unit, into a report.
func (h *Header) Note(c *intake.Collector) {
	for _, name := range h.Ignored {
		c.Note("column %q is taken as the row numbers of a data frame and not read", name)
	}
	switch names := quoted(h.Unread); len(h.Unread) {
	case 0:
	case 1:
		c.Note("column %s is no column of jobs and not read; --trace-columns OWN=NAME would read it", names)
	default:
		c.Note("columns %s are no columns of jobs and not read; --trace-columns OWN=NAME would read one", names)
	}
	for _, name := range h.Bare {
		c.Note("column %q has no unit in its name: numbers in it are seconds", name)
	}
}

// quoted lists names.
func quoted(names []string) string {
	var out []string
	for _, n := range names {
		out = append(out, strconv.Quote(n))
	}
	return columns.Shorten(strings.Join(out, ", "))
}
