package measured

import (
	"math"
	"path/filepath"
	"strings"
	"testing"

	"tarry/internal/sharedata"
	"tarry/sim"
	"tarry/sim/cluster"
)

const (
	bertA100 = "global_batch_size,1,2,4,8\n64,10,16,20,18\n128,5,9,15,\n"
	bertT4   = "global_batch_size,1,2,4\n64,4,6,nan\n"
	ncfA100  = "global_batch_size,1,2,4,8\n8,100,0,0,0\n16,nan,80,90,90\n"
)

func scalingFolder(t testing.TB) string {
	return folder(t, "throughputs_A100_bert.csv", bertA100, "throughputs_T4_bert.csv", bertT4,
		"throughputs_A100_ncf_small.csv", ncfA100, "README.md", "no table")
}

// mixed is 2 machines of 8 untyped GPUs and one of 8 T4.
func mixed(t testing.TB) *cluster.Topology {
	t.Helper()
	topo, err := cluster.New(cluster.Spec{Racks: [][]cluster.Machines{{{Count: 2, GPUs: 8},
		{Count: 1, GPUs: 8, Type: "t4"}}}})
	if err != nil {
		t.Fatal(err)
	}
	return topo
}

func scaling(t testing.TB, opt ScalingOptions) *ScalingModel {
	t.Helper()
	table, err := OpenScaling(scalingFolder(t))
	if err != nil {
		t.Fatal(err)
	}
	m, err := NewScaling(table, mixed(t), opt)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

func gpus(from, n int) []cluster.GPU {
	out := make([]cluster.GPU, n)
	for i := range out {
		out[i] = cluster.GPU(from + i)
	}
	return out
}

func TestScalingSpeed(t *testing.T) {
	m, linear := scaling(t, ScalingOptions{Untyped: "A100"}), scaling(t, ScalingOptions{Untyped: "a100", Linear: true})
	half := query("bert (batch size 64)", 0)
	half.ShareMilli = 500
	for _, c := range []struct {
		why        string
		m          *ScalingModel
		q          *sim.Query
		rate, frac float64
	}{
		{"one GPU", m, query("bert (batch size 64)", gpus(0, 1)...), 10, 1},
		{"four, case does not count", m, query("BERT (batch size 64)", gpus(0, 4)...), 20, 0.5},
		{"the throughput falls", m, query("bert (batch size 64)", gpus(0, 8)...), 18, 18. / 80},
		{"between two", m, query("bert (batch size 64)", gpus(0, 3)...), 16, 16. / 30},
		{"between two, linear", linear, query("bert (batch size 64)", gpus(0, 3)...), 18, 18. / 30},
		{"beyond the last", m, query("bert (batch size 64)", gpus(0, 16)...), 18, 18. / 160},
		{"beyond the last, linear", linear, query("bert (batch size 64)", gpus(0, 16)...), 18, 18. / 160},
		{"an empty cell", m, query("bert (batch size 128)", gpus(0, 8)...), 15, 15. / 40},
		{"two machines", m, query("bert (batch size 64)", gpus(6, 4)...), 20, 0.5},
		{"another type", m, query("bert (batch size 64)", gpus(16, 2)...), 6, 0.75},
		{"nan", m, query("bert (batch size 64)", gpus(16, 4)...), 6, 6. / 16},
		{"two types: the slowest", m, query("bert (batch size 64)", gpus(15, 2)...), 6, 0.75},
		{"zeros", m, query("ncf_small (batch size 8)", gpus(0, 8)...), 100, 1. / 8},
		{"none on one GPU", m, query("ncf_small (batch size 16)", gpus(0, 4)...), 90, 1},
		{"half a GPU", m, half, 5, 1},
	} {
		s, err := c.m.Speed(c.q)
		if err != nil || math.Abs(s.Rate-0.01*c.rate) > 1e-15 || math.Abs(s.ComputeFrac-c.frac) > 1e-15 {
			t.Errorf("%s: %+v, %v, want rate %v and fraction %v", c.why, s, err, 0.01*c.rate, c.frac)
		}
	}
}

// A job that does not state what an iteration takes has its model's on one reference GPU; one
// of another model is as the option states.
func TestScalingWithoutIterations(t *testing.T) {
	m := scaling(t, ScalingOptions{Untyped: "A100", Model: "bert (batch size 128)"})
	for name, want := range map[string]float64{"bert (batch size 64)": 1.6, "": 1.8, "vgg": 1.8} {
		q := query(name, 0, 1)
		q.Job.Iterations, q.Job.IterS = 0, 0
		if s, err := m.Speed(q); err != nil || math.Abs(s.Rate-want) > 1e-15 {
			t.Errorf("%q: %+v, %v, want rate %v", name, s, err, want)
		}
	}
	q := query("bert (batch size 64)", 0, 1)
	q.Job.IterS = 0 // 0.1 s of work in 10 iterations
	if s, err := m.Speed(q); err != nil || math.Abs(s.Rate-0.16) > 1e-15 {
		t.Errorf("iterations alone: %+v, %v", s, err)
	}
}

func TestScalingErrors(t *testing.T) {
	m := scaling(t, ScalingOptions{Untyped: "A100"})
	dir := m.table.Dir
	none := query("ncf_small (batch size 16)", 0, 1)
	none.Job.Iterations, none.Job.IterS = 0, 0
	for want, q := range map[string]*sim.Query{
		`no model "VGG" (job "j"), expected one of bert (batch size 64), bert (batch size 128), ncf_small (batch size 8), ncf_small (batch size 16); option model=NAME stands in`: query("VGG", 0),
		`no throughput of "ncf_small (batch size 16)" (job "j") on 1 GPUs of type a100`:                                                                                           query("ncf_small (batch size 16)", 0),
		`no throughput of "bert (batch size 128)" (job "j") on 1 GPUs of type t4`:                                                                                                 query("bert (batch size 128)", 16),
		`job "j" states no iterations, and "ncf_small (batch size 16)" has no throughput on one GPU of type "A100"`:                                                               none,
	} {
		if _, err := m.Speed(q); err == nil || err.Error() != dir+": "+want {
			t.Errorf("%v, want %s", err, want)
		}
	}
	topo, err := cluster.New(cluster.Spec{Racks: [][]cluster.Machines{{{Count: 1, GPUs: 2},
		{Count: 1, GPUs: 2, Type: "h100"}}}})
	if err != nil {
		t.Fatal(err)
	}
	_, err = NewScaling(m.table, topo, ScalingOptions{Untyped: "k80", Model: "VGG"})
	want := dir + `: GPUs without a type are of type "k80", expected one of a100, t4` + "\n" +
		dir + `: no throughput on the cluster's GPUs of type "h100", expected types among a100, t4` + "\n" +
		dir +
		`: no model "VGG", expected one of bert (batch size 64), bert (batch size 128), ncf_small (batch size 8), ncf_small (batch size 16)`
	if err == nil || err.Error() != want {
		t.Errorf("%v\nwant\n%s", err, want)
	}
}

func TestOpenScalingErrors(t *testing.T) {
	const file = "throughputs_A100_bert.csv"
	for _, c := range []struct{ why, in, want string }{
		{"empty", "", file + ":1: the file is empty, expected a header with the columns global_batch_size"},
		{"no rows", "global_batch_size,1\n", file + ": no rows, expected at least one"},
		{"no batch", "1,2\n", file + `:1: column "global_batch_size" is missing, the header has "1,2"`},
		{"a column", "global_batch_size,1,many\n", file +
			`:1: column "many", expected global_batch_size and numbers of GPUs from 1 to 65536`},
		{"no GPU", "global_batch_size,0\n", file +
			`:1: column "0", expected global_batch_size and numbers of GPUs from 1 to 65536`},
		{"fields", "global_batch_size,1\n64,3,4\n", file + ":2: 3 fields, expected 2"},
		{"batch", "global_batch_size,1\n0,3\n", file +
			`:2: column "global_batch_size" is "0", expected a whole number >= 1`},
		{"negative", "global_batch_size,1\n64,-3\n", file + `:2: column "1" is "-3", expected a number >= 0`},
		{"huge", "global_batch_size,1\n64,1e13\n", file +
			`:2: column "1" is "1e13", expected at most 1e12 steps per second`},
		{"nothing measured", "global_batch_size,1,2\n64,,0\n", file +
			`:2: batch size 64 has no throughput, expected at least one above 0`},
		{"twice", "global_batch_size,1\n64,3\n64,3\n",
			`: "bert (batch size 64)" has two rows for GPUs of type a100, expected one`},
	} {
		dir := folder(t, file, c.in)
		want := filepath.Join(dir, c.want)
		if strings.HasPrefix(c.want, ":") {
			want = dir + c.want
		}
		if _, err := OpenScaling(dir); err == nil || err.Error() != want {
			t.Errorf("%s: %v, want %s", c.why, err, want)
		}
	}
	dir := folder(t, "bert.csv", bertA100)
	if _, err := OpenScaling(dir); err == nil || err.Error() != dir+": no file throughputs_TYPE_MODEL.csv, expected "+
		"at least one" {
		t.Errorf("no table: %v", err)
	}
}

// The authors' tables: 17 rows of A100, 9 of T4.
func TestSharedScaling(t *testing.T) {
	table, err := OpenScaling(sharedata.Path(t, "profiles", "elasticflow"))
	if err != nil {
		t.Fatal(err)
	}
	v, ok := table.PerS("gpt2 (batch size 128)", 16, "A100")
	if _, gap := table.PerS("deepspeech2 (batch size 32)", 64, "A100"); !ok || gap || v != 19.87490782735775 ||
		len(table.Models()) != 26 || len(table.Types()) != 2 || len(table.GPUs()) != 7 {
		t.Errorf("%v %v, %d models on %v, %v GPUs", v, ok, len(table.Models()), table.Types(), table.GPUs())
	}
}

// FuzzOpenScaling reads any two files: an error, or a table of finite speeds above 0.
func FuzzOpenScaling(f *testing.F) {
	f.Add(bertA100, bertT4)
	f.Add(ncfA100, "global_batch_size,1\n1,1e309\n")
	f.Fuzz(func(t *testing.T, a, b string) {
		table, err := OpenScaling(folder(t, "throughputs_a_x.csv", a, "throughputs_b_x.csv", b))
		if err != nil {
			return
		}
		for _, typ := range table.Types() {
			for _, name := range table.Models() {
				for _, n := range table.GPUs() {
					if v, ok := table.PerS(name, n, typ); ok && !(v > 0 && !math.IsInf(v, 0)) {
						t.Errorf("%q on %d of %s: %v", name, n, typ, v)
					}
				}
			}
		}
	})
}
