package roster

import (
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"tarry/sim/cluster"
	"tarry/sim/service"
	"tarry/sim/service/curves"
)

func topology(t testing.TB, racks ...cluster.Machines) *cluster.Topology {
	t.Helper()
	top, err := cluster.New(cluster.Spec{Racks: [][]cluster.Machines{racks}})
	if err != nil {
		t.Fatal(err)
	}
	return top
}

func machines(count, gpus int, typ string) cluster.Machines {
	return cluster.Machines{Count: count, GPUs: gpus, Slots: 1, Type: typ}
}

func model(t *testing.T, text string, top *cluster.Topology) *service.Model {
	t.Helper()
	r, err := Parse(text)
	if err != nil {
		t.Fatal(err)
	}
	m, err := r.Model(top)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

func peak(s *service.Spec) (most float64) {
	for _, p := range s.Load.Steps {
		most = max(most, p.Value)
	}
	return most
}

func write(t testing.TB, name, text string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// A name alone gives a service that fits any cluster: its machines are a quarter of the cluster's, its
// replicas fill them, and its peak is 0.7 of what they serve.
func TestNamed(t *testing.T) {
	top := topology(t, machines(9, 4, ""))
	for _, name := range []string{"steady", "day-night", "bursty"} {
		m := model(t, name, top)
		s := &m.Services[0]
		if len(m.Services) != 1 || s.Replicas != 12 || s.RatePerS != 10 || s.DeadlineS != 1 || s.Target != 0.99 ||
			s.StartS != 60 || m.Latency != service.Fluid || math.Abs(peak(s)-0.7*120) > 1e-9 {
			t.Errorf("%s: %+v, peak %v", name, m, peak(s))
		}
		if want := []bool{false, false, false, false, false, false, true, true, true}; !slices.Equal(m.Own, want) {
			t.Errorf("%s: own machines %v", name, m.Own)
		}
	}
	m := model(t, "steady:gpus=2,own=1,latency=mmc,rate_per_s=3,share_frac=0.5,load_frac=0.5,gpu_mib=100,util_frac=0.4,"+
		"model=vgg16,tenant=x,cpu_milli=5,mem_mib=6,deadline_s=0,target_frac=0,start_s=0", top)
	s := &m.Services[0]
	want := service.Spec{Name: "online", GPUs: 2, Replicas: 4, RatePerS: 3, ShareMilli: 500, GPUMiB: 100, UtilFrac: 0.4,
		CPUMilli: 5, MemMiB: 6, Model: "vgg16", Tenant: "x", Load: s.Load}
	if *s != want || m.Latency != service.MMC || math.Abs(peak(s)-6) > 1e-9 || slices.Index(m.Own, true) != 8 {
		t.Errorf("%+v, peak %v, expected %+v", s, peak(s), want)
	}
	if m := model(t, "steady:own=0,base=50,noise=0,replicas=3", top); m.Own != nil || m.Services[0].Replicas != 3 ||
		m.Services[0].Load.At(14*3600e6) != 50*(1+0.15*1.25) {
		t.Errorf("with a base of its own: %+v", m.Services[0].Load.At(14*3600e6))
	}
	if m := model(t, "steady:own=0,gpus=8", top); m.Services[0].Replicas != 4 {
		t.Errorf("replicas of two machines: %d, expected 4 on 36 GPUs", m.Services[0].Replicas)
	}
	if r, err := Parse("none"); r != nil || err != nil {
		t.Errorf("none gives %+v, %v", r, err)
	}
}

// A table has a service in each row; loads stand in files beside it.
func TestFile(t *testing.T) {
	path := write(t, "services.csv", "name,gpus,replicas,rate_per_s,gpu_type,load,load_frac,start_s\n"+
		"chat,2,,5,a100,curve.csv,0.5,\nsearch,1,3,8,,\"day-night:base=4,noise=0\",,30\nidle,1,1,1,,,,\n")
	curve := filepath.Join(filepath.Dir(path), "curve.csv")
	if err := os.WriteFile(curve, []byte("start_s,requests\n0,10\n10,20\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	top := topology(t, machines(2, 8, "v100"), machines(2, 8, "a100"))
	m := model(t, path+",own=3,latency=mmc", top)
	if len(m.Services) != 3 || m.Latency != service.MMC || !slices.Equal(m.Own, []bool{false, true, true, true}) {
		t.Fatalf("%+v", m)
	}
	chat, search, idle := &m.Services[0], &m.Services[1], &m.Services[2]
	if chat.Name != "chat" || chat.Replicas != 8 || chat.Load.At(0) != 10 || chat.Load.At(10e6) != 20 {
		t.Errorf("chat: %+v, load %+v", chat, chat.Load)
	}
	if search.Replicas != 3 || search.StartS != 30 || search.Load.At(15*3600e6) != 4*(1+0.75*1.25) || idle.Load != nil {
		t.Errorf("search: %+v; idle: %+v", search, idle)
	}
	if got := Files(path + ",own=3"); !slices.Equal(got, []string{path, curve}) || Files("steady") != nil {
		t.Errorf("files %q", got)
	}
}

// What is wrong is named with its place, value and what was expected.
func TestFaults(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"day-nigth", `services is "day-nigth", expected none, steady, day-night or bursty`},
		{"day-nigth:own=2", `did you mean "day-night"?`},
		{"steady:replica=2", `unknown key "replica"`},
		{"steady:rate_per_s=0", `rate_per_s is "0", expected a number in 1e-09..1e+09`},
		{"steady:base=3,load_frac=0.5", "load_frac and base or peak are given"},
		{"steady:latency=mm1", `latency is "mm1", expected fluid, mmc`},
		{"no.csv", "no such file"},
		{write(t, "a.csv", "name,rate_per_s,gpu\na,1,1\n"), `:1: unknown column "gpu", expected some of name, load, gpus`},
		{write(t, "a.csv", "name,gpus\na,1\n"), `"rate_per_s"`},
		{write(t, "a.csv", "name,rate_per_s,gpus\na,1,1\nb,x,0\n"), `a.csv:3: gpus is "0", expected a whole number`},
		{write(t, "a.csv", "name,rate_per_s,gpus\na,1,1\nb,x,0\n"), `a.csv:3: rate_per_s is "x"`},
		{write(t, "a.csv", "name,rate_per_s\na,1\na,1\n"), `two have the name "a"`},
		{write(t, "a.csv", "name,rate_per_s\n,1\n"), "a.csv:2: name is empty"},
		{write(t, "a.csv", "name,rate_per_s\na,\n"), "a.csv:2: rate_per_s is missing"},
		{write(t, "a.csv", "name,rate_per_s,load\na,1,daynight\n"), `a.csv:2: load is "daynight", expected`},
		{write(t, "a.csv", "name,rate_per_s\na,1\n") + ",owner=2", `unknown key "owner", expected one of latency, own; did you mean "own"?`},
	} {
		if _, err := Parse(c.text); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: error %v, expected %s", c.text, err, c.want)
		}
	}
	top := topology(t, machines(2, 4, "v100"))
	for text, want := range map[string]string{
		"steady:own=3":         "own is 3, expected at most the cluster's 2 machines",
		"steady:gpus=9":        "no replica of online, of 9 GPUs, fits on the 1 machines",
		"steady:gpu_type=a100": "fits on the 0 machines for it",
	} {
		r, err := Parse(text)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := r.Model(top); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: error %v, expected %s", text, err, want)
		}
	}
}

