package interference

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"tarry/sim/speed/measured"
)

// gavelTables reads Gavel's tables.
func gavelTables(dir string) (Measured, error) { return measured.Open(dir) }

func rule(t testing.TB, spec string) *Rule {
	t.Helper()
	r, err := Parse(spec, gavelTables)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// put writes a file and gives its path.
func put(t testing.TB, name, text string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

const head = "model_a,model_b,gpus,keep_a,keep_b\n"

// spec is a setting of each law that reads no file but one that is made.
func specs(t testing.TB) []string {
	file := put(t, "pairs.csv", head+"vgg16,bert,0,0.9,0.6\nvgg16,bert,2,0.7,0.5\nbert,bert,,0.55,0.55\n")
	return []string{"slices", "slices:by=ticket,quantum_s=1", "mps", "mps:bandwidth=0,limit=always,util=0.2", "nway",
		"nway:a=0,util=1", "horus", "horus:each=true", "priority",
		"priority:class=ticket,eps=0.1,floor=0.2", "crossover", "pairs:" + file, "pairs:" + file +
			",default=0.3,beyond=least"}
}

func TestParse(t *testing.T) {
	for _, none := range []string{"", None} {
		if r, err := Parse(none, gavelTables); r != nil || err != nil {
			t.Errorf("%q: %v, %v", none, r, err)
		}
	}
	for _, spec := range specs(t) {
		if r := rule(t, spec); r.String() != spec {
			t.Errorf("%q is %q", spec, r)
		}
	}
}

// Every fault of a setting is reported at once, with what was expected.
func TestWrongSettings(t *testing.T) {
	for spec, want := range map[string][]string{
		"nwai": {`interference "nwai": unknown law "nwai", expected one of none, slices, mps, mig, nway,`,
			`did you mean "nway"?`},
		"nway:a=-1,util=0,b=2,spill=x": {`a is "-1", expected a number in 0..1000`,
			`util is "0", expected a number in 0.01..1`, `unknown key "b"`, `spill is "x"`},
		"slices:quantum_s=1,switch_s=2":  {"a switch takes 2 s of a turn of 1 s, expected less"},
		"slices:by=share":                {`by is "share", expected jobs, ticket`},
		"mps:limit=never,bandwidth=inf":  {"limit is", "bandwidth is"},
		"priority:eps=1,floor=0,class=x": {"eps is", "floor is", "class is"},
		"crossover:a=1":                  {`unknown key "a", expected one of spill`},
		"pairs":                          {"file is missing, expected pairs:FILE"},
		"pairs:default=2":                {"default=2: "},
		"pairs:x.csv,default=0":          {"default is", "x.csv"},
		"gavel":                          {"dir is missing, expected gavel:DIR"},
		"gavel:nowhere":                  {"isolated.csv"},
		"none:a=1":                       {`unknown law "none"`},
	} {
		_, err := Parse(spec, gavelTables)
		for _, w := range want {
			if err == nil || !strings.Contains(err.Error(), w) {
				t.Errorf("%q: %v, expected %q", spec, err, w)
			}
		}
	}
}

// Each option of a law is described, without its default, and each that is described is read.
func TestOptionsAreDescribed(t *testing.T) {
	for _, k := range Laws() {
		if k.Doc == "" || !strings.HasPrefix(k.Form, k.Name) {
			t.Errorf("%+v", k)
		}
		lines := map[string]string{}
		for line := range strings.SplitSeq(strings.TrimSpace(k.Params+"\n"+SpillDoc), "\n") {
			key, _, _ := strings.Cut(line, " ")
			lines[key] = line
		}
		for _, o := range k.Options() {
			line, ok := lines[o.Key]
			if !ok || strings.HasSuffix(line, "("+o.Default+")") {
				t.Errorf("%s: option %s with default %q is described as %q", k.Name, o.Key, o.Default, line)
			}
			delete(lines, o.Key)
		}
		if len(lines) > 0 {
			t.Errorf("%s: %v is not read", k.Name, lines)
		}
	}
	if f := Forms(); !strings.HasPrefix(f, "none, slices") || !strings.Contains(f, " or ") {
		t.Error(f)
	}
}

// The files behind a setting are the files that it reads.
func TestFiles(t *testing.T) {
	if got := Files("pairs:a.csv,default=0.4"); len(got) != 1 || got[0] != "a.csv" {
		t.Error(got)
	}
	if got := Files("gavel:d"); len(got) != 3 || got[0] != filepath.Join("d", "isolated.csv") {
		t.Error(got)
	}
	for _, spec := range []string{"", None, "nway", "pairs", "nothing:x"} {
		if got := Files(spec); got != nil {
			t.Errorf("%q: %v", spec, got)
		}
	}
}
