package param

import (
	"math"
	"reflect"
	"slices"
	"strings"
	"testing"
)

// everything reads one of each kind.
func everything(s *Set) []any {
	costs := s.Child("costs")
	out := []any{s.Text("trace", "none"), s.Float("load", 0.9, 0, math.MaxFloat64),
		s.Int64("seed", 1, 0, math.MaxInt64), s.Bool("strict", false),
		s.Texts("profiles", nil), costs.Float("start_s", 0, 0, 10), costs.Float("restore_s", 0, 0, 10)}
	return out
}

// One reader: a file, an argument and gathered settings with the same content are the same.
func TestOneReader(t *testing.T) {
	file, err := ParseYAML("a.yaml", []byte("trace: synth:demo\nload: 0.5\nseed: 9\nstrict: true\nprofiles: [x, "+
		"y]\ncosts: {start_s: 2, restore_s: 3}\n"))
	if err != nil {
		t.Fatal(err)
	}
	text, err := ParseYAML("a.yaml", []byte("trace: synth:demo\nload: 0.5\nseed: 9\nstrict: true\nprofiles: [x, "+
		"y]\ncosts: start_s=2,restore_s=3\n"))
	if err != nil {
		t.Fatal(err)
	}
	want := []any{"synth:demo", 0.5, int64(9), true, []string{"x", "y"}, 2.0, 3.0}
	for name, s := range map[string]*Set{"file": file, "text in a file": text,
		"dots": Parse("env", "trace=synth:demo,load=0.5,seed=9,strict=true,profiles=x+y,costs.start_s=2,"+
			"costs.restore_s=3"),
		"quotes": Parse("env",
			`trace=synth:demo,load=0.5,seed=9,strict=true,profiles=x+y,costs="start_s=2,restore_s=3"`),
		"both": Parse("env",
			`trace=synth:demo,load=0.5,seed=9,strict=true,profiles=x+y,costs=start_s=2,costs.restore_s=3`),
		"tree": FromTree("cell", map[string]any{"trace": "synth:demo", "load": 0.5, "seed": 9, "strict": true,
			"profiles": []string{"x", "y"},
			"costs":    map[string]any{"start_s": 2, "restore_s": "3"}}, func(string) string { return "" }),
	} {
		if got := everything(s); !reflect.DeepEqual(got, want) || s.Err() != nil {
			t.Errorf("%s: %v, %v, expected %v", name, got, s.Err(), want)
		}
	}
}

// Every fault has its place, its value and what was expected, wherever the setting is from.
func TestFaultsOfEverySource(t *testing.T) {
	file, err := ParseYAML("a.yaml", []byte("load: many\nstrict: yes\ncosts:\n  start_s: 99\n  stop_s: 1\nseed: "+
		"[1]\ntrcae: x\n"))
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		s    *Set
		want string
	}{
		{file, `a.yaml:1:7: load is "many", expected a finite number >= 0
a.yaml:2:9: strict is "yes", expected true or false
a.yaml:4:12: costs.start_s is "99", expected a number in 0..10
a.yaml:5:3: unknown field "costs.stop_s", expected one of restore_s, start_s
a.yaml:6:7: seed is a list, expected a whole number >= 0
a.yaml:7:1: unknown field "trcae", expected one of costs, load, profiles, seed, strict, trace; did you mean "trace"?`},
		{Parse("env X", "load=many,costs.start_s=99,costs.stop_s=1,costs=none"), `env X: costs is "none", expected key=value,... between double quotes, or costs.KEY=VALUE
env X: load is "many", expected a finite number >= 0
env X: costs.start_s is "99", expected a number in 0..10
env X: unknown key "costs.stop_s", expected one of costs, load, profiles, seed, strict, trace`},
		{Parse("env X", `costs="start_s=1,start_s=2",costs.start_s=3`), `env X: costs: start_s appears twice
env X: costs.start_s appears twice`},
		{FromTree("cell", map[string]any{"load": "many", "costs": "x", "zzz": nil, "trace": "a\x01"},
			func(key string) string {
				return map[string]string{"load": "sweep.yaml:7:3"}[key]
			}), "cell: a text holds the control character U+0001, expected none\n" + `cell: costs is "x", expected key: value
sweep.yaml:7:3: load is "many", expected a finite number >= 0
cell: unknown field "zzz", expected one of costs, load, profiles, seed, strict, trace`},
	} {
		everything(c.s)
		if err := c.s.Err(); err == nil || err.Error() != c.want {
			t.Errorf("error\n%v\nexpected\n%s", err, c.want)
		}
	}
}

// What is no mapping at all is reported at once.
func TestNoMapping(t *testing.T) {
	for text, want := range map[string]string{"": "a.yaml: the file is empty, expected key: value",
		"- 1\n":  "a.yaml:1:1: the file is a list, expected key: value",
		"a: [\n": "a.yaml:1: did not find expected node content"} {
		if _, err := ParseYAML("a.yaml", []byte(text)); err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("%q: %v, expected %s", text, err, want)
		}
	}
}

