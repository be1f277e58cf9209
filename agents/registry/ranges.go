package registry

import (
	"fmt"
	"math"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"tarry/sim/param"
)

// wholes is the range of a list of whole numbers.
const wholes = "whole numbers >= 1"

// Check holds the fields of a struct against the ranges that Describe gives: intervals of numbers,
// words, and lists of whole numbers. Each fault goes to bad: a setting with its value and what was
// expected. Other ranges ("a JSON object") and the keys in except are not checked; an empty word is
// taken where JSON leaves it out.
func Check(of any, bad func(key string, got any, want string), except ...string) {
	v := reflect.ValueOf(of)
	for i := range v.NumField() {
		f, value := v.Type().Field(i), v.Field(i)
		if f.Anonymous && value.Kind() == reflect.Pointer {
			if !value.IsNil() {
				Check(value.Elem().Interface(), bad, except...)
			}
			continue
		}
		key := keyOf(f)
		if key == "" || slices.Contains(except, key) {
			continue
		}
		_, takes := about(f)
		switch value.Kind() {
		case reflect.Int, reflect.Float64:
			if want := outside(value, takes); want != "" {
				bad(key, value.Interface(), want)
			}
		case reflect.String:
			words, got := strings.Split(takes, ", "), value.String()
			left := got == "" && strings.HasSuffix(f.Tag.Get("json"), ",omitempty")
			if len(words) > 1 && !left && !slices.Contains(words, got) {
				bad(key, strconv.Quote(got), "one of "+takes+param.Hint(got, words))
			}
		case reflect.Slice:
			for j := 0; takes == wholes && j < value.Len(); j++ {
				if got := value.Index(j).Int(); got < 1 {
					bad(fmt.Sprintf("%s[%d]", key, j), got, "at least 1")
				}
			}
		}
	}
}

// outside is what was expected of a number outside an interval; "" = it is inside, or the range is
// no interval.
func outside(v reflect.Value, interval string) string {
	low, high, ok := strings.Cut(strings.Trim(interval, "[]()"), ",")
	lo, err1 := strconv.ParseFloat(low, 64)
	hi, err2 := strconv.ParseFloat(high, 64)
	if !ok || err1 != nil || err2 != nil {
		return ""
	}
	above, below := interval[0] == '(', strings.HasSuffix(interval, ")")
	if v.Kind() == reflect.Int {
		switch got := float64(v.Int()); {
		case math.IsInf(hi, 1) && got < lo:
			return fmt.Sprintf("at least %g", lo)
		case got < lo || got > hi:
			return fmt.Sprintf("a whole number from %g to %g", lo, hi)
		}
		return ""
	}
	got := v.Float()
	if (got > lo || got == lo && !above) && (got < hi || got == hi && !below) {
		return ""
	}
	switch {
	case math.IsInf(hi, 1) && above:
		return fmt.Sprintf("a finite number above %g", lo)
	case math.IsInf(hi, 1):
		return fmt.Sprintf("a finite number, at least %g", lo)
	case above && below:
		return fmt.Sprintf("a number between %g and %g", lo, hi)
	}
	return strings.ReplaceAll(fmt.Sprintf("a number from %g to %g", lo, hi), "e+0", "e")
}
