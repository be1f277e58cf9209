package columns

import (
	"slices"
	"strings"
	"unicode"

	"tarry/sim/param"
)

// Found is the field that a column's name stands for.
type Found struct {
	Field *Field
	// Unit is the unit of numbers in a column of times; Bare states that the name has none.
	Unit Unit
	Bare bool
}

// Find gives the field of a name: as it is listed, in upper or lower case, with blanks or dashes in
// place of underscores, and for times with another unit or none.
func Find(fields []Field, name string) (Found, bool) {
	for i := range fields {
		if fields[i].Name == name {
			return Found{Field: &fields[i], Unit: fields[i].unit()}, true
		}
	}
	simple := simplified(name)
	stem, unit := cutUnit(simple)
	for i := range fields {
		f := &fields[i]
		switch {
		case simple == f.Name || joined(simple) == joined(f.Name) && !strings.HasSuffix(f.Name, "_s"): // not works
			return Found{Field: f, Unit: f.unit()}, true
		case !f.times():
		case unit != 0 && joined(stem) == joined(f.Stem()):
			return Found{Field: f, Unit: unit}, true
		case joined(simple) == joined(f.Stem()):
			return Found{Field: f, Unit: Second, Bare: true}, true
		}
	}
	return Found{}, false
}

// Has reports whether columns are among some, by the names that are read.
func Has(columns []string, fields ...string) bool {
	all := Fields()
	for _, want := range fields {
		if !slices.ContainsFunc(columns, func(name string) bool {
			f, ok := Find(all, name)
			return ok && f.Field.Name == want
		}) {
			return false
		}
	}
	return true
}

// simplified writes a name in small letters with one underscore between words: GPU Type, gpu-type
// and gpuType are gpu_type.
func simplified(name string) string {
	var b strings.Builder
	small := false
	for _, r := range name {
		switch {
		case unicode.IsLetter(r) || unicode.IsDigit(r):
			if small && unicode.IsUpper(r) {
				b.WriteByte('_')
			}
			b.WriteRune(unicode.ToLower(r))
			small = unicode.IsLower(r)
		default:
			b.WriteByte('_')
			small = false
		}
	}
	return strings.Join(strings.FieldsFunc(b.String(), func(r rune) bool { return r == '_' }), "_")
}

// joined leaves the underscores out.
func joined(name string) string { return strings.ReplaceAll(name, "_", "") }

// aliases are names that other programs have for a column. They are not read by themselves, as each
// means something else somewhere; the error states how to map them.
func aliases() map[string][]string {
	return map[string][]string{
		"id": {"job_id", "job"},
		"submit_s": {"submit_time", "submission_time", "submission", "submitted", "submitted_at", "submitted_time",
			"submit_timestamp", "submit_at", "arrival", "arrival_time", "arrived_at", "created_at", "creation_time"},
		"gpus": {"gpu", "num_gpu", "num_gpus", "n_gpu", "n_gpus", "gpu_num", "gpus_num", "gpu_count", "count_gpus",
			"number_of_gpus", "req_gpus", "requested_gpus", "alloc_gpus", "allocated_gpus"},
		"min_gpus": {"min_gpu", "gpus_min", "min_num_gpus"},
		"max_gpus": {"max_gpu", "gpus_max", "max_num_gpus"},
		"work_s":   {"gpu_seconds", "gpu_hours", "gpu_time"},
		"duration_s": {"run_time", "run", "elapsed", "elapsed_time", "job_duration", "execution_time",
			"running_time", "length"},
		"iterations":  {"num_iterations", "iters", "num_steps", "steps", "total_steps", "num_iters"},
		"batch_size":  {"bs", "batch"},
		"model":       {"model_name", "network"},
		"user":        {"user_name", "user_id", "uid", "owner"},
		"group":       {"group_name", "group_id", "gid"},
		"vc":          {"virtual_cluster", "vc_name", "vc_id"},
		"gpu_type":    {"gpu_model", "gpu_name", "gpu_kind", "gpu_spec"},
		"state":       {"status", "job_state", "job_status", "final_state"},
		"request_s":   {"time_limit", "requested_time", "request_time", "wall_time", "req_time"},
		"deadline_s":  {"deadline_time", "due", "due_time"},
		"share_milli": {"gpu_milli"},
		"priority":    {"prio"},
	}
}

// Meant gives the field that an unknown column's name probably stands for, among fields that no
// column has; nil where none is near.
func Meant(free []Field, name string) *Field {
	simple := simplified(name)
	stem, _ := cutUnit(simple)
	words := aliases()
	for i := range free {
		for _, a := range words[free[i].Name] {
			if joined(a) == joined(simple) || free[i].times() && joined(a) == joined(stem) {
				return &free[i]
			}
		}
	}
	var names []string
	of := map[string]*Field{}
	for i := range free {
		f := &free[i]
		for _, n := range []string{f.Name, f.Stem()} {
			names, of[joined(n)] = append(names, joined(n)), f
		}
	}
	near, far := param.Nearest(joined(simple), names)
	if most := 1 + min(len(near)/6, 1); near == "" || far > most {
		return nil
	}
	return of[near]
}

// Stem is the name without its unit.
func (f *Field) Stem() string {
	if f.times() {
		return strings.TrimSuffix(f.Name, "_s")
	}
	return f.Name
}

// times reports whether the field is a time, whose column may have another unit.
func (f *Field) times() bool {
	return f.Unit == "s" && strings.HasSuffix(f.Name, "_s") && f.Name != "iter_s"
}

// unit is the unit of numbers in a column of the field's own name; 0 = it is no time.
func (f *Field) unit() Unit {
	if f.times() {
		return Second
	}
	return 0
}

// Spellings lists which other names of a column are read, beside upper and lower case.
func (f *Field) Spellings() string {
	if !f.times() {
		return ""
	}
	names := []string{f.Stem()}
	for _, u := range unitNames() {
		if u.unit != Second {
			names = append(names, f.Stem()+"_"+u.words[0])
		}
	}
	return strings.Join(names, ", ")
}

// Mapped lists the names of other programs for which the error of an unknown column states how to
// map them.
func (f *Field) Mapped() string { return strings.Join(aliases()[f.Name], ", ") }
