package setting

import (
	"encoding/json"
	"reflect"
)

// Saved gives the present values of rows for the resolved configuration, in order. A value that is
// the zero value, or spells Empty, is left out unless the row is written always.
func Saved(rows []Row, put func(key string, value any)) {
	for i := range rows {
		rows[i].save(put)
	}
}

func (r *Row) save(put func(key string, value any)) {
	switch {
	case r.Never:
		return
	case r.Save != nil:
		r.Save(put)
		return
	case r.To == nil:
		return
	}
	v := reflect.ValueOf(r.To).Elem()
	text, is := v.Interface().(string)
	if r.Always || !v.IsZero() && !(is && text == r.Empty) {
		put(r.Key, v.Interface())
	}
}

// Object is a mapping that keeps the order of its rows when it is written as JSON.
func Object(rows []Row) json.Marshaler {
	var o Fields
	Saved(rows, o.Put)
	return &o
}

// Fields is a JSON object whose keys stand in the order in which they were put. The zero value is
// empty.
type Fields struct {
	keys   []string
	values []any
}

// Put adds a key and its value.
func (f *Fields) Put(key string, value any) {
	f.keys, f.values = append(f.keys, key), append(f.values, value)
}

// MarshalJSON writes the object.
func (f *Fields) MarshalJSON() ([]byte, error) {
	out := []byte{'{'}
	for i, key := range f.keys {
		name, err := json.Marshal(key)
		if err != nil {
			return nil, err
		}
		value, err := json.Marshal(f.values[i])
		if err != nil {
			return nil, err
		}
		if i > 0 {
			out = append(out, ',')
		}
		out = append(append(append(out, name...), ':'), value...)
	}
	return append(out, '}'), nil
}
