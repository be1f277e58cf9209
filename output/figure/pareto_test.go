package figure

import (
	"bytes"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
	"gonum.org/v1/plot/vg/vgsvg"
)

// The front by hand: ties, points without a number, one point, none.
func TestFront(t *testing.T) {
	nan, inf := math.NaN(), math.Inf(1)
	for name, c := range map[string]struct {
		x, y []float64
		want []bool
	}{
		"none":              {nil, nil, []bool{}},
		"one":               {[]float64{3}, []float64{4}, []bool{true}},
		"one without":       {[]float64{nan}, []float64{4}, []bool{false}},
		"stair":             {[]float64{1, 2, 3, 3}, []float64{9, 4, 5, 1}, []bool{true, true, false, true}},
		"equal points":      {[]float64{1, 1, 2}, []float64{2, 2, 2}, []bool{true, true, false}},
		"equal in one":      {[]float64{1, 1}, []float64{2, 3}, []bool{true, false}},
		"numbers that miss": {[]float64{nan, 2, 0}, []float64{0, 2, nan}, []bool{false, true, false}},
		"infinite":          {[]float64{math.Inf(-1), 2, inf}, []float64{0, 2, 0}, []bool{false, true, false}},
		"below 0":           {[]float64{-1, 0}, []float64{-1, -2}, []bool{true, true}},
	} {
		if got := Front(c.x, c.y); !slices.Equal(got, c.want) {
			t.Errorf("%s: %v, want %v", name, got, c.want)
		}
	}
}

// Every point is in the front or has one of the front that is as good in both directions; no two of
// the front are better than each other.
func TestFrontCoversAll(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	for range 300 {
		n := 1 + r.IntN(12)
		x, y := make([]float64, n), make([]float64, n)
		for i := range x {
			x[i], y[i] = float64(r.IntN(5)), float64(r.IntN(5))
		}
		front := Front(x, y)
		for i := range x {
			covered := false
			for k := range x {
				better := x[k] <= x[i] && y[k] <= y[i] && (x[k] != x[i] || y[k] != y[i])
				covered = covered || front[k] && better
				if front[i] && better {
					t.Fatalf("%v %v: %d is in the front, %d is better", x, y, i, k)
				}
			}
			if !front[i] && !covered {
				t.Fatalf("%v %v: %d is not in the front, and none of it is better", x, y, i)
			}
		}
	}
}

// cloud gives n points around a curve, every third of them on it.
func cloud(name string, n int, shift float64, r *rand.Rand) Cloud {
	c := Cloud{Series: Series{Name: name}}
	for i := range n {
		x := 0.3 + 0.7*float64(i+1)/float64(n)
		y := 1/x + shift
		if i%3 != 0 {
			y += 0.6 * r.Float64()
		}
		c.X, c.Y, c.N = append(c.X, x), append(c.Y, y), append(c.N, 10)
		c.XLo, c.XHi = append(c.XLo, x-0.03), append(c.XHi, x+0.04)
		c.Lo, c.Hi = append(c.Lo, y-0.1), append(c.Hi, y+0.15)
		c.Points = append(c.Points, fmt.Sprintf("%d s", 30*(i+1)))
	}
	return c
}