// Every option that is read has a line that states what it means, and the other way round.
func TestParams(t *testing.T) {
	var lines, read []string
	for line := range strings.SplitSeq(Help(), "\n") {
		key, _, _ := strings.Cut(line, " ")
		lines = append(lines, key)
	}
	for _, o := range Options(curves.Laws()[0]) {
		read = append(read, o.Key)
	}
	slices.Sort(lines)
	slices.Sort(read)
	if !slices.Equal(lines, read) {
		t.Errorf("read are %q, explained are %q", read, lines)
	}
}

// FuzzParse: a setting is refused or gives valid services.
func FuzzParse(f *testing.F) {
	f.Add("steady:gpus=2,own=0,share_frac=0.3")
	f.Add("bursty:replicas=1000000,load_frac=100,noise=9")
	f.Fuzz(func(t *testing.T, text string) {
		if !strings.Contains(text, ".csv") && !strings.Contains(text, ".tsv") && !strings.Contains(text, "days") {
			valid(t, text)
		}
	})
}

// FuzzFile: so is a table.
func FuzzFile(f *testing.F) {
	f.Add("name,rate_per_s,load,gpus\na,1,steady,2\nb,2.5,7,1\n", "own=1,latency=mmc")
	f.Fuzz(func(t *testing.T, text, options string) {
		if !strings.Contains(text, "days") {
			valid(t, write(t, "services.csv", text)+","+options)
		}
	})
}

func valid(t *testing.T, text string) {
	r, err := Parse(text)
	if err != nil || r == nil {
		return
	}
	top := topology(t, machines(3, 4, "v100"), machines(2, 8, "a100"))
	m, err := r.Model(top)
	if err != nil {
		return
	}
	if err := m.Validate(top.Machines()); err != nil {
		t.Errorf("%q: %v", text, err)
	}
}
