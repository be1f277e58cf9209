package registry

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"strconv"
	"strings"

	"tarry/sim/param"
)

// Setting is one setting as it was given.
type Setting struct {
	// Key and Value are text: hidden and 64,64, gamma and 0.99, anneal and false.
	Key, Value string
	// Where states who gave it ("--set", "run.yaml:3"), for errors; "" = not known.
	Where string
}

// Errorf is an error about the setting.
func (s Setting) Errorf(format string, args ...any) error {
	text := fmt.Sprintf(format, args...)
	if s.Where == "" {
		return errors.New(text)
	}
	return fmt.Errorf("%s: %s", s.Where, text)
}

// Put sets fields of a struct, which to points to, by the names of its JSON; of settings of one key
// the last counts. Lists are written 1,2,3. The error joins every fault and names the key that was
// meant; the field of a wrong setting keeps its value.
func Put(to any, given []Setting) error {
	v := reflect.ValueOf(to).Elem()
	text, where := map[string]any{}, map[string]string{}
	for _, s := range given {
		text[s.Key], where[s.Key] = s.Value, s.Where
	}
	set := param.FromTree("", text, func(key string) string { return where[key] })
	set.Noun("setting")
	for _, key := range Keys(v.Interface()) {
		value := set.Text(key, "")
		if !set.Has(key) {
			continue
		}
		field := fieldOf(v, key)
		fresh := reflect.New(field.Type())
		d := json.NewDecoder(bytes.NewReader(literal(field.Type(), value)))
		d.DisallowUnknownFields()
		if err := d.Decode(fresh.Interface()); err != nil || d.More() {
			set.Wrong(key, expected(field.Type()))
			continue
		}
		field.Set(fresh.Elem())
	}
	return set.Err()
}

// Keys lists what Put can set in a struct: the names of its JSON.
func Keys(of any) []string {
	var out []string
	t := reflect.TypeOf(of)
	for i := range t.NumField() {
		if f := t.Field(i); f.Anonymous && f.Type.Kind() == reflect.Pointer { // settings that only some runs have
			out = append(out, Keys(reflect.Zero(f.Type.Elem()).Interface())...)
		} else if name := keyOf(f); name != "" {
			out = append(out, name)
		}
	}
	return out
}

// keyOf is a field's name; "" for seed, which is a flag of its own.
func keyOf(f reflect.StructField) string {
	name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
	if name == "seed" || name == "-" {
		return ""
	}
	return name
}

func fieldOf(v reflect.Value, key string) reflect.Value {
	for i := range v.NumField() {
		if f := v.Field(i); v.Type().Field(i).Anonymous && f.Kind() == reflect.Pointer && !f.IsNil() {
			if inner := fieldOf(f.Elem(), key); inner.IsValid() {
				return inner
			}
		}
		if keyOf(v.Type().Field(i)) == key {
			return v.Field(i)
		}
	}
	return reflect.Value{}
}

// literal is the value as JSON: text gets its quotes and a list its brackets.
func literal(t reflect.Type, value string) []byte {
	value = strings.TrimSpace(value)
	switch {
	case t.Kind() == reflect.Slice && !strings.HasPrefix(value, "["):
		return []byte("[" + value + "]")
	case t.Kind() == reflect.Int:
		return []byte(strings.ReplaceAll(value, "_", ""))
	case t.Kind() == reflect.String && !strings.HasPrefix(value, `"`):
		return []byte(strconv.Quote(value))
	}
	return []byte(value)
}

// expected reports what a field takes.
func expected(t reflect.Type) string {
	switch t.Kind() {
	case reflect.Int:
		return "a whole number"
	case reflect.Float64:
		return "a number"
	case reflect.Bool:
		return "true or false"
	case reflect.String:
		return "a word"
	case reflect.Slice:
		if t.Elem().Kind() == reflect.Float64 {
			return "numbers such as 1,-0.5"
		}
		return "whole numbers such as 64,64"
	}
	return "a JSON object with the fields " + strings.Join(Keys(reflect.Zero(t.Elem()).Interface()), ", ")
}
