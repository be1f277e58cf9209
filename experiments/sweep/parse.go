package sweep

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"

	"tarry/catalogue/parts"
	"tarry/internal/run/config"
	"tarry/sim/param"
)

// ReadFile reads a sweep's YAML file, whose settings name entries of from, strictly: the error joins every fault with its file and line.
func ReadFile(from *parts.Catalogues, path string) (Spec, error) {
	t, err := config.ReadTree(path)
	if err != nil {
		return Spec{}, err
	}
	return fromTree(from, path, t)
}

// fromTree reads a spec from a tree.
func fromTree(from *parts.Catalogues, path string, t config.Tree) (Spec, error) {
	f := &fields{where: t.Where, file: path}
	top := f.open("", t.Value)
	s := Spec{where: t.Where}
	top.text("name", &s.Name)
	top.text("question", &s.Question)
	top.text("kind", &s.Kind)
	if v := top.get("base"); v != nil {
		if m, ok := v.(map[string]any); ok {
			s.Base = m
		} else {
			top.wrong("base", v, "settings, key: value")
		}
	}
	for i, v := range top.list("axes") {
		if a := top.item("axes", i, v); a != nil {
			s.Axes = append(s.Axes, a.axis())
		}
	}
	top.seeds(&s.Seeds)
	if b := top.child("budget"); b != nil {
		b.whole("cells", &s.Budget.Cells, 1, mostCells)
		b.number("minutes", &s.Budget.Minutes)
		b.whole("retries", &s.Budget.Retries, 0, 1000)
		b.end()
	}
	if e := top.child("engine"); e != nil {
		e.engine(&s.Engine)
	}
	top.end()
	for _, name := range [...]string{"name", "kind", "base"} {
		if _, there := t.Value[name]; !there {
			f.faults = append(f.faults, fault{0, fmt.Errorf("%s: %s is not given", path, name)})
		}
	}
	f.settings(from, &s)
	return s, f.err()
}

// fields gathers the faults of a tree.
type fields struct {
	where  map[string]string
	file   string
	faults []fault
}

type fault struct {
	line int
	err  error
}

func (f *fields) err() error {
	slices.SortStableFunc(f.faults, func(a, b fault) int { return cmp.Compare(a.line, b.line) })
	var errs []error
	for _, x := range f.faults {
		errs = append(errs, x.err)
	}
	return errors.Join(errs...)
}

// object is a mapping of the tree that is being read; end reports the keys that nobody asked for.
type object struct {
	f     *fields
	path  string // "" or "budget."
	m     map[string]any
	asked []string
}

func (f *fields) open(path string, m map[string]any) *object { return &object{f: f, path: path, m: m} }

func (o *object) get(key string) any {
	o.asked = append(o.asked, key)
	return o.m[key]
}

// fail notes a fault of a field at its line.
func (o *object) fail(key, format string, args ...any) {
	at := o.f.where[o.path+key]
	if at == "" {
		at = o.f.file
	}
	err := fmt.Errorf("%s: %s%s %s", at, o.path, key, fmt.Sprintf(format, args...))
	_, line := place(err)
	o.f.faults = append(o.f.faults, fault{line, err})
}

func (o *object) wrong(key string, v any, want string) {
	o.fail(key, "is %s, expected %s", describe(v), want)
}

// describe names a value in an error.
func describe(v any) string {
	switch v := v.(type) {
	case map[string]any:
		return "a mapping"
	case []any:
		if len(v) == 0 {
			return "an empty list"
		}
		return "a list"
	}
	return fmt.Sprintf("%q", v)
}

func (o *object) text(key string, to *string) {
	switch v := o.get(key).(type) {
	case nil:
	case string:
		*to = v
	default:
		o.wrong(key, v, "text")
	}
}

func (o *object) whole(key string, to *int, lo, hi int) {
	v := o.get(key)
	if v == nil {
		return
	}
	text, _ := v.(string)
	n, err := strconv.Atoi(text)
	if err != nil || n < lo || n > hi {
		o.wrong(key, v, fmt.Sprintf("a whole number in %d..%d", lo, hi))
		return
	}
	*to = n
}

// number reads a finite number >= 0, or any finite one where it is the end of a range.
func (o *object) number(key string, to *float64) {
	v := o.get(key)
	if v == nil {
		return
	}
	text, _ := v.(string)
	n, err := param.ParseFloat(text)
	ends := key == "from" || key == "to"
	if err != nil || math.IsNaN(n) || math.IsInf(n, 0) || n < 0 && !ends {
		want := "a finite number >= 0"
		if ends {
			want = "a finite number"
		}
		o.wrong(key, v, want)
		return
	}
	*to = n
}

func (o *object) boolean(key string, to *bool) {
	switch v := o.get(key); v {
	case nil:
	case "true", "false":
		*to = v == "true"
	default:
		o.wrong(key, v, "true or false")
	}
}

// list gives the values of a list.
func (o *object) list(key string) []any {
	switch v := o.get(key).(type) {
	case nil:
	case []any:
		if len(v) > 0 {
			return v
		}
		o.wrong(key, v, "a list with at least one entry")
	default:
		o.wrong(key, v, "a list")
	}
	return nil
}

func (o *object) child(key string) *object {
	switch v := o.get(key).(type) {
	case nil:
	case map[string]any:
		return o.f.open(o.path+key+".", v)
	default:
		o.wrong(key, v, "key: value")
	}
	return nil
}

// item opens an entry of a list.
func (o *object) item(key string, i int, v any) *object {
	at := fmt.Sprintf("%s[%d]", key, i)
	m, ok := v.(map[string]any)
	if !ok {
		o.wrong(at, v, "key: value")
		return nil
	}
	return o.f.open(o.path+at+".", m)
}

// end reports keys that nobody asked for.
func (o *object) end() {
	known := slices.Compact(slices.Sorted(slices.Values(o.asked)))
	for _, k := range slices.Sorted(maps.Keys(o.m)) {
		if !slices.Contains(known, k) {
			o.fail(k, "is no field, expected one of %s%s", strings.Join(known, ", "), param.Hint(k, known))
		}
	}
}
