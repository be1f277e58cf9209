package specs

import (
	"math"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"tarry/internal/sharedata"
	"tarry/sim/cluster"
	"tarry/sim/power"
	"tarry/sim/tabular"
)

func parse(t *testing.T, text string) *Rule {
	t.Helper()
	r, err := Parse(text)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func topology(t *testing.T, types ...string) *cluster.Topology {
	t.Helper()
	var rack []cluster.Machines
	for i, typ := range types {
		rack = append(rack, cluster.Machines{Count: i + 1, GPUs: 8, Slots: 1, Type: typ})
	}
	top, err := cluster.New(cluster.Spec{Racks: [][]cluster.Machines{rack}})
	if err != nil {
		t.Fatal(err)
	}
	return top
}

// Each row is a valid spec with a source, draws no more at a lower clock (within the noise of the
// medians), and can be named.
func TestRows(t *testing.T) {
	names := map[string]bool{}
	for _, r := range All() {
		if names[r.Name] || r.Name != r.Spec.Name || r.Doc == "" || r.Source == "" || r.Mark != Own && r.Assumed == "" {
			t.Errorf("row %+v is named twice or lacks a word", r)
		}
		names[r.Name] = true
		if err := r.Spec.Validate(); err != nil {
			t.Error(err)
		}
		for i := 1; i < len(r.Spec.Curve); i++ {
			if a, b := r.Spec.Curve[i-1], r.Spec.Curve[i]; a.Watts > b.Watts {
				t.Errorf("%s: %v W at clock %v, %v W at %v", r.Name, a.Watts, a.FreqFrac, b.Watts, b.FreqFrac)
			}
		}
		if n := len(r.Spec.Curve); n > 0 && r.Spec.Curve[n-1].FreqFrac != 1 {
			t.Errorf("%s: the curve ends at %v, expected 1", r.Name, r.Spec.Curve[n-1].FreqFrac)
		}
		got := parse(t, r.Name)
		if m, err := got.Model(topology(t, "", "k80")); err != nil || m.Spec(2).BusyW(1) != r.Spec.BusyW(1) {
			t.Errorf("%s: %v", r.Name, err)
		}
	}
	for name, want := range map[string]float64{"a100": 6500, "h100": 8400, "v100": 520 + 8*176.9} {
		row, _ := find(name)
		if got := row.Spec.MaxW(8); math.Abs(got-want) > 1e-9 {
			t.Errorf("8 %s draw %v W, expected %v", name, got, want)
		}
	}
}

// The measured rows are what the tables of the profile give, to the last digit written down: speeds
// and watts relative to the highest limit to 0.0005, watts to 0.05.
func TestMeasured(t *testing.T) {
	dir := sharedata.Path(t, "profiles", "zeus-power")
	for _, r := range measured() {
		idle, full, points := medians(t, filepath.Join(dir, "summary_power_"+r.Name+".csv"))
		s := r.Spec
		if math.Abs(idle-s.GPUIdleW) > 0.05 || math.Abs(full-s.BusyW(1)-s.GPUIdleW) > 0.05 {
			t.Errorf("%s: idle %v W, full %v W, the row has %v and %v", r.Name, idle, full, s.GPUIdleW,
				s.BusyW(1)+s.GPUIdleW)
		}
		if len(points) != len(s.Curve) {
			t.Fatalf("%s: %d points %v, the row has %d", r.Name, len(points), points, len(s.Curve))
		}
		rowFull := s.BusyW(1) + s.GPUIdleW
		for i, p := range points {
			watts := (s.Curve[i].Watts + s.GPUIdleW) / rowFull
			if math.Abs(p[0]-s.Curve[i].FreqFrac) > 0.00051 || math.Abs(p[1]-watts) > 0.00051 {
				t.Errorf("%s: point %d is %.4f, the row has %v, %.4f", r.Name, i, p, s.Curve[i].FreqFrac, watts)
			}
		}
	}
}

// medians gives the least watts, the median at the highest limit, and by limit the medians of speed
// and watts of each job relative to the highest limit, without limits within 0.3 % of its speed.
func medians(t *testing.T, file string) (idle, full float64, points [][2]float64) {
	t.Helper()
	type of struct{ s, w float64 }
	jobs, idle := map[string]map[int]of{}, math.Inf(1)
	var limits []int
	err := tabular.Each(file, nil, func(r *tabular.Row) {
		key := strings.Join([]string{r.Text("dataset"), r.Text("network"), r.Text("batch_size"), r.Text("optimizer")},
			"|")
		limit, _ := strconv.Atoi(r.Text("power_limit"))
		one := of{r.Float("time_per_epoch", 0, true), r.Float("average_power", 0, true)}
		if jobs[key] == nil {
			jobs[key] = map[int]of{}
		}
		jobs[key][limit], idle = one, min(idle, one.w)
		if !slices.Contains(limits, limit) {
			limits = append(limits, limit)
		}
	})
	if err != nil {
		t.Fatal(err)
	}
	slices.Sort(limits)
	top := limits[len(limits)-1]
	var fulls []float64
	speeds, watts := map[int][]float64{}, map[int][]float64{}
	for _, j := range jobs {
		if len(j) < len(limits) {
			continue
		}
		fulls = append(fulls, j[top].w)
		for _, l := range limits {
			speeds[l], watts[l] = append(speeds[l], j[top].s/j[l].s), append(watts[l], j[l].w/j[top].w)
		}
	}
	for _, l := range limits {
		if p := [2]float64{median(speeds[l]), median(watts[l])}; l == top || math.Abs(p[0]-1) >= 0.003 {
			points = append(points, p)
		}
	}
	return idle, median(fulls), points
}

func median(x []float64) float64 {
	slices.Sort(x)
	return (x[(len(x)-1)/2] + x[len(x)/2]) / 2
}

// auto finds specs among the words of the types; options change the numbers that they name.
func TestAuto(t *testing.T) {
	top := topology(t, "Tesla-V100-SXM2", "NVIDIA A100-80GB", "Quadro RTX 6000", "h100")
	m, err := parse(t, "auto:boot_s=9,use=job").Model(top)
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for i := range m.Specs {
		names = append(names, m.Specs[i].Name)
		if m.Specs[i].BootS != 9 {
			t.Errorf("%s boots %v s, expected 9", m.Specs[i].Name, m.Specs[i].BootS)
		}
	}
	if got := strings.Join(names, " "); got != "v100 a100 rtx6000 h100" || !m.JobUtil {
		t.Errorf("specs %s, by jobs %v", got, m.JobUtil)
	}
	if m.Spec(0).Name != "v100" || m.Spec(2).Name != "a100" || m.Spec(3).Name != "rtx6000" || m.Spec(9).Name != "h100" {
		t.Errorf("machines have %v", m.Of)
	}
	want := 520 + 8*176.9 + 2*6500 + 3*(520+8*193.2) + 4*8400
	if got := MaxW(m, top); math.Abs(got-want) > 1e-6 {
		t.Errorf("the cluster draws %v W at most, expected %v", got, want)
	}
	for _, typ := range []string{"", "k80", "v100x", "rtx"} {
		if _, err := parse(t, "auto").Model(topology(t, typ)); err == nil || !strings.Contains(err.Error(),
			"expected a type with one of v100, a40, p100, rtx6000, a100, h100 among its words") {
			t.Errorf("type %q: %v", typ, err)
		}
	}
}

// Every number of a spec can be given, and scale multiplies watts and joules alone.
func TestOptions(t *testing.T) {
	text := "custom:off_w=1,boot_w=2,idle_w=3,gpu_idle_w=4,linear_w=5,cubic_w=6,boot_s=7,down_s=8,cycle_j=9"
	got := parse(t, text).only
	want := power.Spec{Name: "custom", OffW: 1, BootW: 2, IdleW: 3, GPUIdleW: 4, LinearW: 5, CubicW: 6, BootS: 7,
		DownS: 8, CycleJ: 9}
	if !equal(got, want) {
		t.Errorf("got %+v, expected %+v", got, want)
	}
	got = parse(t, text+",scale=2").only
	want = power.Spec{Name: "custom", OffW: 2, BootW: 4, IdleW: 6, GPUIdleW: 8, LinearW: 10, CubicW: 12, BootS: 7,
		DownS: 8, CycleJ: 18}
	if !equal(got, want) {
		t.Errorf("got %+v, expected %+v", got, want)
	}
	got = parse(t, "v100:curve=0.5:10+1:30").only
	if got.BusyW(0.75) != 20 || got.IdleW != 520 {
		t.Errorf("a curve of two points gives %+v", got)
	}
	if got = parse(t, "v100:linear_w=100").only; got.BusyW(0.5) != 50 {
		t.Errorf("linear watts in place of the curve give %+v", got)
	}
	v := parse(t, "v100:scale=3").only
	if first, _ := find("v100"); math.Abs(v.BusyW(0.9)-3*first.Spec.BusyW(0.9)) > 1e-9 {
		t.Errorf("tripled: %v W, once %v", v.BusyW(0.9), first.Spec.BusyW(0.9))
	}
	if r, err := Parse("none"); r != nil || err != nil {
		t.Errorf("none is %v, %v", r, err)
	}
}

func equal(a, b power.Spec) bool {
	return slices.Equal(a.Curve, b.Curve) && a.Name == b.Name && a.OffW == b.OffW && a.BootW == b.BootW &&
		a.IdleW == b.IdleW && a.GPUIdleW == b.GPUIdleW && a.LinearW == b.LinearW && a.CubicW == b.CubicW &&
		a.BootS == b.BootS && a.DownS == b.DownS && a.CycleJ == b.CycleJ
}

// What is wrong is named with its value and what was expected.
func TestFaults(t *testing.T) {
	for text, want := range map[string]string{
		"v10":                           `unknown spec "v10", expected none, auto, FILE.yaml or one of v100, a40`,
		"v100:boot=3":                   `unknown key "boot"`,
		"v100:boot_s=-3":                `boot_s is "-3", expected a number`,
		"v100:curve=1:30+0.5:10":        "expected points CLOCK:WATTS joined by +",
		"v100:curve=1":                  "expected points CLOCK:WATTS joined by +",
		"v100:curve=1:2,cubic_w=1":      "curve and linear_w or cubic_w are given",
		"custom:idle_w=1e9,scale=1e3":   "expected 0..1e9",
		"auto:use=nothing":              `use is "nothing", expected compute, job`,
		"auto:idle_w=nan":               `idle_w is "nan"`,
		filepath.Join("no", "file.yml"): "no such file",
	} {
		if _, err := Parse(text); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: error %v, expected %s", text, err, want)
		}
	}
}

