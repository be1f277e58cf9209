// Package param reads settings, strictly: every fault is reported at once, with its place, the key,
// its value, what was expected and the nearest known key.
//
// Reading guide. A Set holds the settings of one mapping. Parse makes one of "key=value,..." (an
// argument), ReadYAML of a file, FromTree of what was gathered elsewhere; the getters (param.go for
// single values, nested.go for lists and mappings) read all of them in the same way. place.go
// states where a setting is from.
package param

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"

	"tarry/internal/yamldoc"
)

// Set is a set of settings that is being read. Getters note what they were asked for, and give the
// default, the value def, for what was not given; Err then also reports the keys that were not
// asked for. A Set belongs to one goroutine.
type Set struct {
	doc  *document
	node *yamldoc.Node
	path string // of the mapping inside the text, "" or "costs."
	// values and their keys, in the order of the text.
	values, names map[string]*yamldoc.Node
	order         []string
	asked         []Setting
	inside        []string // keys with dots that mappings inside were asked for
	// outer, of a mapping that an argument spells with dots (costs.restore_s=5), is the set that
	// holds it.
	outer *Set
}

// Setting is what a getter asked for: a key, and what the code that reads it takes.
type Setting struct {
	// Key is what users write.
	Key string
	// Range states which values are taken ("a number in 0..1", "true or false"); Default is the
	// value of one that was not given, as users write it.
	Range, Default string
}

// Settings lists what was asked for so far, in that order, each key once: a set that was read by
// the code of a policy or of an environment has the ranges and defaults that this code enforces.
func (s *Set) Settings() []Setting {
	var out []Setting
	for _, a := range s.asked {
		if !slices.ContainsFunc(out, func(b Setting) bool { return a.Key == b.Key }) {
			out = append(out, a)
		}
	}
	return out
}

// Parse reads "key=value,key=value"; "" is the empty set. what names the owner in errors,
// such as "policy dally". A key may appear once. A value with commas stands between double quotes.
func Parse(what, text string) *Set {
	d := &document{file: what, argument: true, noun: "key"}
	s := &Set{doc: d, node: &yamldoc.Node{Column: 1}, values: map[string]*yamldoc.Node{},
		names: map[string]*yamldoc.Node{}}
	d.sets = append(d.sets, s)
	if strings.TrimSpace(text) == "" {
		return s
	}
	last, column := "", 1
	for _, part := range Split(text) {
		at := Place{File: what, Column: column}
		column += len(part) + 1
		k, v, ok := strings.Cut(part, "=")
		value := &yamldoc.Node{Kind: yamldoc.Scalar, Value: unquote(strings.TrimSpace(v)), Column: at.Column + len(k) +
			1}
		k = strings.TrimSpace(k)
		if n := s.values[last]; n != nil {
			if comma := DecimalComma(last, n.Value, part); comma != nil {
				d.add(at, "%w", comma)
				s.drop(last)
				continue
			}
		}
		switch _, twice := s.values[k]; {
		case !ok || k == "":
			d.add(at, "%q: expected key=value", part)
		case strings.Count(part, `"`)%2 != 0:
			d.add(at, "%q: a double quote is not closed", part)
		case twice:
			d.add(at, "%s appears twice", k)
		default:
			s.values[k], s.names[k], last = value, &yamldoc.Node{Kind: yamldoc.Scalar, Value: k, Column: at.Column}, k
			s.order = append(s.order, k)
		}
	}
	return s
}

// FromText makes a set of settings that were given one by one, for errors at the place where each
// was written, or else in the name of what; at may be nil.
func FromText(what string, given map[string]string, at map[string]Place) *Set {
	d := &document{file: what, argument: true, noun: "key", places: []string{}}
	s := &Set{doc: d, node: &yamldoc.Node{}, values: map[string]*yamldoc.Node{}, names: map[string]*yamldoc.Node{}}
	d.sets = append(d.sets, s)
	s.order = slices.Sorted(maps.Keys(given))
	for i, k := range s.order {
		s.values[k], s.names[k] = scalar(given[k], i+1), scalar(k, i+1)
		d.places = append(d.places, at[k].String())
	}
	return s
}

