package gpuprofile

import (
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"tarry/sim"
	"tarry/sim/models"
	"tarry/sim/origin"
)

const head = "model,gpus,gpu_util_frac,gpu_mem_mib\n"

func put(t testing.TB, text string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "profile.csv")
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

func rule(t testing.TB, spec string) *Rule {
	t.Helper()
	r, err := Parse(spec, nil)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// A file gives what a job does not state: by its model and GPUs, by its model, by model *.
func TestFile(t *testing.T) {
	r := rule(t, put(t, head+"VGG16,0,0.6,9000\nvgg16,4,0.5,8000\nbert-large,,,13000\nx (batch size "+
		"4),0,0.1,\nx,0,0.2,\n*,0,0.4,5000\n*,8,0.3,\n"))
	for _, c := range []struct {
		model string
		gpus  int32
		has   need
		want  need
	}{
		{"vgg16", 1, need{}, need{9000, 0.6}}, {"VGG16", 4, need{}, need{8000, 0.5}},
		{"VGG-16", 4, need{}, need{8000, 0.5}},
		{"bert", 2, need{}, need{13000, 0}}, {"vgg16", 4, need{1, 0}, need{1, 0.5}},
		{"vgg16", 4, need{0, 1}, need{8000, 1}}, {"vgg16", 4, need{7, 0.7}, need{7, 0.7}},
		{"X (batch size 4)", 1, need{}, need{0, 0.1}}, {"x (batch size 8)", 1, need{}, need{0, 0.2}},
		{"other", 1, need{}, need{5000, 0.4}}, {"", 8, need{}, need{0, 0.3}},
	} {
		j := sim.Job{ID: "a", GPUs: c.gpus, Model: c.model, Work: 1, GPUMiB: c.has.mib, GPUUtilFrac: c.has.util}
		g := giver{r, map[key]need{}}
		for range 2 { // from memory as well
			got := j
			if g.job(&got); got.GPUMiB != c.want.mib || got.GPUUtilFrac != c.want.util {
				t.Errorf("%q on %d: %d MiB, %v, expected %+v", c.model, c.gpus, got.GPUMiB, got.GPUUtilFrac, c.want)
			}
		}
	}
}

// The catalogue has every model of sim/models; memory and busy parts are in their ranges, and of
// known models as expected by hand.
func TestCatalogue(t *testing.T) {
	r := rule(t, Catalogue)
	for _, p := range models.Catalogue() {
		gpus := 1
		if p.StatesMiB > 0 { // large ones divide most of it
			gpus = 512
		}
		n := r.of(p.Name, int32(gpus))
		if !(n.util > 0 && n.util <= 1) || int64(n.mib) <= p.NeedMiB(gpus) || n.mib > 64<<10 {
			t.Errorf("%s on %d: %+v, outputs once %d MiB", p.Name, gpus, n, p.NeedMiB(gpus))
		}
	}
	for model, want := range map[string]need{"vgg16": {9753, 68. / 107}, "BERT": {0, 160. / 178},
		"nothing of the sort": {}, "": {}} {
		if n := r.of(model, 3); math.Abs(n.util-want.util) > 1e-12 || want.mib > 0 && n.mib != want.mib {
			t.Errorf("%s: %+v, expected %+v", model, n, want)
		}
	}
	if p, err := models.Lookup("resnet50"); err != nil || math.Abs(r.of("resnet50",
		1).util-p.ComputeNS()/(p.ComputeNS()+25e6)) > 1e-15 {
		t.Errorf("resnet50: %+v", r.of("resnet50", 1))
	}
	for name := range measured() {
		if _, err := models.Lookup(name); err != nil {
			t.Error(err)
		}
	}
	if n := r.of("dlrm", 1); n.util > 0.1 {
		t.Errorf("DLRM computes 0.9 ms in an iteration and keeps %v of a GPU busy", n.util)
	}
}

// Changes gives each job what Apply gives it; the workload states where the numbers are from, and
// the one before is unchanged.
func TestApplyAndStream(t *testing.T) {
	all := []sim.Job{{ID: "a", GPUs: 1, Model: "vgg16", Work: 5},
		{ID: "b", GPUs: 2, Model: "gpt2", Work: 5, GPUMiB: 3}, {ID: "c", GPUs: 2, Work: 5}}
	w, err := sim.NewWorkload("w", all)
	if err != nil {
		t.Fatal(err)
	}
	r := rule(t, Catalogue)
	out, err := r.Apply(w)
	if err != nil {
		t.Fatal(err)
	}
	if w.Jobs[0].GPUMiB != 0 || out.Jobs[0].GPUMiB == 0 || out.Jobs[1].GPUMiB != 3 || out.Jobs[1].GPUUtilFrac == 0 ||
		out.Jobs[2].GPUMiB != 0 {
		t.Errorf("%+v\n%+v", w.Jobs, out.Jobs)
	}
	change := r.Changes()
	for i := range out.Jobs {
		j := w.Jobs[i]
		if change(&j); j != out.Jobs[i] {
			t.Errorf("one by one %+v, at once %+v", j, out.Jobs[i])
		}
	}
	if !slices.ContainsFunc(out.Origins, func(o origin.Origin) bool {
		return o.Field == "gpu_util_frac" &&
			strings.Contains(o.Source, Catalogue)
	}) {
		t.Errorf("origins %v", out.Origins)
	}
	if same, err := r.Apply(w); err != nil || same.Hash() != out.Hash() || out.Hash() == w.Hash() {
		t.Error("hashes of jobs do not say what they need", err)
	}
}

// Faults of a file have line, column and what was expected; none and nothing are no rule.
func TestWrongFiles(t *testing.T) {
	for text, want := range map[string][]string{
		head:                                  {"no rows"},
		"model,gpus,gpu_util_frac\na,0,1\n":   {"gpu_mem_mib"},
		head + ",0,1,1\na,-1,2,0\n":           {":2: ", "model", ":3: ", "gpus", "gpu_util_frac", "gpu_mem_mib"},
		head + "a,0,0,1\n":                    {"gpu_util_frac", "> 0"},
		head + "a,0,0.5,1\nA,,0.6,1\n":        {":3: ", `a second row for model "a" on 0 GPUs`},
		head + "a,0,0.5,99999999999\n":        {"gpu_mem_mib"},
		head + "a,0,x,1\na,0,0.5,1.5\n":       {":2: ", ":3: "},
		"gpus,model,gpu_mem_mib,x\n0,a,1,1\n": {"gpu_util_frac"},
	} {
		_, err := Parse(put(t, text), nil)
		for _, w := range want {
			if err == nil || !strings.Contains(err.Error(), w) {
				t.Errorf("%q: %v, expected %q", text, err, w)
			}
		}
	}
	if _, err := Parse("catalog", nil); err == nil || !strings.Contains(err.Error(),
		"expected none, catalogue or FILE.csv") {
		t.Error(err)
	}
	for _, none := range []string{"", None} {
		if r, err := Parse(none, nil); r != nil || err != nil || Files(none) != nil {
			t.Errorf("%q: %v, %v", none, r, err)
		}
	}
	if f := Files("a.csv"); !slices.Equal(f, []string{"a.csv"}) || Files(Catalogue) != nil {
		t.Error(f)
	}
}

// FuzzRead reads any file: an error, or needs in their ranges.
func FuzzRead(f *testing.F) {
	f.Add(head + "a,0,0.5,1\n*,,,\n")
	f.Add(head + "a,1048576,1e-300,2147483647\n")
	f.Add("gpu_mem_mib,gpu_util_frac,gpus,model\n1,1,1,\"x (batch size 4)\"\n")
	dir := f.TempDir()
	f.Fuzz(func(t *testing.T, text string) {
		path := filepath.Join(dir, "p.csv")
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		rows, err := read(path)
		if err != nil {
			return
		}
		for k, n := range rows {
			if k.model == "" || k.gpus < 0 || n.mib < 0 || !(n.util >= 0 && n.util <= 1) {
				t.Errorf("%+v: %+v", k, n)
			}
		}
	})
}