func file(t testing.TB, text string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "power.yaml")
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// A file has specs by GPU type, in each of the forms, and one for all other types.
func TestFile(t *testing.T) {
	path := file(t, "V100: v100-clocks:boot_s=5\nk80: {spec: p100, idle_w: 77, curve: [0.5:1, 1:2]}\n"+
		"default: {idle_w: 3}\nuse: job\n")
	m, err := parse(t, path).Model(topology(t, "v100", "K80", "tpu"))
	if err != nil || !m.JobUtil {
		t.Fatalf("%+v, %v", m, err)
	}
	if s := m.Specs; s[0].Name != "v100-clocks" || s[0].BootS != 5 || s[1].IdleW != 77 || s[1].GPUIdleW != 33.3 ||
		s[1].BusyW(0.75) != 1.5 || s[2].IdleW != 3 || s[2].BusyW(1) != 0 {
		t.Errorf("specs %+v", s)
	}
	if got := Files(path); len(got) != 1 || got[0] != path || Files("v100") != nil {
		t.Errorf("files %q", got)
	}
	for text, want := range map[string]string{
		"v100: {spec: v10}\n":       `:1:8: v100.spec is "v10", expected one of v100`,
		"a: v100\nv100: {idle: 3}":  `:2:8: unknown field "v100.idle"`,
		"v100: auto\n":              `:1:7: v100 is "auto", expected NAME, NAME:key=value,...`,
		"v100: [1, 2]\n":            "expected NAME, NAME:key=value,...",
		"v100: v100:idle_w=x\n":     `idle_w is "x"`,
		"v100: v100:use=job\n":      "expected use beside the types",
		"v100: other.yaml\n":        "expected NAME, NAME:key=value,...",
		"use: job\n":                "no GPU type is named",
		"v100: {curve: [2:1, 1:2]}": "expected points CLOCK:WATTS",
	} {
		if _, err := Parse(file(t, text)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: error %v, expected %s", text, err, want)
		}
	}
	if _, err := parse(t, file(t, "v100: v100\n")).Model(topology(t, "a100")); err == nil || !strings.Contains(err.Error(),
		`no spec of GPU type "a100" and no default`) {
		t.Errorf("a type that the file does not name: %v", err)
	}
}

