package quota

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"tarry/sim"
	"tarry/sim/cluster"
	"tarry/sim/tenant"
)

func file(t *testing.T, name, text string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

func noRows() ([]tenant.Tenant, error) { return nil, errors.New("there are none") }

// jobs are a job of a virtual cluster each, VC:seconds of work.
func jobs(t *testing.T, spec ...string) *sim.Workload {
	t.Helper()
	var js []sim.Job
	for i, s := range spec {
		vc, work, _ := strings.Cut(s, ":")
		n := 0
		if _, err := fmt.Sscan(work, &n); err != nil {
			t.Fatal(err)
		}
		js = append(js, sim.Job{ID: fmt.Sprint(i), GPUs: 1, VC: vc, User: "u" + vc, Work: sim.Time(n) * sim.Second})
	}
	w, err := sim.NewWorkload("w", js)
	if err != nil {
		t.Fatal(err)
	}
	return w
}

func top(t *testing.T, machines, gpus int) *cluster.Topology {
	t.Helper()
	c, err := cluster.New(cluster.Uniform(1, machines, gpus, 1))
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func text(s *tenant.Set) string {
	out := ""
	for i := range s.Len() {
		out += fmt.Sprintf("%s=%d ", s.At(i).VC, s.At(i).GPUs)
	}
	return strings.TrimSpace(out)
}

// By hand on 4 machines of 8 GPUs. Demands 50, 30 and 20 of 100: 16, 9.6 and 6.4 GPUs, and 2, 1.2
// and 0.8 machines. A tiny tenant gets one unit all the same, which the one above its part by most
// gives up.
func TestRules(t *testing.T) {
	c := top(t, 4, 8)
	own := file(t, "own.csv", "vc,user,gpus,weight,priority\nb,,20,2,\na,,12,,3\n,u,,4,-1\na,v,,0.5,\n")
	three := jobs(t, "a:50", "b:20", "b:10", "c:20")
	for _, x := range []struct{ rule, want string }{
		{"demand", "a=16 b=10 c=6"},
		{"demand,unit=machine", "a=16 b=8 c=8"},
		{"demand,part=0.5", "a=8 b=5 c=3"},
		{"equal", "a=11 b=11 c=10"},
		{"equal,unit=machine", "a=16 b=8 c=8"},
		{own, "a=12 b=20"},
		{own + ",fit=true", "a=12 b=20"},
	} {
		r, err := Parse(x.rule, noRows)
		if err != nil {
			t.Fatal(err)
		}
		s, err := r.Of(three, c)
		if err != nil || text(s) != x.want {
			t.Errorf("%s: %q (%v), expected %q", x.rule, text(s), err, x.want)
		}
	}
	r, _ := Parse("demand", noRows)
	if s, err := r.Of(jobs(t, "a:9999", "b:1"), top(t, 1, 4)); err != nil || text(s) != "a=3 b=1" {
		t.Errorf("%q (%v), expected one GPU for the small one", text(s), err)
	}
	r, _ = Parse(own, noRows)
	if _, err := r.Of(three, top(t, 1, 8)); err == nil || !strings.Contains(err.Error(),
		"add up to 32 GPUs, expected at most the cluster's 8 (fit=true") {
		t.Errorf("quotas above the cluster: %v", err)
	}
	r, _ = Parse(own+",fit=true", noRows)
	s, err := r.Of(three, top(t, 1, 8))
	if err != nil || text(s) != "a=3 b=5" || s.Weight("b") != 2 || s.UserWeight("x", "u") != 4 ||
		s.UserWeight("a", "v") != 0.5 {
		t.Errorf("%q (%v)", text(s), err)
	}
	if _, err := r.Of(jobs(t, ":1"), c); err != nil {
		t.Errorf("jobs without a virtual cluster: %v", err)
	}
	r, _ = Parse("equal", noRows)
	if _, err := r.Of(jobs(t, ":1"), c); err == nil || !strings.Contains(err.Error(),
		"no job names a virtual cluster") {
		t.Errorf("nobody shares the cluster: %v", err)
	}
}

// What is handed out adds up to all of it, no tenant is a unit or more off its part where each is
// due one, and a larger part never gets less.
func TestApportion(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for range 20000 {
		parts := make([]float64, 1+r.IntN(8))
		sum := 0.0
		for i := range parts {
			parts[i] = float64(1 + r.IntN(20))
			sum += parts[i]
		}
		units := r.IntN(60)
		out := apportion(parts, units)
		total := 0
		for i, n := range out {
			total += n
			exact := parts[i] / sum * float64(units)
			if n < 0 || units >= len(parts) && n < 1 {
				t.Fatalf("%v of %v units: %v", parts, units, out)
			}
			if slices.Min(parts)/sum*float64(units) >= 1 && (float64(n) <= exact-1 || float64(n) >= exact+1) {
				t.Fatalf("%v of %d units: %v, %v is due %v", parts, units, out, i, exact)
			}
			for k := range out {
				if parts[k] > parts[i] && out[k] < n {
					t.Fatalf("%v of %d units: %v, the larger part gets less", parts, units, out)
				}
			}
		}
		if total != units {
			t.Fatalf("%v of %d units: %v add up to %d", parts, units, out, total)
		}
	}
}

func TestPriorities(t *testing.T) {
	s, err := tenant.New([]tenant.Tenant{{VC: "a", Priority: 3}, {User: "ub", Priority: -1}})
	if err != nil {
		t.Fatal(err)
	}
	w := jobs(t, "a:1", "b:1", "c:1", "a:1")
	w.Jobs[3].Priority = 9
	out, err := Priorities(w, s)
	if err != nil {
		t.Fatal(err)
	}
	for i, want := range []int32{3, -1, 0, 9} {
		if out.Jobs[i].Priority != want || i < 3 && w.Jobs[i].Priority != 0 {
			t.Errorf("job %d has priority %d, expected %d", i, out.Jobs[i].Priority, want)
		}
	}
	if same, _ := Priorities(w, nil); same != w {
		t.Error("without tenants the workload is another")
	}
}

// Quotas that come with a trace: a file of its name, or Helios' table of days, whose mean counts.
func TestReadTrace(t *testing.T) {
	days := "date,vcA,vcB,vcC,total\n2020-04-01,8,0,16,24\n2020-04-02,8,0,24,32\n2020-04-03,8,1,24,33\n"
	path := file(t, "cluster_gpu_number.csv", days)
	for _, at := range []string{filepath.Dir(path), filepath.Join(filepath.Dir(path), "cluster_log.csv")} {
		rows, from, err := ReadTrace(at)
		if err != nil || from != path || !slices.Equal(rows,
			[]tenant.Tenant{{VC: "vcA", GPUs: 8}, {VC: "vcC", GPUs: 21}}) {
			t.Errorf("%s: %v from %s (%v)", at, rows, from, err)
		}
	}
	path = file(t, "mine.quotas.csv", "vc,gpus\nx,4\n")
	rows, from, err := ReadTrace(filepath.Join(filepath.Dir(path), "mine.csv.gz"))
	if err != nil || from != path || !slices.Equal(rows, []tenant.Tenant{{VC: "x", GPUs: 4}}) {
		t.Errorf("%v from %s (%v)", rows, from, err)
	}
	if _, _, err := ReadTrace(filepath.Join(t.TempDir(), "none.csv")); err == nil ||
		!strings.Contains(err.Error(), "comes with no quotas, expected") {
		t.Errorf("error %v", err)
	}
}

func TestWrong(t *testing.T) {
	for text, want := range map[string]string{
		"demand,unit=rack":                    `unit`,
		"equal,part=2":                        "part",
		"equal,fit=true":                      `unknown key "fit"`,
		"none,fit=true":                       "expected none, demand",
		"trace":                               "there are none",
		"demnd":                               `did you mean "demand"?`,
		"nowhere.csv":                         "nowhere.csv",
		file(t, "f", "vc,gpu\na,1\n"):         `:1: unknown column "gpu"`,
		file(t, "f", "gpus\n1\n"):             "neither a column vc nor user",
		file(t, "f", "vc,gpus\na,x\n"):        `:2: column "gpus" is "x"`,
		file(t, "f", "vc,weight\na,0\n"):      `:2: column "weight" is "0"`,
		file(t, "f", "vc,user,gpus\na,u,3\n"): ":2: (vc \"a\", user \"u\"): quota is 3",
		file(t, "f", "vc,user\n,\n"):          ":2: (vc \"\", user \"\"): neither",
		file(t, "f", "vc,gpus\na,1\na,2\n"):   "a second row",
		file(t, "cluster_gpu_number.csv", "vc,gpus\n") + "x": "cluster_gpu_number.csvx",
	} {
		if _, err := Parse(text, noRows); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: error %v, expected one with %q", text, err, want)
		}
	}
	for _, text := range []string{"", "none", " "} {
		if r, err := Parse(text, noRows); r != nil || err != nil {
			t.Errorf("%q is a rule, or wrong: %v", text, err)
		}
	}
	if got := Files("a.csv,fit=true"); !slices.Equal(got, []string{"a.csv"}) || Files("demand") != nil ||
		!OfTrace("trace,fit=true") || OfTrace("x.csv") {
		t.Error("files are not those that settings name")
	}
}

func FuzzRead(f *testing.F) {
	f.Add("vc,user,gpus,weight,priority\na,,1,2,3\n")
	f.Add("date,vcA,total\n2020-04-01,8,8\n")
	f.Fuzz(func(t *testing.T, text string) {
		for _, name := range []string{"t.quotas.csv", "cluster_gpu_number.csv"} {
			path := file(t, name, text)
			rows, _, err := ReadTrace(filepath.Join(filepath.Dir(path), "t.csv"))
			if err != nil {
				continue
			}
			if _, err := tenant.New(rows); err != nil && name == "t.quotas.csv" {
				t.Errorf("rows are taken that make no set: %v", err)
			}
		}
	})
}
