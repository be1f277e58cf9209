package registry

import (
	"encoding/json"
	"fmt"
	"reflect"
	"strings"

	"tarry/env"
)

// About is the description of one setting for users. Check holds values against its range.
type About struct {
	// Key is what users write, Meaning what it does, with its unit.
	Key     string `json:"key"`
	Meaning string `json:"meaning"`
	// Range is the values that are taken: an interval such as (0,1], whose ends with a round
	// bracket are not taken themselves, words, or "true or false". Default is the value of one that
	// is not given; "" = empty.
	Range   string `json:"range"`
	Default string `json:"default"`
}

// Describe lists the settings of a struct with their values in it as defaults, in the order of the
// fields. Meanings and ranges are from the tags about and range, or from the settings that
// learners share.
func Describe(of any) []About {
	var out []About
	v := reflect.ValueOf(of)
	for i := range v.NumField() {
		f := v.Type().Field(i)
		if f.Anonymous && f.Type.Kind() == reflect.Pointer {
			if !v.Field(i).IsNil() {
				out = append(out, Describe(v.Field(i).Elem().Interface())...)
			}
			continue
		}
		key := keyOf(f)
		if key == "" {
			continue
		}
		meaning, takes := about(f)
		out = append(out, About{Key: key, Meaning: meaning, Range: takes, Default: written(v.Field(i))})
	}
	return out
}

// written is a value as users write it.
func written(v reflect.Value) string {
	switch v.Kind() {
	case reflect.Pointer:
		if v.IsNil() {
			return ""
		}
		text, _ := json.Marshal(v.Interface()) // a struct of numbers
		return string(text)
	case reflect.Slice:
		return strings.Trim(strings.ReplaceAll(fmt.Sprint(v.Interface()), " ", ","), "[]")
	}
	return fmt.Sprint(v.Interface())
}

// Settings lists the agent's settings with the defaults that it has where an environment has no
// others.
func (e *Entry) Settings() []About { return Describe(e.Defaults) }

// TunedSettings lists the settings whose defaults are others for an environment, with these
// defaults.
func (e *Entry) TunedSettings(s *env.Spec) ([]About, error) {
	c, err := e.Configure(s, 1, nil)
	if err != nil {
		return nil, err
	}
	text, err := c.JSON()
	if err != nil {
		return nil, err
	}
	var tuned map[string]json.RawMessage
	if err := json.Unmarshal(text, &tuned); err != nil {
		return nil, err
	}
	var out []About
	for _, a := range e.Settings() {
		raw, ok := tuned[a.Key]
		if !ok {
			continue // empty, or of runs that imitate
		}
		was := a.Default
		a.Default = strings.Trim(string(raw), `[]"`)
		if raw[0] != '{' && !sameNumber(was, a.Default) || raw[0] == '{' && was != a.Default {
			out = append(out, a)
		}
	}
	return out, nil
}

// sameNumber compares texts of values, of which JSON may spell a number in another way.
func sameNumber(a, b string) bool {
	var x, y float64
	if json.Unmarshal([]byte(a), &x) == nil && json.Unmarshal([]byte(b), &y) == nil {
		return x == y
	}
	return a == b
}
