//go:build !js

package results

import (
	"errors"
	"fmt"
	"math"
	"reflect"
	"strconv"
)

// partCheck are the columns that the folders give, with their values.
type partCheck []struct {
	column
	value string
}

// split parts the columns into the file's and the folders'.
func (p Partition) split(all []column) (in []column, keys partCheck, err error) {
	var errs []error
	told := map[string]bool{}
	for _, kv := range p {
		if n := len(kv.segment()); n > maxSegment {
			errs = append(errs, fmt.Errorf("folder for key %q has a name of %d bytes, want at most %d", kv.Key, n,
				maxSegment))
		}
		if told[kv.Key] {
			errs = append(errs, fmt.Errorf("partition key %q is there twice", kv.Key))
		}
		told[kv.Key] = true
		found := false
		for _, c := range all {
			if c.name == kv.Key {
				found = true
				keys = append(keys, struct {
					column
					value string
				}{c, kv.Value})
				errs = append(errs, c.parse(reflect.New(typeOf(c.kind)).Elem(), kv.Value))
			}
		}
		if !found {
			errs = append(errs, fmt.Errorf("partition key %q is not a column", kv.Key))
		}
	}
	for _, c := range all {
		if !told[c.name] {
			in = append(in, c)
		}
	}
	if len(in) == 0 {
		errs = append(errs, errors.New("the partition leaves no column for the file"))
	}
	return in, keys, errors.Join(errs...)
}

// checkRows refuses rows that do not belong into the folder; first is the number of the first.
func checkRows[T Row](keys partCheck, rows []T, first int) error {
	if len(keys) == 0 {
		return nil
	}
	v := reflect.ValueOf(rows)
	for _, k := range keys {
		want := reflect.New(typeOf(k.kind)).Elem()
		if err := k.parse(want, k.value); err != nil {
			return err
		}
		for i := range rows {
			got := v.Index(i).FieldByIndex(k.index)
			nan := k.kind == reflect.Float64 && math.IsNaN(got.Float()) && math.IsNaN(want.Float())
			if !got.Equal(want) && !nan {
				return fmt.Errorf("row %d has %s=%v, the folder states %v", first+i, k.name, got, want)
			}
		}
	}
	return nil
}

// fill sets the columns that the folders give.
func fill[T Row](keys partCheck, rows []T) error {
	v := reflect.ValueOf(rows)
	for _, k := range keys {
		for i := range rows {
			if err := k.parse(v.Index(i).FieldByIndex(k.index), k.value); err != nil {
				return err
			}
		}
	}
	return nil
}

func typeOf(k reflect.Kind) reflect.Type {
	switch k {
	case reflect.Float64:
		return reflect.TypeFor[float64]()
	case reflect.Int64:
		return reflect.TypeFor[int64]()
	case reflect.Int32:
		return reflect.TypeFor[int32]()
	case reflect.Uint64:
		return reflect.TypeFor[uint64]()
	}
	return reflect.TypeFor[string]()
}

// parse sets a field from the text of a folder.
func (c column) parse(field reflect.Value, s string) error {
	var err error
	switch c.kind {
	case reflect.String:
		field.SetString(s)
	case reflect.Float64:
		v := math.NaN()
		if s != "" {
			v, err = strconv.ParseFloat(s, 64)
		}
		field.SetFloat(v)
	case reflect.Uint64:
		v := uint64(NoSeed)
		if !c.signed || s != "-1" {
			v, err = strconv.ParseUint(s, 10, 64)
		}
		field.SetUint(v)
	default:
		var v int64
		v, err = strconv.ParseInt(s, 10, field.Type().Bits())
		field.SetInt(v)
	}
	if err != nil {
		return fmt.Errorf("partition key %s=%q: want %v", c.name, s, c.kind)
	}
	return nil
}
