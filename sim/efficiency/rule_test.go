package efficiency

import (
	"encoding/csv"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"tarry/internal/sharedata"
	"tarry/sim"
	"tarry/sim/models"
)

func TestErrors(t *testing.T) {
	for _, c := range []struct{ spec, want string }{
		{"noise=x",
			`efficiency: noise is "x", expected samples such as 5000, times the own batch such as 8x, a range of either such as 2x..32x, or inf`},
		{"noise=-1", `noise is "-1"`},
		{"noise=2x..3", `noise is "2x..3"`},
		{"noise=3x..2x", `noise is "3x..2x"`},
		{"noise=3x..inf", `noise is "3x..inf"`},
		{"growth=2x", `growth is "2x", expected a number, or LO..HI`},
		{"growth=0", `growth is "0", expected a number, or LO..HI`},
		{"epochs=0", `epochs is "0", expected a whole number in 1..1000000, or LO..HI`},
		{"epochs=1.5..3", `epochs is "1.5..3", expected a whole number`},
		{"max=0x", `max is "0x", expected samples such as 512, or times the own number such as 2x`},
		{"min_local=x", `min_local is "x"`},
		{"fixed=2", `fixed is "2", expected a number in 0..1`},
		{"scaling=even", `scaling is "even", expected weak, strong`},
		{"noice=2", `unknown key "noice"`},
		{"measured,noice=2", `unknown key "noice"`},
		{"growth=2x,epochs=0", "epochs is"},
	} {
		if _, err := Parse(c.spec); err == nil || !strings.Contains(err.Error(), c.want) ||
			!strings.HasPrefix(err.Error(), "efficiency:") {
			t.Errorf("%s:\n%v\nwant\n%s", c.spec, err, c.want)
		}
	}
}

// Every model of the catalogue has a law, of its own or borrowed; another has the plain one, and
// what is given goes first.
func TestLaws(t *testing.T) {
	set := models.NewSet(models.Catalogue()...)
	m := NewLayer(rule(t, Measured), set, "")
	for _, name := range set.Names() {
		if m.kind(name).name == "" {
			t.Errorf("%s has no law", name)
		}
	}
	for _, l := range laws() {
		if k := m.kind(l.name); k.name != l.name {
			t.Errorf("the law %s is that of %s", l.name, k.name)
		}
	}
	for _, c := range []struct {
		spec, model string
		batch       int32
		first, last float64 // samples
		epochs      int32
		limits      sim.BatchLimits
	}{
		{Measured, "ResNet-50 (batch size 64)", 0, 4579.86, 14352.1, 90,
			sim.BatchLimits{Initial: 256, Max: 12800, MinLocal: 6, MaxLocal: 64}},
		{Measured, "bert", 16, 422.966, 1124.3, 2, sim.BatchLimits{Initial: 16, Max: 384, MinLocal: 1, MaxLocal: 4}},
		{Measured, "bert", 1000, 422.966, 1124.3, 2, sim.BatchLimits{Initial: 1000, Max: 1000, MinLocal: 83,
			MaxLocal: 250}},
		{Measured, "mine", 0, 8 * 128, 32 * 128, 30, sim.BatchLimits{Initial: 128, Max: 4096, MinLocal: 8,
			MaxLocal: 64}},
		{"measured,batch=10,growth=2", "mine", 0, 320, 640, 30,
			sim.BatchLimits{Initial: 40, Max: 1280, MinLocal: 2, MaxLocal: 20}},
		{"noise=2x,max=2x,min_local=3,max_local=50", "resnet50", 0, 512, 2048, 30,
			sim.BatchLimits{Initial: 256, Max: 512, MinLocal: 3, MaxLocal: 64}},
		{"noise=500,epochs=7,max=1000", "resnet50", 0, 500, 2000, 7,
			sim.BatchLimits{Initial: 256, Max: 1000, MinLocal: 16, MaxLocal: 128}},
		{"noise=0", "", 8, 0, 0, 30, sim.BatchLimits{Initial: 8, Max: 256, MinLocal: 1, MaxLocal: 4}},
	} {
		m := NewLayer(rule(t, c.spec), set, "")
		j := &sim.Job{ID: "a", GPUs: 4, Model: c.model, BatchSize: c.batch, Work: 1000}
		o := m.own(j, 0)
		if !near(o.first*o.batch, c.first) || math.Abs(o.last*o.batch-c.last) > 1e-9*c.last || o.epochs != c.epochs ||
			m.Batches(j) != c.limits {
			t.Errorf("%s, %s: %+v, %+v", c.spec, c.model, o, m.Batches(j))
		}
	}
	m = NewLayer(rule(t, Measured), set, "resnet18")
	if k := m.kind("mine"); k.name != "imagenet" || k.batch != 64 {
		t.Errorf("a model that stands in: %+v", k)
	}
}

