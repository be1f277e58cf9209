package typed

import (
	"bytes"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"tarry/sim/param"
)

// A file is read back to the last bit; settings that are given beside it go before it.
func TestText(t *testing.T) {
	s := Default()
	for i := range s.Weights {
		s.Weights[i] = 1 / float64(i-20)
	}
	s.Law.MedianS, s.Law.Spread, s.RoundS, s.Predicted, s.Eager = 1234.5, 1.0/3, 77, true, false
	var b bytes.Buffer
	if _, err := s.WriteTo(&b); err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "w.txt")
	if err := os.WriteFile(path, b.Bytes(), 0o666); err != nil {
		t.Fatal(err)
	}
	read := func(text string) Settings {
		set := param.Parse("policy typed", text)
		out := Read(set)
		if err := set.Err(); err != nil {
			t.Fatal(err)
		}
		return out
	}
	if got := read("weights=" + path); !reflect.DeepEqual(got, s) {
		t.Errorf("%+v, expected %+v", got, s)
	}
	if got := read(strings.TrimPrefix(s.String(), "typed:")); !reflect.DeepEqual(got, s) {
		t.Errorf("%s is %+v, expected %+v", s.String(), got, s)
	}
	s.Weights[2], s.Law.Spread, s.Exact, s.Eager = 9, 2, true, true
	if got := read("price=9,law_spread=2,exact=true,eager=true,weights=" + path); !reflect.DeepEqual(got, s) {
		t.Errorf("%+v, expected %+v", got, s)
	}
	if d := Default(); d.String() != "typed" || !reflect.DeepEqual(read("weights=none"), d) {
		t.Errorf("the defaults are called %s", d.String())
	}
}

// Faults name the file, the line, the value and what was expected.
func TestTextFaults(t *testing.T) {
	d := Default()
	var b bytes.Buffer
	if _, err := d.WriteTo(&b); err != nil {
		t.Fatal(err)
	}
	whole := b.String()
	for text, want := range map[string]string{
		"tarry-score 1": `w:1: the file begins with "tarry-score 1", expected "tarry-pairs 1"`,
		strings.Replace(whole, "price = 0.5\n", "", 1):           "the weight price is missing, expected every weight",
		strings.Replace(whole, "price = 0.5", "price = 101", 1):  `price is "101", expected a number from -100 to 100`,
		strings.Replace(whole, "eager = true", "eager = yes", 1): `w:7: eager is "yes", expected true or false`,
		whole + "exact = true\n":                                 `"exact" is unknown`,
	} {
		if _, err := Parse("w", strings.NewReader(text)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error %v, want %s", err, want)
		}
	}
	set := param.Parse("policy typed", "weights=/none")
	if Read(set); set.Err() == nil || !strings.Contains(set.Err().Error(), "/none") {
		t.Errorf("a file that is not there: %v", set.Err())
	}
}

// The files that ship are read.
func TestShipped(t *testing.T) {
	for _, name := range []string{"pairs-types.txt", "pairs-racks.txt"} {
		if s, err := Load("../../examples/weights/" + name); err != nil || reflect.DeepEqual(s, Default()) {
			t.Errorf("%s: %+v, error %v", name, s, err)
		}
	}
}
