package results

import (
	"errors"
	"fmt"
	"math"
	"path/filepath"
	"reflect"
	"strconv"
	"strings"
)

// Part is one key=value folder.
type Part struct {
	// Key is a column, Value the text of its value; "" is a missing value.
	Key, Value string
}

// Partition is a path of key=value folders, outermost first.
type Partition []Part

// hiveMissing stands for a missing value in a folder's name, as in Apache Hive.
const hiveMissing = "__HIVE_DEFAULT_PARTITION__"

// maxSegment is the longest name of a folder on the usual file systems.
const maxSegment = 255

// Dir gives the relative path of the folders. Bytes outside letters, digits and
// "-._+,:~" are percent-escaped, as readers of hive folders undo.
func (p Partition) Dir() string {
	var seg []string
	for _, kv := range p {
		seg = append(seg, kv.segment())
	}
	return filepath.Join(seg...)
}

// Target gives the place of a table's file with these keys:
// <root>/<table>/<key=value>/.../part-0.parquet.
func (p Partition) Target(root, table string, m Meta) Target {
	return Target{Path: filepath.Join(root, table, p.Dir(), "part-0.parquet"), Part: p, Meta: m}
}

// Target gives the place of a table's file of one trial:
// <root>/<table>/policy-NAME/replicate-N/part-0.parquet. The folders are not of the form key=value
// and every column is in the file: readers of such folders would make categories of policy and
// replicate.
func (k Keys) Target(root, table string, m Meta) Target {
	policy, replicate := k.folders()
	return Target{Path: filepath.Join(root, table, policy, replicate, "part-0.parquet"), Meta: m}
}

func (k Keys) folders() (policy, replicate string) {
	return policyFolder + escape(k.Policy), replicateFolder + strconv.FormatInt(k.Replicate, 10)
}

// The beginnings of the names of a trial's folders.
const policyFolder, replicateFolder = "policy-", "replicate-"

// Holds reports whether the file can hold rows of a trial, by its folders: as by Keys.Target, or
// key=value.
func (t Target) Holds(k Keys) bool {
	for _, kv := range t.Part {
		if kv.Key == "policy" && kv.Value != k.Policy || kv.Key == "replicate" &&
			kv.Value != strconv.FormatInt(k.Replicate, 10) {
			return false
		}
	}
	dir := filepath.Dir(t.Path)
	policy, replicate := filepath.Base(filepath.Dir(dir)), filepath.Base(dir)
	if !strings.HasPrefix(policy, policyFolder) || !strings.HasPrefix(replicate, replicateFolder) {
		return true
	}
	p, r := k.folders()
	return policy == p && replicate == r
}

func (kv Part) segment() string {
	value := escape(kv.Value)
	if kv.Value == "" {
		value = hiveMissing
	}
	return escape(kv.Key) + "=" + value
}

func escape(s string) string {
	var b strings.Builder
	for i := range len(s) {
		c := s[i]
		if 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || '0' <= c && c <= '9' ||
			strings.IndexByte("-._+,:~", c) >= 0 {
			b.WriteByte(c)
		} else {
			fmt.Fprintf(&b, "%%%02X", c)
		}
	}
	return b.String()
}

func unescape(s string) (string, error) {
	var b strings.Builder
	for i := 0; i < len(s); i++ {
		if s[i] != '%' {
			b.WriteByte(s[i])
			continue
		}
		if i+2 >= len(s) {
			return "", fmt.Errorf("%q ends inside a percent escape", s)
		}
		c, err := strconv.ParseUint(s[i+1:i+3], 16, 8)
		if err != nil {
			return "", fmt.Errorf("%q: %%%s is not a percent escape", s, s[i+1:i+3])
		}
		b.WriteByte(byte(c))
		i += 2
	}
	return b.String(), nil
}

// ParsePartition reads the key=value folders of a relative path; others are passed over.
func ParsePartition(dir string) (Partition, error) {
	var p Partition
	for _, seg := range strings.Split(filepath.ToSlash(dir), "/") {
		k, v, ok := strings.Cut(seg, "=")
		if !ok {
			continue
		}
		key, err := unescape(k)
		if err != nil {
			return nil, err
		}
		value, err := unescape(v)
		if err != nil {
			return nil, err
		}
		if value == hiveMissing {
			value = ""
		}
		p = append(p, Part{key, value})
	}
	return p, nil
}

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
