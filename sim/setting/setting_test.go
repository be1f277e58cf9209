package setting

import (
	"encoding/json"
	"strings"
	"testing"

	"tarry/sim/param"
)

// values are where the rows of the tests go.
type values struct {
	text, name string
	list       []string
	yes        bool
	n          int
	long       int64
	seed       uint64
	x          float64
	inner      float64
}

func (v *values) rows() []Row {
	return []Row{
		{Key: "text", Flag: "text", Doc: "a text", To: &v.text, Empty: "none"},
		{Key: "name", Doc: "a name", To: &v.name, Names: []string{"a", "b"}},
		{Key: "list", Doc: "texts", To: &v.list},
		{Key: "yes", Doc: "a choice", To: &v.yes, Always: true},
		{Key: "n", Doc: "a count; 0 = none", Unit: "jobs", To: &v.n, High: 9},
		{Key: "long", Doc: "a long count", To: &v.long, Low: 1, High: 1 << 40},
		{Key: "seed", Doc: "a seed", To: &v.seed, High: 1 << 63, Never: true},
		{Key: "x", Doc: "a number", To: &v.x, Low: -1, High: 2},
		{Key: "box", Doc: "a mapping", Inside: []Row{{Key: "inner", Doc: "inside", To: &v.inner, High: 5}}},
	}
}

// What a text of options gives is read into the values, the faults have place, range and nearest
// key, and the rest stays.
func TestRead(t *testing.T) {
	v := values{name: "a", long: 7, x: 0.5}
	s := param.Parse("thing", "text=hi,name=b,list=p+q,yes=true,n=3,seed=9223372036854775807,box.inner=2")
	Read(s, v.rows())
	want := values{"hi", "b", []string{"p", "q"}, true, 3, 7, 1<<63 - 1, 0.5, 2}
	if err := s.Err(); err != nil || v.text != want.text || v.name != want.name ||
		strings.Join(v.list, " ") != "p q" ||
		!v.yes || v.n != want.n || v.long != want.long || v.seed != want.seed || v.x != want.x ||
		v.inner != want.inner {
		t.Errorf("got %+v, %v, expected %+v", v, err, want)
	}
	s = param.Parse("thing", "name=c,n=10,x=3,lon=5")
	Read(s, v.rows())
	for _, want := range []string{`name is "c", expected b, a`, `n is "10", expected a whole number in 0..9`,
		`x is "3", expected a number in -1..2`, `unknown key "lon"`, `did you mean "long"?`} {
		if err := s.Err(); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error %v, expected %s", err, want)
		}
	}
}

// A flag's text goes to the value of its type; Wrong reports a number out of its range.
func TestPut(t *testing.T) {
	var v values
	rows := v.rows()
	for key, text := range map[string]string{"text": "hi", "list": "p+q", "yes": "true", "n": "12", "long": "5",
		"seed": "8",
		"x":    "1e-3", "box.inner": "4"} {
		r := Find(rows, key)
		if err := r.Put(text); err != nil || key != "x" && r.Text() != text {
			t.Errorf("%s is %q, %v, expected %s", key, r.Text(), err, text)
		}
	}
	if got := Find(rows, "n").Wrong(); got != "n is 12, expected a whole number in 0..9" {
		t.Errorf("12 of 0..9: %q", got)
	}
	*Find(rows, "name").To.(*string) = "zzz"
	if got := Find(rows, "name").Wrong(); got != `name is "zzz", expected a, b` {
		t.Errorf("zzz of a and b: %q", got)
	}
	unset := Row{Key: "size", To: new(int), Low: 1, High: 2, Unset: true}
	if got := unset.Wrong(); got != "" {
		t.Errorf("0 that is not given: %q", got)
	}
	for _, key := range []string{"text", "x", "long", "box"} {
		if got := Find(rows, key).Wrong(); got != "" {
			t.Errorf("%s: %q, expected no fault", key, got)
		}
	}
	if Find(rows, "n").Put("many") == nil || Find(rows, "box").Put("x") == nil || Find(rows, "none") != nil {
		t.Error("a wrong text and a mapping were set, or an unknown key was found")
	}
}

// The resolved configuration has the values in the order of the table, without what states nothing.
func TestSaved(t *testing.T) {
	v := values{text: "none", name: "b", n: 3, seed: 5, x: 0}
	data, err := json.Marshal(Object(v.rows()))
	if want := `{"name":"b","yes":false,"n":3}`; err != nil || string(data) != want {
		t.Errorf("saved %s, %v, expected %s", data, err, want)
	}
}

// A row can stand behind another, and its words are the help's.
func TestHelp(t *testing.T) {
	v := values{n: 4}
	rows := After(v.rows(), "n", Row{Key: "law", Doc: "how", Forms: "fast or slow", See: "laws", Empty: "fast",
		Read: func(*param.Set) {}})
	text := Help(rows)
	for _, want := range []string{"\nn             a count, jobs; 0 = none\nlaw           how: fast or slow; " +
		"see list laws (fast)\nlong "} {
		if !strings.Contains(text, want) {
			t.Errorf("no %q in\n%s", want, text)
		}
	}
	law := Find(rows, "law")
	if got, want := law.Usage(), "how: `VALUE` is fast or slow (see tarry list laws)"; got != want {
		t.Errorf("usage %q, expected %q", got, want)
	}
	if got, want := Find(rows, "n").Usage(), "`VALUE`: a count; 0 = none"; got != want {
		t.Errorf("usage %q, expected %q", got, want)
	}
	if got := Find(rows, "long").Range() + "; " + Find(rows, "name").Range() + "; " + law.Range(); got !=
		"a whole number in 1..1099511627776; a, b; fast or slow" {
		t.Errorf("ranges %s", got)
	}
}

// Files are in the order of the table, files that go first before all others.
func TestFiles(t *testing.T) {
	of := func(name string) func() []string { return func() []string { return []string{name} } }
	rows := []Row{{Key: "a", Files: of("1")}, {Key: "b"}, {Key: "c", Files: of("2"), FilesFirst: true},
		{Key: "d", Files: of("3")}}
	if got := strings.Join(Files(rows), " "); got != "2 1 3" {
		t.Errorf("files %s, expected 2 1 3", got)
	}
}

// A row with Zero takes 0 and its range, and nothing between; flags and programs are held to the
// same.
func TestZero(t *testing.T) {
	for text, want := range map[string]string{"0": "", "1": "", "9": "",
		"0.5": `thing: x is "0.5", expected 0 or a number in 1..9`, "10": `thing: x is "10", expected a number in 0..9`} {
		v := 3.0
		rows := []Row{{Key: "x", To: &v, Low: 1, High: 9, Zero: true}}
		s := param.Parse("thing", "x="+text)
		Read(s, rows)
		got := ""
		if err := s.Err(); err != nil {
			got = err.Error()
		}
		if err := rows[0].Put(text); got != want || err != nil || (rows[0].Wrong() == "") != (want == "") {
			t.Errorf("x=%s: %q, %v, %q, expected %q", text, got, err, rows[0].Wrong(), want)
		}
	}
}