func pareto(t testing.TB, clouds ...Cloud) *scatter {
	t.Helper()
	m, err := scattered("", Axis{Label: "energy (kWh)"}, Axis{Label: "mean completion time (h)"}, clouds)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// paretoSample is a figure with two sweeps of a setting and three single points.
func paretoSample(t testing.TB) *scatter {
	r := rand.New(rand.NewPCG(1, 2))
	one := func(name string, x, y float64) Cloud {
		return Cloud{Series: Series{Name: name, X: []float64{x}, Y: []float64{y}, Lo: []float64{y - 0.2},
			Hi: []float64{y + 0.2}, N: []int{10}}, XLo: []float64{x - 0.02}, XHi: []float64{x + 0.02}}
	}
	return pareto(t, cloud("dally, off after", 6, 0, r), cloud("easy, off after", 6, 0.5, r), one("always on", 1.02, 1.1),
		one("last value", 0.5, 2.4), one("oracle", 0.35, 2.5))
}

// The data have each point once, with its intervals and whether it is in the front.
func TestParetoRows(t *testing.T) {
	f := pareto(t, Cloud{Series: Series{Name: "a", X: []float64{1, 3, math.NaN()}, Y: []float64{2, 2, 1},
		Lo: []float64{1.5, 1, 0}, Hi: []float64{2.5, 3, 2}, N: []int{4, 5, 6}}, XLo: []float64{0.5, 2, 0},
		XHi: []float64{1.5, 4, 1}, Points: []string{"p", "q", "r"}},
		Cloud{Series: Series{Name: "b", X: []float64{4}, Y: []float64{1}}}).f
	got, err := f.Render("csv")
	want := "series,point,x,x_lo,x_hi,y,lo,hi,front,n\na,p,1,0.5,1.5,2,1.5,2.5,true,4\na,q,3,2,4,2,1,3,false,5\n" +
		"a,r,NaN,0,1,1,0,2,false,6\nb,b,4,NaN,NaN,1,NaN,NaN,true,\n"
	if err != nil || string(got) != want {
		t.Errorf("%v\n%s\nwant\n%s", err, got, want)
	}
	legend, _ := f.explained()
	if len(legend) != 1 || legend[0].name != "a" || !slices.Equal(f.named, []string{"p", "q", "b"}) {
		t.Errorf("legend %+v, names %q", legend, f.named)
	}
	f.Star([]string{"b"}, "starred")
	if svg, err := f.Render("svg"); err != nil || !bytes.Contains(svg, []byte(">b*<")) {
		t.Errorf("%v: no star", err)
	}
}

// The stair goes down from the upper edge at the first point of the front to the right edge at the
// last one; one point has both.
func TestParetoStair(t *testing.T) {
	for _, c := range []Cloud{
		{Series: Series{Name: "a", X: []float64{3, 1, 2, 2.5}, Y: []float64{1, 5, 3, 4}}},
		{Series: Series{Name: "a", X: []float64{3}, Y: []float64{1}}},
	} {
		m := pareto(t, c)
		canvas := draw.New(vgsvg.New(100, 100))
		line := m.stair(canvas, m.f.plot)
		if line[0].Y != canvas.Max.Y || line[len(line)-1].X != canvas.Max.X {
			t.Errorf("from %v to %v", line[0], line[len(line)-1])
		}
		for i := 1; i < len(line); i++ {
			if d := line[i].Sub(line[i-1]); d.X < 0 || d.Y > 0 || d.X != 0 && d.Y != 0 {
				t.Errorf("step %d: %v", i, d)
			}
		}
		if want := 2*len(m.steps()) + 1; len(line) != want || len(m.steps()) != min(3, len(c.X)) {
			t.Errorf("%d corners of %d points", len(line), len(m.steps()))
		}
	}
}

// Names are in the plot, apart from each other and from points, near what they name.
func TestParetoNames(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	dense := make([]Cloud, mostNamed)
	for i := range dense {
		dense[i] = Cloud{Series: Series{Name: fmt.Sprintf("policy %d", i), X: []float64{r.Float64()},
			Y: []float64{r.Float64()}}}
	}
	equal := make([]Cloud, 5)
	for i := range equal {
		equal[i] = Cloud{Series: Series{Name: fmt.Sprintf("policy %d", i), X: []float64{1}, Y: []float64{1}}}
	}
	for name, m := range map[string]*scatter{"sample": paretoSample(t), "dense": pareto(t, dense...),
		"equal": pareto(t, equal...)} {
		canvas := draw.New(vgsvg.New(200, 150))
		tags := m.tags(canvas, m.f.plot)
		for i, a := range tags {
			if a.max.X <= a.min.X || a.min.X < 0 || a.max.X > 200 || a.min.Y < 0 || a.max.Y > 150 {
				t.Errorf("%s: name %d has the place %v", name, i, a.box)
			}
			for k, b := range tags {
				if i != k && a.shared(b.box) > 0 {
					t.Errorf("%s: names %d and %d are over each other", name, i, k)
				}
				dot := box{b.at.Sub(vg.Point{X: spotSize / 2, Y: spotSize / 2}),
					b.at.Add(vg.Point{X: spotSize / 2, Y: spotSize / 2})}
				if a.shared(dot) > 0 {
					t.Errorf("%s: name %d is over point %d", name, i, k)
				}
			}
		}
	}
}

// Of very many points the front alone has names, and the note states it.
func TestParetoMany(t *testing.T) {
	c := Cloud{Series: Series{Name: "a"}}
	for i := range 40 {
		c.X, c.Y = append(c.X, float64(i)), append(c.Y, math.Abs(float64(i-3)))
		c.Points = append(c.Points, fmt.Sprintf("p%d", i))
	}
	f := pareto(t, c).f
	if !slices.Equal(f.named, []string{"p0", "p1", "p2", "p3"}) || !strings.Contains(f.Note, "front alone") ||
		len(f.Rows) != 40 {
		t.Errorf("names %q, note %q, %d rows", f.named, f.Note, len(f.Rows))
	}
}

// A value of 0 on a logarithmic axis is a triangle; without a point there is no figure.
func TestParetoEdges(t *testing.T) {
	m, err := scattered("", Axis{Log: true}, Axis{Log: true}, []Cloud{{Series: Series{Name: "a", X: []float64{0, 1},
		Y: []float64{1, 2}}}})
	if err != nil || m.f.beyond != 1 || len(m.spots) != 1 {
		t.Fatalf("%v: %+v", err, m)
	}
	for _, clouds := range [][]Cloud{nil, {{Series: Series{Name: "a", X: []float64{math.NaN()}, Y: []float64{1}}}}} {
		if _, err := Pareto("", Axis{}, Axis{}, clouds); err == nil || !strings.Contains(err.Error(), "no point") {
			t.Errorf("%v", err)
		}
	}
	for _, c := range []Cloud{{Series: Series{Name: "a", X: []float64{1}}},
		{Series: Series{Name: "a", X: []float64{1}, Y: []float64{1}}, XLo: []float64{1}},
		{Series: Series{Name: "a", X: []float64{1}, Y: []float64{1}}, Points: []string{"p", "q"}}} {
		if _, err := Pareto("", Axis{}, Axis{}, []Cloud{c}); err == nil {
			t.Errorf("%+v is no error", c)
		}
	}
}