func (s *Set) drop(key string) {
	delete(s.values, key)
	s.order = slices.DeleteFunc(s.order, func(k string) bool { return k == key })
}

// get notes that a key is asked for and gives its value, nil when it was not given.
func (s *Set) get(key, span string, def any) *yamldoc.Node {
	s.ask(Setting{Key: key, Range: span, Default: fmt.Sprint(def)})
	return s.values[key]
}

func (s *Set) ask(a Setting) {
	s.asked = append(s.asked, a)
	for c, o := s, s.outer; o != nil; c, o = o, o.outer {
		a.Key = strings.TrimPrefix(c.path, o.path) + a.Key
		o.inside = append(o.inside, a.Key)
	}
}

// text is get of a value that is one text.
func (s *Set) text(key, span string, def any) (string, bool) {
	n := s.get(key, span, def)
	if n == nil {
		return "", false
	}
	if n.Kind != yamldoc.Scalar || yamldoc.Empty(n) {
		s.wrong(key, n, span)
		return "", false
	}
	return n.Value, true
}

// wrong notes a fault of a value.
func (s *Set) wrong(key string, n *yamldoc.Node, want string) {
	s.doc.add(s.doc.place(n.Line, n.Column), "%s%s is %s, expected %s", s.path, key, describe(n), want)
}

// Wrong notes that a value that was given is not what the caller expects, such as "a divisor of 8".
func (s *Set) Wrong(key, want string) {
	if n := s.values[key]; n != nil {
		s.wrong(key, n, want)
	}
}

// Missing notes that a key was not given that has to be.
func (s *Set) Missing(key, want string) { s.Fault("%s%s is missing, expected %s", s.path, key, want) }

// Has reports whether a key was given, without counting as asking for it.
func (s *Set) Has(key string) bool { return s.values[key] != nil || s.Dotted(key) }

// Place is where a key was given; the place of the whole mapping when it was not.
func (s *Set) Place(key string) Place {
	n := s.names[key]
	if n == nil {
		n = s.node
	}
	return s.doc.place(n.Line, n.Column)
}

// Keys lists what was given, in the order of the text.
func (s *Set) Keys() []string { return slices.Clone(s.order) }

// Float reads a finite number in [lo, hi]. "inf" is accepted when hi is +Inf.
func (s *Set) Float(key string, def, lo, hi float64) float64 {
	v, ok := s.text(key, span(lo, hi), def)
	if !ok {
		return def
	}
	f, err := ParseFloat(v)
	if err != nil || !(f >= lo && f <= hi) {
		s.Wrong(key, span(lo, hi))
		return def
	}
	return f
}

// FloatOr reads a number in [lo, hi], as Float does, or a word that stands for one; named reports
// that it is the word. def is the number where none was given, NaN for the word.
func (s *Set) FloatOr(key, word string, def, lo, hi float64) (v float64, named bool) {
	want, text := span(lo, hi)+" or "+word, word
	if !math.IsNaN(def) {
		text = fmt.Sprint(def)
	}
	given, ok := s.text(key, want, text)
	if ok {
		text = given
	}
	if text == word {
		return math.NaN(), true
	}
	v, err := ParseFloat(text)
	if err != nil || !(v >= lo && v <= hi) {
		s.Wrong(key, want)
		return def, math.IsNaN(def)
	}
	return v, false
}

func span(lo, hi float64) string {
	switch {
	case math.IsInf(hi, 1) && math.IsInf(lo, -1):
		return "a number"
	case math.IsInf(hi, 1):
		return fmt.Sprintf("a number >= %v (inf allowed)", lo)
	case hi == math.MaxFloat64 && lo == -hi:
		return "a finite number"
	case hi == math.MaxFloat64:
		return fmt.Sprintf("a finite number >= %v", lo)
	}
	return fmt.Sprintf("a number in %v..%v", lo, hi)
}

// Int reads a whole number in [lo, hi].
func (s *Set) Int(key string, def, lo, hi int) int {
	return int(s.Int64(key, int64(def), int64(lo), int64(hi)))
}

