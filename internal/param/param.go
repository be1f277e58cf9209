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
	asked  []string
	errs   []error
}

// Parse reads "key=value,key=value"; "" is the empty set. what names the owner in errors,
// such as "policy dally". A key may appear once. A value with commas stands between double quotes.
func Parse(what, text string) *Set {
	s := &Set{what: what, values: map[string]string{}}
	if strings.TrimSpace(text) == "" {
		return s
	}
	for _, part := range Split(text) {
		k, v, ok := strings.Cut(part, "=")
		k, v = strings.TrimSpace(k), unquote(strings.TrimSpace(v))
		switch _, dup := s.values[k]; {
		case !ok || k == "":
			s.fault("%q: expected key=value", part)
		case strings.Count(part, `"`)%2 != 0:
			s.fault("%q: a double quote is not closed", part)
		case dup:
			s.fault("%s appears twice", k)
		default:
			s.values[k] = v
		}
	}
	return s
}

func (s *Set) fault(format string, args ...any) {
	s.errs = append(s.errs, fmt.Errorf(s.what+": "+format, args...))
}

func (s *Set) get(key string) (string, bool) {
	s.asked = append(s.asked, key)
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
	v, ok := s.get(key)
	if !ok {
		return def
	}
	f, err := strconv.ParseFloat(v, 64)
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
	v, ok := s.get(key)
	if !ok {
		return def
	}
	n, err := strconv.Atoi(v)
	if err != nil || n < lo || n > hi {
		s.fault("%s is %q, expected a whole number in %d..%d", key, v, lo, hi)
		return def
	}
	return n
}

// Bool reads true or false.
func (s *Set) Bool(key string, def bool) bool {
	v, ok := s.get(key)
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
	v, ok := s.get(key)
	if !ok {
		return names[0]
	}
	if !slices.Contains(names, v) {
		s.fault("%s is %q, expected %s%s", key, v, strings.Join(names, ", "), Hint(v, names))
		return names[0]
	}
	return v
}

// Floats reads numbers separated by '/', each in [lo, hi], such as 3250/7200/18000.
func (s *Set) Floats(key string, def []float64, lo, hi float64) []float64 {
	v, ok := s.get(key)
	if !ok {
		return def
	}
	var out []float64
	for part := range strings.SplitSeq(v, "/") {
		f, err := strconv.ParseFloat(part, 64)
		if err != nil || !(f >= lo && f <= hi) {
			s.fault("%s is %q, expected numbers separated by '/', each %s", key, v, span(lo, hi))
			return def
		}
		out = append(out, f)
	}
	return out
}

// Text reads any text.
func (s *Set) Text(key, def string) string {
	if v, ok := s.get(key); ok {
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
		if !slices.Contains(s.asked, k) {
			extra = append(extra, k)
		}
	}
	slices.Sort(extra)
	for _, k := range extra {
		known := slices.Compact(slices.Sorted(slices.Values(s.asked)))
		if len(known) == 0 {
			errs = append(errs, fmt.Errorf("%s: unknown key %q, expected none", s.what, k))
			continue
		}
		errs = append(errs, fmt.Errorf("%s: unknown key %q, expected one of %s%s", s.what, k, strings.Join(known, ", "), Hint(k, known)))
	}
	return errors.Join(errs...)
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