// FuzzParse: a text is refused or gives a valid model.
func FuzzParse(f *testing.F) {
	for _, r := range All() {
		f.Add(r.Name)
	}
	f.Add("auto:boot_s=1,scale=2,use=job")
	f.Add("v100:curve=0.5:1+1:2,idle_w=1e9")
	f.Fuzz(func(t *testing.T, text string) {
		if isFile(text) {
			return
		}
		checked(t, text)
	})
}

// FuzzFile: a file is refused or gives a valid model.
func FuzzFile(f *testing.F) {
	f.Add("V100: v100-clocks:boot_s=5\nk80: {spec: p100, idle_w: 77, curve: [0.5:1, 1:2]}\ndefault: custom\nuse: job\n")
	f.Add("v100: [a, {b: c}]\n'': v100\n")
	f.Fuzz(func(t *testing.T, text string) { checked(t, file(t, text)) })
}

func checked(t *testing.T, text string) {
	r, err := Parse(text)
	if err != nil || r == nil {
		return
	}
	top := topology(t, "v100", "a100", "k80")
	m, err := r.Model(top)
	if err != nil {
		return
	}
	if err := m.Validate(top.Machines()); err != nil {
		t.Errorf("%q: %v", text, err)
	}
	for i := range m.Specs {
		if w := m.Specs[i].BusyW(0.7); !(w >= 0 && w <= 2*maxWatts) {
			t.Errorf("%q: a GPU draws %v W", text, w)
		}
	}
}