// Int64 reads a whole number in [lo, hi].
func (s *Set) Int64(key string, def, lo, hi int64) int64 {
	want := wholeSpan(lo, hi)
	v, ok := s.text(key, want, def)
	if !ok {
		return def
	}
	n, err := strconv.ParseInt(v, 10, 64)
	if err != nil || n < lo || n > hi {
		s.Wrong(key, want)
		return def
	}
	return n
}

func wholeSpan(lo, hi int64) string {
	if hi == math.MaxInt64 {
		return fmt.Sprintf("a whole number >= %d", lo)
	}
	return fmt.Sprintf("a whole number in %d..%d", lo, hi)
}

// Bool reads true or false.
func (s *Set) Bool(key string, def bool) bool {
	const want = "true or false"
	v, ok := s.text(key, want, def)
	switch {
	case !ok:
		return def
	case v == "true":
		return true
	case v == "false":
		return false
	}
	s.Wrong(key, want)
	return def
}

// Enum reads one of the names; the first is the default.
func (s *Set) Enum(key string, names ...string) string {
	var each []string // the default may stand among the names once more
	for _, n := range names {
		if !slices.Contains(each, n) {
			each = append(each, n)
		}
	}
	want := strings.Join(each, ", ")
	v, ok := s.text(key, want, names[0])
	if !ok {
		return names[0]
	}
	if !slices.Contains(names, v) {
		s.Wrong(key, want+Hint(v, names))
		return names[0]
	}
	return v
}

// Floats reads numbers separated by '/', each in [lo, hi], such as 3250/7200/18000.
func (s *Set) Floats(key string, def []float64, lo, hi float64) []float64 {
	want := "numbers separated by '/', each " + span(lo, hi)
	v, ok := s.text(key, want, strings.Trim(strings.Join(strings.Fields(fmt.Sprint(def)), "/"), "[]"))
	if !ok {
		return def
	}
	var out []float64
	for part := range strings.SplitSeq(v, "/") {
		f, err := ParseFloat(part)
		if err != nil || !(f >= lo && f <= hi) {
			s.Wrong(key, want)
			return def
		}
		out = append(out, f)
	}
	return out
}

// Text reads any text.
func (s *Set) Text(key, def string) string {
	if v, ok := s.text(key, "text", def); ok {
		return v
	}
	return def
}

// Fault notes a fault that a getter cannot see, such as two keys that contradict each other, at the
// place of the mapping.
func (s *Set) Fault(format string, args ...any) {
	s.doc.add(s.doc.place(s.node.Line, s.node.Column), format, args...)
}

// FaultAt is Fault at the place of a key.
func (s *Set) FaultAt(key, format string, args ...any) { s.doc.add(s.Place(key), format, args...) }

// Err reports every fault of the text that the set is part of, including keys that were not asked
// for; nil when there is none.
func (s *Set) Err() error { return s.doc.err() }

// unknown adds the keys that were not asked for to faults. A mapping inside another that was not
// opened is left out.
func (s *Set) unknown(faults []*Fault) []*Fault {
	if s.path != "" && len(s.asked) == 0 {
		return faults
	}
	known, order := s.known(), s.order
	if s.doc.argument {
		order = slices.Sorted(slices.Values(order))
	}
	for _, k := range order {
		if len(faults) > MaxFaults {
			break
		}
		if _, ok := slices.BinarySearch(known, k); ok || slices.Contains(s.inside, k) {
			continue
		}
		want := "none"
		if len(known) > 0 {
			want = "one of " + strings.Join(known, ", ") + Hint(k, known)
		}
		faults = append(faults, &Fault{s.Place(k), fmt.Errorf("unknown %s %q, expected %s", s.doc.noun, s.path+k,
			want)})
	}
	return faults
}

// known lists the keys that were asked for, sorted.
func (s *Set) known() []string {
	var out []string
	for _, a := range s.asked {
		out = append(out, a.Key)
	}
	slices.Sort(out)
	return slices.Compact(out)
}