// A mapping inside an argument is one setting of the list, not one for each of its keys.
func TestSettingsOfMappings(t *testing.T) {
	s := Parse("env", "")
	everything(s)
	var keys []string
	for _, a := range s.Settings() {
		keys = append(keys, a.Key)
	}
	if want := []string{"costs", "trace", "load", "seed", "strict", "profiles"}; !slices.Equal(keys, want) {
		t.Errorf("settings %v, expected %v", keys, want)
	}
}

func TestTree(t *testing.T) {
	s, err := ParseYAML("f.yaml", []byte("a: 1.50\nb: {c: [x, {d: true}]}\nline: {k: [1, 2]}\n"))
	if err != nil {
		t.Fatal(err)
	}
	where := map[string]string{}
	note := func(path string, at Place) { where[path] = at.String() }
	if got := s.Tree("b", note); s.Tree("a", note) != "1.50" ||
		!reflect.DeepEqual(got, map[string]any{"c": []any{"x", map[string]any{"d": "true"}}}) {
		t.Errorf("got %v", got)
	}
	for path, want := range map[string]string{"a": "f.yaml:1:1", "b.c": "f.yaml:2:5", "b.c[1].d": "f.yaml:2:13"} {
		if where[path] != want {
			t.Errorf("%s is at %q, want %q", path, where[path], want)
		}
	}
	if got := s.Line("line"); got != `{"k":[1,2]}` || s.Err() != nil {
		t.Errorf("line %s, %v", got, s.Err())
	}
	s, err = ParseYAML("f.yaml", []byte("a:\nb: {c: 1, c: 2}\nd: [~]\n"))
	if err != nil {
		t.Fatal(err)
	}
	for _, key := range s.Keys() {
		s.Tree(key, nil)
	}
	want := "f.yaml:1:3: a is empty, expected a value\nf.yaml:2:11: b.c appears twice\nf.yaml:3:5: d[0] is empty, " +
		"expected a value"
	if err := s.Err(); err == nil || err.Error() != want {
		t.Errorf("got  %v\nwant %s", err, want)
	}
}

// Every value has its place, whether it is asked for or not; what was gathered has the place
// that is nearest.
func TestPlaces(t *testing.T) {
	s, err := ParseYAML("f.yaml", []byte("a: 1\nb: {c: [x, {d: ~}]}\n"))
	if err != nil {
		t.Fatal(err)
	}
	got := map[string]string{}
	s.Places(func(path string, at Place) { got[path] = at.String() })
	want := map[string]string{"a": "f.yaml:1:1", "b": "f.yaml:2:1", "b.c": "f.yaml:2:5", "b.c[0]": "f.yaml:2:9",
		"b.c[1]": "f.yaml:2:12", "b.c[1].d": "f.yaml:2:13"}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("got  %v\nwant %v", got, want)
	}
	g := FromTree("cell", map[string]any{"b": map[string]any{"c": []any{"1", "x"}, "d": "y"}, "e": "z"},
		func(path string) string {
			return map[string]string{"b": "s.yaml:3", "b.c[1]": "s.yaml:5:9"}[path]
		})
	b := g.Child("b")
	b.Ints("c", 0, 9)
	b.Float("d", 0, 0, 1)
	g.Float("e", 0, 0, 1)
	text := `s.yaml:5:9: b.c[1] is "x", expected a whole number in 0..9` + "\n" +
		`s.yaml:3: b.d is "y", expected a number in 0..1` + "\n" + `cell: e is "z", expected a number in 0..1`
	if err := g.Err(); err == nil || err.Error() != text {
		t.Errorf("got  %v\nwant %s", err, text)
	}
}

// A list of texts or numbers names the entries that are none.
func TestEntries(t *testing.T) {
	s, err := ParseYAML("f.yaml", []byte("a: [x, {y: 1}, z]\nb: [1, x, 30, 4]\nc: []\nd: 3\n"))
	if err != nil {
		t.Fatal(err)
	}
	if a, b := s.Entries("a", "a word"), s.Ints("b", 0, 9); !reflect.DeepEqual(a, []string{"x", "z"}) ||
		!reflect.DeepEqual(b, []int64{1, 4}) || s.Len("a") != 3 || s.Len("d") != 0 {
		t.Errorf("got %v and %v", a, b)
	}
	s.Entries("c", "a word")
	s.Entries("d", "a word")
	want := "f.yaml:1:8: a[1] is a mapping, expected a word\nf.yaml:2:8: b[1] is \"x\", expected a whole number in " +
		"0..9\nf.yaml:2:11: b[2] is \"30\", expected a whole number in 0..9\n" +
		"f.yaml:3:4: c is an empty list, expected a list with at least one entry, each a word\nf.yaml:4:4: d is " +
		"\"3\", expected a list with at least one entry, each a word"
	if err := s.Err(); err == nil || err.Error() != want {
		t.Errorf("got  %v\nwant %s", err, want)
	}
}
