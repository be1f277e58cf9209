package figure

import (
	"bytes"
	"encoding/csv"
	"encoding/xml"
	"fmt"
	"image/png"
	"io"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// samples draws one figure of each kind from made-up rows.
func samples(t testing.TB) map[string]*Figure {
	t.Helper()
	r := rand.New(rand.NewPCG(1, 1))
	policies := []string{"dally", "tiresias", "gandiva", "fifo", "consolidate always"}
	var cdf []Sample
	for i, p := range policies {
		s := Sample{Name: p}
		for range 3000 {
			s.Values = append(s.Values, math.Exp(7+0.35*float64(i)+1.6*r.NormFloat64()))
		}
		cdf = append(cdf, s)
	}
	var bar []Series
	for i, p := range policies {
		s := Series{Name: p}
		for range 4 {
			v := 1 + 0.3*float64(i) + 0.2*r.Float64()
			s.Y, s.Lo, s.Hi = append(s.Y, v), append(s.Lo, v*.9), append(s.Hi, v*1.12)
		}
		bar = append(bar, s)
	}
	bar[2].Y[1] = math.NaN()
	var line []Series
	for i, p := range []string{"PPO", "CMA-ES", "auto-tuned"} {
		s := Series{Name: p}
		for k := range 60 {
			y := -900*math.Exp(-float64(k)/(10+8*float64(i))) - 100*float64(i)
			s.X, s.Y = append(s.X, float64(k)*5e4), append(s.Y, y)
			s.Lo, s.Hi = append(s.Lo, y-40-10*r.Float64()), append(s.Hi, y+40)
		}
		line = append(line, s)
	}
	heat := make([][]float64, 5)
	for i := range heat {
		for k := range 6 {
			heat[i] = append(heat[i], 1000+float64((i-2)*(i-2)*300+(k-3)*(k-3)*150))
		}
	}
	heat[0][0] = math.NaN()
	out := map[string]*Figure{}
	add := func(name string, f *Figure, err error) {
		if err != nil {
			t.Fatal(err)
		}
		out[name] = f
	}
	f, err := CDF("Completion times on the Philly trace", Axis{Label: "job completion time (s)", Log: true}, cdf)
	add("cdf", f, err)
	f, err = Bars("", Axis{Label: "relative to Dally"}, []string{"mean JCT", "p99 JCT", "makespan", "queueing"}, bar)
	add("bars", f, err)
	f, err = Dots("Far apart", Axis{Label: "relative to Dally", Log: true},
		[]string{"mean JCT", "p99 JCT", "makespan", "queueing"}, bar)
	add("dots", f, err)
	f, err = Occupancy("Who holds the GPUs", Axis{Label: "time (h)"}, 16, []string{"slot", "machine"},
		[]Block{{0, 2, 0, 8, "machine", "1"}, {1, 5, 8, 4, "slot", "2"}, {3, 4, 0, 16, "rack", "3"}})
	add("occupancy", f, err)
	f, err = Bars("One series", Axis{Label: "mean JCT (s)"}, policies,
		[]Series{{Name: "x", Y: []float64{12000, 15000, 18000, 25000, 30000},
			Lo: []float64{11000, 14000, 17500, 22000, 28000}, Hi: []float64{13000, 16000, 19000, 27000, 31000}}})
	add("bars1", f, err)
	f, err = Lines("", Axis{Label: "environment steps"}, Axis{Label: "episode return"}, line)
	add("lines", f, err)
	var many []Series
	for i := range 11 {
		one := Series{Name: fmt.Sprintf("dally:t_rack=%d", i)}
		for k := range 6 {
			y := math.Exp(float64(k)*0.4 + 0.2*float64(i))
			one.X, one.Y = append(one.X, 0.5+0.1*float64(k)), append(one.Y, y)
			one.Lo, one.Hi = append(one.Lo, y*0.8), append(one.Hi, y*1.3)
		}
		if i == 3 {
			one.Y[1], one.Hi[4] = 0, 5000
		}
		many = append(many, one)
	}
	f, err = Lines("Many lines", Axis{Label: "load"}, Axis{Label: "p99 queueing (s)", Log: true}, many)
	add("many", f, err)
	var panels []Panel
	for i, racks := range []string{"2", "4", "8"} {
		f, err = Lines("", Axis{Label: "load", Log: i < 0}, Axis{Label: "p99 queueing (s)", Log: true}, many[2+i:5+i])
		if err != nil {
			t.Fatal(err)
		}
		panels = append(panels, Panel{[]string{racks}, f})
	}
	f, err = Facets("", []string{"racks"}, panels)
	add("facets", f, err)
	cdf[3].Values = append(cdf[3].Values, make([]float64, 900)...)
	f, err = CDF("Queueing", Axis{Label: "queueing (s)", Log: true}, cdf)
	add("queueing", f, err)
	f, err = Lines("", Axis{Label: "load"}, Axis{Label: "mean JCT (h)"}, many[:5])
	add("ends", f, err)
	f, err = Heat("", Axis{Label: "rack timer (s)"}, Axis{Label: "machine timer (s)"}, Axis{Label: "mean JCT (s)"},
		[]string{"0", "60", "300", "900", "3600", "inf"}, []string{"0", "30", "120", "600", "inf"}, heat)
	add("heat", f, err)
	add("pareto", paretoSample(t).f, nil)
	f, err = Facets("", []string{"load"}, []Panel{{[]string{"0.5"}, paretoSample(t).f}, {[]string{"0.9"},
		paretoSample(t).f}})
	add("paretos", f, err)
	return out
}

// Set TARRY_FIGURES to a folder to look at the pictures.
func TestSaveIsWholeAndDeterministic(t *testing.T) {
	dir := os.Getenv("TARRY_FIGURES")
	if dir == "" {
		dir = t.TempDir()
	}
	again := samples(t)
	for name, f := range samples(t) {
		if err := f.Save(dir, name); err != nil {
			t.Fatal(err)
		}
		for _, format := range append(Formats(), "csv") {
			first, err := os.ReadFile(filepath.Join(dir, name+"."+format))
			if err != nil {
				t.Fatal(err)
			}
			second, err := again[name].Render(format)
			if err != nil {
				t.Fatal(err)
			}
			if !bytes.Equal(first, second) {
				t.Errorf("%s.%s: two drawings of the same rows differ", name, format)
			}
			if err := wellFormed(format, first, f); err != nil {
				t.Errorf("%s.%s: %v", name, format, err)
			}
		}
		data, err := os.ReadFile(filepath.Join(dir, name+".parquet"))
		if err != nil || !bytes.Contains(data, []byte(f.labels())) || !strings.Contains(f.labels(), f.xLabel) {
			t.Errorf("%s.parquet does not say what its axes are: %v", name, err)
		}
	}
}

func wellFormed(format string, data []byte, f *Figure) error {
	switch format {
	case "png":
		img, err := png.Decode(bytes.NewReader(data))
		if err != nil {
			return err
		}
		colours := map[any]bool{}
		for y := img.Bounds().Min.Y; y < img.Bounds().Max.Y; y += 3 {
			for x := img.Bounds().Min.X; x < img.Bounds().Max.X; x += 3 {
				colours[img.At(x, y)] = true
			}
		}
		if w := img.Bounds().Dx(); w != int(math.Round(f.Width*300)) || len(colours) < 10 {
			return fmt.Errorf("%d pixels wide, %d colours", w, len(colours))
		}
	case "svg":
		for d := xml.NewDecoder(bytes.NewReader(data)); ; {
			if _, err := d.Token(); err == io.EOF {
				return nil
			} else if err != nil {
				return err
			}
		}
	case "pdf":
		if !bytes.HasPrefix(data, []byte("%PDF-")) || !bytes.Contains(data, []byte("%%EOF")) {
			return fmt.Errorf("not a PDF")
		}
		if at := bytes.Index(data, []byte("Date (D:")); at >= 0 &&
			!bytes.HasPrefix(data[at:], []byte("Date (D:20000101000000")) {
			return fmt.Errorf("dated %s", data[at:at+24])
		}
	case "csv":
		rows, err := csv.NewReader(bytes.NewReader(data)).ReadAll()
		if err != nil {
			return err
		}
		if len(rows) != len(f.Rows)+1 {
			return fmt.Errorf("%d rows, want %d and a header", len(rows), len(f.Rows))
		}
	}
	return nil
}

func TestCDFSteps(t *testing.T) {
	f, err := CDF("", Axis{Log: true}, []Sample{{Name: "a", Values: []float64{4, 0, 2, 2, math.NaN(), math.Inf(1)}}})
	if err != nil {
		t.Fatal(err)
	}
	// A quarter is at or below the left edge, 2; three quarters have come at 2.
	if got := fmt.Sprint(f.Rows); got != "[[a 2 0.75] [a 4 1]]" {
		t.Errorf("rows %v", got)
	}
	many := make([]float64, 12345)
	for i := range many {
		many[i] = float64(i)
	}
	pts := steps(many, 0)
	last := pts[len(pts)-1]
	if len(pts) > maxSteps+2 || last.X != 12344 || last.Y != 1 {
		t.Errorf("%d points, last %v", len(pts), last)
	}
	for _, p := range pts[1:] {
		if math.Abs(p.Y-(p.X+1)/12345) > 1e-12 {
			t.Fatalf("fraction %v at %v", p.Y, p.X)
		}
	}
}

func TestFigureErrors(t *testing.T) {
	for _, c := range []struct {
		want string
		make func() (*Figure, error)
	}{
		{"no value to draw in 1 series", func() (*Figure, error) {
			return CDF("", Axis{Log: true},
				[]Sample{{Values: []float64{0}}})
		}},
		{"0 groups", func() (*Figure, error) { return Bars("", Axis{}, nil, nil) }},
		{`series "s" has 1 values, want 2`, func() (*Figure, error) {
			return Bars("", Axis{}, []string{"a", "b"}, []Series{{Name: "s", Y: []float64{1}}})
		}},
		{"1 lower and 0 upper bounds", func() (*Figure, error) {
			return Bars("", Axis{}, []string{"a"}, []Series{{Y: []float64{1}, Lo: []float64{1}}})
		}},
		{"no point to draw", func() (*Figure, error) {
			return Lines("", Axis{}, Axis{Log: true}, []Series{{X: []float64{1}, Y: []float64{-1}}})
		}},
		{`row "r" has 0 values, want 1`, func() (*Figure, error) {
			return Heat("", Axis{}, Axis{}, Axis{}, []string{"c"}, []string{"r"}, [][]float64{{}})
		}},
		{"no value to draw", func() (*Figure, error) {
			return Heat("", Axis{}, Axis{}, Axis{}, []string{"c"}, []string{"r"}, [][]float64{{math.NaN()}})
		}},
		{"0 groups of 0 series", func() (*Figure, error) { return Dots("", Axis{}, nil, nil) }},
		{`series "s" has 1 values, want 2`, func() (*Figure, error) {
			return Dots("", Axis{}, []string{"a", "b"}, []Series{{Name: "s", Y: []float64{1}}})
		}},
		{"no point to draw in 1 series", func() (*Figure, error) {
			return Dots("", Axis{Log: true}, []string{"a"}, []Series{{Name: "s", Y: []float64{0}}})
		}},
		{"no block", func() (*Figure, error) { return Occupancy("", Axis{}, 8, nil, nil) }},
		{`block "j" from 0 to 1 on 4 GPUs from 6, of 8 GPUs`, func() (*Figure, error) {
			return Occupancy("", Axis{}, 8, nil, []Block{{End: 1, GPU: 6, Count: 4, Label: "j"}})
		}},
	} {
		if _, err := c.make(); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("error %v does not say %q", err, c.want)
		}
	}
	f := samples(t)["bars1"]
	if _, err := f.Render("gif"); err == nil || !strings.Contains(err.Error(), `"gif"`) {
		t.Errorf("gif gave %v", err)
	}
	blocked := filepath.Join(t.TempDir(), "file")
	os.WriteFile(blocked, nil, 0o666)
	if err := f.Save(filepath.Join(blocked, "sub"), "x"); err == nil || !strings.Contains(err.Error(), "x.png") {
		t.Errorf("a file in the way gave %v", err)
	}
}

