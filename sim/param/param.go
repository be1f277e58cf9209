// Package param reads "key=value,..." settings, strictly: every fault is reported at once,
// with the key, its value, what was expected and the nearest known key.
package param

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
)

// Set is a set of settings that is being read. Getters note what they were asked for;
// Err then also reports the keys that nobody asked for. A Set belongs to one goroutine.
type Set struct {
	what   string
	values map[string]string
	asked  []Setting
	errs   []error
}

// Setting is what a getter asked for: a key, and what the code that reads it takes.
type Setting struct {
	// Key is what users write.
	Key string
	// Range says which values are taken ("a number in 0..1", "true or false"); Default is the value
	// of one that was not given, as users write it.
	Range, Default string
}

// Settings lists what was asked for so far, in that order, each key once: a set that was read by the code
// of a policy or of an environment knows the ranges and defaults that this code enforces.
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
	s := &Set{what: what, values: map[string]string{}}
	if strings.TrimSpace(text) == "" {
		return s
	}
	last := ""
	for _, part := range Split(text) {
		k, v, ok := strings.Cut(part, "=")
		k, v = strings.TrimSpace(k), unquote(strings.TrimSpace(v))
		if comma := DecimalComma(last, s.values[last], part); comma != nil {
			s.fault("%w", comma)
			delete(s.values, last)
			continue
		}
		switch _, dup := s.values[k]; {
		case !ok || k == "":
			s.fault("%q: expected key=value", part)
		case strings.Count(part, `"`)%2 != 0:
			s.fault("%q: a double quote is not closed", part)
		case dup:
			s.fault("%s appears twice", k)
		default:
			s.values[k], last = v, k
		}
	}
	return s
}

func (s *Set) fault(format string, args ...any) {
	s.errs = append(s.errs, fmt.Errorf(s.what+": "+format, args...))
}

func (s *Set) get(key, span string, def any) (string, bool) {
	s.asked = append(s.asked, Setting{Key: key, Range: span, Default: fmt.Sprint(def)})
	v, ok := s.values[key]
	return v, ok
}

// Has reports whether a key was given, without counting as asking for it.
func (s *Set) Has(key string) bool {
	_, ok := s.values[key]
	return ok
}

// Float reads a finite number in [lo, hi]. "inf" is accepted when hi is +Inf.
func (s *Set) Float(key string, def, lo, hi float64) float64 {
	v, ok := s.get(key, span(lo, hi), def)
	if !ok {
		return def
	}
	f, err := ParseFloat(v)
	if err != nil || !(f >= lo && f <= hi) {
		s.fault("%s is %q, expected %s", key, v, span(lo, hi))
		return def
	}
	return f
}

func span(lo, hi float64) string {
	switch {
	case math.IsInf(hi, 1) && math.IsInf(lo, -1):
		return "a number"
	case math.IsInf(hi, 1):
		return fmt.Sprintf("a number >= %v (inf allowed)", lo)
	}
	return fmt.Sprintf("a number in %v..%v", lo, hi)
}

// Int reads a whole number in [lo, hi].
func (s *Set) Int(key string, def, lo, hi int) int {
	want := fmt.Sprintf("a whole number in %d..%d", lo, hi)
	v, ok := s.get(key, want, def)
	if !ok {
		return def
	}
	n, err := strconv.Atoi(v)
	if err != nil || n < lo || n > hi {
		s.fault("%s is %q, expected %s", key, v, want)
		return def
	}
	return n
}

// Bool reads true or false.
func (s *Set) Bool(key string, def bool) bool {
	v, ok := s.get(key, "true or false", def)
	if !ok {
		return def
	}
	switch v {
	case "true":
		return true
	case "false":
		return false
	}
	s.fault("%s is %q, expected true or false", key, v)
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
	v, ok := s.get(key, want, names[0])
	if !ok {
		return names[0]
	}
	if !slices.Contains(names, v) {
		s.fault("%s is %q, expected %s%s", key, v, want, Hint(v, names))
		return names[0]
	}
	return v
}

// Floats reads numbers separated by '/', each in [lo, hi], such as 3250/7200/18000.
func (s *Set) Floats(key string, def []float64, lo, hi float64) []float64 {
	want := "numbers separated by '/', each " + span(lo, hi)
	v, ok := s.get(key, want, strings.Trim(strings.Join(strings.Fields(fmt.Sprint(def)), "/"), "[]"))
	if !ok {
		return def
	}
	var out []float64
	for part := range strings.SplitSeq(v, "/") {
		f, err := ParseFloat(part)
		if err != nil || !(f >= lo && f <= hi) {
			s.fault("%s is %q, expected %s", key, v, want)
			return def
		}
		out = append(out, f)
	}
	return out
}

// Text reads any text.
func (s *Set) Text(key, def string) string {
	if v, ok := s.get(key, "text", def); ok {
		return v
	}
	return def
}

// Fault notes a fault that a getter cannot see, such as two keys that contradict each other.
func (s *Set) Fault(format string, args ...any) { s.fault(format, args...) }

// Err reports every fault, keys that nobody asked for included; nil when there is none.
func (s *Set) Err() error {
	errs := s.errs
	var extra []string
	for k := range s.values {
		if !slices.ContainsFunc(s.asked, func(a Setting) bool { return a.Key == k }) {
			extra = append(extra, k)
		}
	}
	slices.Sort(extra)
	for _, k := range extra {
		known := s.known()
		if len(known) == 0 {
			errs = append(errs, fmt.Errorf("%s: unknown key %q, expected none", s.what, k))
			continue
		}
		errs = append(errs, fmt.Errorf("%s: unknown key %q, expected one of %s%s", s.what, k, strings.Join(known, ", "), Hint(k, known)))
	}
	return errors.Join(errs...)
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

// Hint gives ", did you mean ...?" with the name nearest to got, or "" when none is near.
func Hint(got string, names []string) string {
	best, at := "", 0
	for _, n := range names {
		if d := distance(strings.ToLower(got), strings.ToLower(n)); best == "" || d < at {
			best, at = n, d
		}
	}
	if best == "" || at > max(2, len(got)/3) || got == "" {
		return ""
	}
	return fmt.Sprintf("; did you mean %q?", best)
}

// distance counts insertions, deletions, replacements and swaps of neighbours.
func distance(a, b string) int {
	prev2, prev := make([]int, len(b)+1), make([]int, len(b)+1)
	for j := range prev {
		prev[j] = j
	}
	for i := 1; i <= len(a); i++ {
		row := make([]int, len(b)+1)
		row[0] = i
		for j := 1; j <= len(b); j++ {
			c := 1
			if a[i-1] == b[j-1] {
				c = 0
			}
			row[j] = min(prev[j]+1, row[j-1]+1, prev[j-1]+c)
			if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
				row[j] = min(row[j], prev2[j-2]+1)
			}
		}
		prev2, prev = prev, row
	}
	return prev[len(b)]
}