// The laws are as in the tables of Pollux' applications.
func TestLawsOfTheTables(t *testing.T) {
	dir := sharedata.Path(t, "profiles", "pollux-sim")
	apps, err := table(filepath.Join(dir, "applications.csv"))
	if err != nil {
		t.Fatal(err)
	}
	epochs, err := table(filepath.Join(dir, "validation.csv"))
	if err != nil {
		t.Fatal(err)
	}
	for _, app := range apps {
		l, ok := lawOf(app["application"])
		if !ok {
			t.Errorf("%s has no law", app["application"])
			continue
		}
		own := number(app["init_batch_size"])
		var phi []float64
		for _, e := range epochs {
			if e["application"] == l.name && e["batch_size"] == app["init_batch_size"] {
				phi = append(phi, own*number(e["grad_var"])/number(e["grad_sqr"]))
			}
		}
		tenth := (len(phi) + 9) / 10
		first, last := median(phi[:tenth]), median(phi[len(phi)-tenth:])
		if math.Abs(l.first/first-1) > 1e-5 || math.Abs(l.last/last-1) > 1e-5 || l.epochs != len(phi) ||
			l.most != number(app["max_batch_size"]) ||
			!near(l.least, number(app["min_local_bsz"])/own) || !near(l.fill, number(app["max_local_bsz"])/own) {
			t.Errorf("%+v, the table has noise %v to %v in %d epochs and %v", l, first, last, len(phi), app)
		}
	}
}

func table(file string) ([]map[string]string, error) {
	f, err := os.Open(file)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	rows, err := csv.NewReader(f).ReadAll()
	var out []map[string]string
	for _, r := range rows[min(1, len(rows)):] {
		m := map[string]string{}
		for i, c := range rows[0] {
			m[c] = r[i]
		}
		out = append(out, m)
	}
	return out, err
}

func number(text string) float64 {
	v, _ := strconv.ParseFloat(text, 64)
	return v
}

// median leaves out what is not a number.
func median(all []float64) float64 {
	all = slices.DeleteFunc(slices.Clone(all), func(x float64) bool { return math.IsNaN(x) || math.IsInf(x, 0) })
	slices.Sort(all)
	n := len(all)
	return (all[(n-1)/2] + all[n/2]) / 2
}

func FuzzParse(f *testing.F) {
	f.Add("noise=2x..32x,growth=4,epochs=3..9")
	f.Add("measured,max=5,seed=1")
	f.Fuzz(func(t *testing.T, spec string) {
		r, err := Parse(spec)
		if (r == nil) == (err == nil) {
			t.Fatalf("rule %v and error %v", r, err)
		}
		if err != nil {
			return
		}
		m := over(common{}, NewLayer(r, nil, ""))
		for _, gpus := range []int{1, 2, 7} {
			q := on(&sim.Job{ID: "a", GPUs: 2, Work: 1000}, gpus)
			q.Done = 400
			s, err := m.Speed(q)
			if err != nil || !(s.Rate > 0) || math.IsInf(s.Rate, 0) || !(m.Mark(q) > q.Done) {
				t.Fatalf("%q on %d GPUs: %+v, %v, mark %v", spec, gpus, s, err, m.Mark(q))
			}
		}
	})
}