func TestColoursOfKindsDiffer(t *testing.T) {
	seen := map[[3]uint8]int{}
	for i := range 24 {
		c := kindColour(i)
		key := [3]uint8{c.R, c.G, c.B}
		if j, ok := seen[key]; ok {
			t.Errorf("colours %d and %d are both %v", j, i, c)
		}
		seen[key] = i
	}
}

func TestTicks(t *testing.T) {
	for _, c := range []struct {
		lo, hi float64
		want   string
	}{
		{0, 1, "0 0.2 0.4 0.6 0.8 1"}, {0, 3e6, "0 500k 1M 1.5M 2M 2.5M 3M"}, {-9, 12, "-5 0 5 10"}, {5, 5, "5"},
		{0, 7, "0 1 2 3 4 5 6 7"},
	} {
		var got []string
		for _, k := range (niceTicks{}).Ticks(c.lo, c.hi) {
			got = append(got, k.Label)
		}
		if s := strings.Join(got, " "); s != c.want {
			t.Errorf("ticks of [%v, %v]: %s, want %s", c.lo, c.hi, s, c.want)
		}
	}
	labels := func(lo, hi float64) string {
		var got []string
		for _, k := range (decades{}).Ticks(lo, hi) {
			if k.Label != "" {
				got = append(got, k.Label)
			}
		}
		return strings.Join(got, " ")
	}
	if s := labels(3, 2e5); s != "10 100 1k 10k 100k" {
		t.Errorf("decades %s", s)
	}
	if s := labels(64, 1024); s != "100 200 500 1k" {
		t.Errorf("decades of a short range %s", s)
	}
	if s := labels(30, 600); s != "50 100 200 500" {
		t.Errorf("short decades %s", s)
	}
}

func TestWrap(t *testing.T) {
	short := func(line string) bool { return len(line) <= 10 }
	for text, want := range map[string]string{
		"": "", "one": "one", "one two": "one two", "one two three": "one two|three",
		"incomprehensible to all": "incomprehensible|to all",
	} {
		if got := strings.Join(wrap(text, short), "|"); got != want {
			t.Errorf("wrap(%q) = %q, want %q", text, got, want)
		}
	}
}
