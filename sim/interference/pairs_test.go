package interference

import (
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"tarry/internal/sharedata"
)

// Wrong tables are refused, each fault with its line, column and what was expected.
func TestWrongTables(t *testing.T) {
	for text, want := range map[string][]string{
		"":                                       {"pairs.csv"},
		head:                                     {"no rows"},
		"model_a,model_b,gpus,keep_a\na,b,1,1\n": {"keep_b"},
		head + ",b,1,0.5,0.5\n":                  {`:2: `, "model_a", "the name of a model"},
		head + "a,b,x,0.5,0.5\na,c,1,0,0.5\na,c,1,0.5,2\n": {":2: ", "gpus", ":3: ", "keep_a", "> 0", ":4: ", "keep_b",
			"1e-6..1"},
		head + "a,b,-1,0.5,0.5\n": {"gpus"},
		head + "a,a,0,0.5,0.6\n":  {"keep_b", "as much as keep_a of the same model"},
		head + "a,b,0,0.5,0.6\nb,a,0,0.5,0.6\n": {":3: ", "keeps 0.5 beside the other, and 0.6 by an " +
			"earlier row"},
		head + "a,b,0,0.5,NaN\n": {"keep_b"},
	} {
		_, err := Parse("pairs:"+put(t, "pairs.csv", text), gavelTables)
		for _, w := range want {
			if err == nil || !strings.Contains(err.Error(), w) {
				t.Errorf("%q: %v, expected %q", text, err, w)
			}
		}
	}
	if _, err := Parse("pairs:nowhere.csv", gavelTables); err == nil || !strings.Contains(err.Error(), "nowhere.csv") {
		t.Error(err)
	}
	if r, err := Parse("pairs:"+put(t, "pairs.csv", head+"a,b,0,0.5,0.6\nb,A,,0.6,0.5\n"), gavelTables); err != nil {
		t.Errorf("the same twice: %v, %v", r, err)
	}
}

// A model is found whatever its case, signs and batch size, and by the catalogue's name.
func TestNames(t *testing.T) {
	l := rule(t, "pairs:"+put(t, "pairs.csv", head+"ResNet-50 (batch size 64),ResNet-50 (batch size "+
		"128),0,0.9,0.6\nbert-large,x,0,0.9,0.6\n")).law.(*pairs)
	m := NewLayer(&Rule{law: l}, nil, nil)
	for name, want := range map[string]int32{
		"ResNet-50 (batch size 64)": 0, "resnet-50 (BATCH size 128)": 1, "resnet50": 0, "ResNet-50": 0,
		"ResNet-50 (batch size 16)": 0, "BERT-Large": 2, "bert_large": 2, "": -1, "nothing of the sort": -1,
	} {
		if got := m.name(name); got != want {
			t.Errorf("%q is %d, expected %d", name, got, want)
		}
	}
}

const gavelAlone = "job_type,scale_factor,gpu_type,steps_per_s\nA3C,1,v100,4\nLM (batch size 5),1,v100,10\nLM " +
	"(batch size 5),2,v100,18\nA3C,1,k80,1\n"
const gavelPairs = "type_a,type_b,scale_factor_a,scale_factor_b,gpu_type,steps_per_s_a,steps_per_s_b\nA3C,A3C,1,1," +
	"v100,3,3\nA3C,LM (batch size 5),1,1,v100,5,4\nLM (batch size 5),LM (batch size 5),2,2,v100,0,0\n"

// A folder of Gavel's is a table of pairs: steps beside over steps alone, at most 1; a pair that
// does not run keeps a little.
func TestGavelPairs(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{"isolated.csv": gavelAlone, "colocated.csv": gavelPairs} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	m := over(common{}, rule(t, "gavel:"+dir))
	a, b, c := job("A3C"), job("lm (batch size 5)"), job("x")
	for i, got := range []float64{
		keeps(t, m, beside(on(a, 500, 0), peer(a, 500, 0))), keeps(t, m, beside(on(a, 500, 0), peer(b, 500, 0))),
		keeps(t, m, beside(on(b, 500, 0), peer(a, 500, 0))),
		keeps(t, m, beside(on(b, 500, 0, 1), peer(b, 500, 0, 1))), keeps(t, m, beside(on(b, 500, 0), peer(c, 500, 0))),
		keeps(t, m, beside(on(a, 500, 0, 1), peer(b, 500, 0, 1))),
	} {
		if want := []float64{0.75, 1, 0.4, 0.01, 0.5, 0.5}[i]; !near(got, want) {
			t.Errorf("case %d: keeps %v, expected %v", i, got, want)
		}
	}
	for spec, want := range map[string]string{"gavel:" + dir +
		",type=a100": `no GPU type "a100", expected type=TYPE of v100, k80`, "gavel:" + dir + ",unfit=0": "unfit is"} {
		if _, err := Parse(spec, gavelTables); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", spec, err)
		}
	}
	if err := os.Remove(filepath.Join(dir, "colocated.csv")); err != nil {
		t.Fatal(err)
	}
	if _, err := Parse("gavel:"+dir, gavelTables); err == nil || !strings.Contains(err.Error(), "no colocated.csv") {
		t.Error(err)
	}
}

// The published measurements: every part is in (0, 1], and ResNet-18 beside A3C keeps what the
// files state.
func TestGavelAsPublished(t *testing.T) {
	l := rule(t, "gavel:"+sharedata.Path(t, "profiles", "gavel")).law.(*pairs)
	if len(l.table.rows) < 1000 {
		t.Errorf("only %d pairs", len(l.table.rows))
	}
	for p, keep := range l.table.rows {
		if !(keep >= 0.01 && keep <= 1) {
			t.Errorf("%+v keeps %v", p, keep)
		}
	}
	for model, beside := range l.table.models {
		if l.name(model) != beside {
			t.Errorf("%q is not found", model)
		}
	}
}

// FuzzPairs reads any file: an error, or a table in which every part is in (0, 1].
func FuzzPairs(f *testing.F) {
	f.Add(head + "a,b,0,0.9,0.6\n")
	f.Add(head + "a,a,1,0.9,0.9\nA,b,,1e-6,1\n")
	f.Add("keep_b,keep_a,gpus,model_b,model_a\n1,1,65536,x,x (batch size 4)\n")
	f.Add("\"model_a\n")
	dir := f.TempDir()
	f.Fuzz(func(t *testing.T, text string) {
		path := filepath.Join(dir, "pairs.csv")
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		table, err := openPairs(path)
		if err != nil {
			return
		}
		for p, keep := range table.rows {
			if !(keep > 0 && keep <= 1) || math.IsNaN(keep) || p.gpus < 0 || int(p.me) >= len(table.models) {
				t.Errorf("%+v keeps %v", p, keep)
			}
			if _, ok := table.rows[pair{p.other, p.me, p.gpus}]; !ok {
				t.Errorf("%+v stands in one order alone", p)
			}
		}
	})
}
