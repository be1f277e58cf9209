package figure

import (
	"bytes"
	"fmt"
	"math"
	"strings"
	"testing"
)

// Panels have one legend, one range, and their values as columns.
func TestFacets(t *testing.T) {
	var panels []Panel
	for i, racks := range []string{"2", "4", "8"} {
		f, err := Lines("", Axis{Label: "load"}, Axis{Label: "hours"}, []Series{
			{Name: "dally", X: []float64{1, 2}, Y: []float64{float64(i), 5}, Lo: []float64{-1, 4},
				Hi: []float64{2, float64(6 + i)}, N: []int{3, 2}},
			{Name: fmt.Sprint("only ", racks), X: []float64{1}, Y: []float64{3}}})
		if err != nil {
			t.Fatal(err)
		}
		panels = append(panels, Panel{Values: []string{racks}, Figure: f})
	}
	f, err := Facets("Over racks", []string{"racks"}, panels)
	if err != nil {
		t.Fatal(err)
	}
	f.Note = "n=3"
	if got := strings.Join(f.Header, " "); got != "racks series x y lo hi n" ||
		strings.Join(f.Rows[3], " ") != "4 dally 1 1 -1 2 3" || f.Rows[2][6] != "" {
		t.Errorf("%s, %v", got, f.Rows)
	}
	for _, p := range f.panels {
		if p.plot.Y.Min != 0 || math.Abs(p.plot.Y.Max-8*1.03) > 1e-9 {
			t.Errorf("y from %v to %v, want 0 to a little above 8 in all panels", p.plot.Y.Min, p.plot.Y.Max)
		}
	}
	first, err := f.Render("svg")
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{">racks=2<", ">racks=8<", ">only 4<",
		">n=3 Intervals continue beyond the picture at arrows and cut bands.<", ">Over racks<"} {
		if !bytes.Contains(first, []byte(want)) {
			t.Errorf("the picture has no %s", want)
		}
	}
	if n := bytes.Count(first, []byte(">dally<")); n != 1 {
		t.Errorf("dally is %d times in the legend", n)
	}
	if again, _ := f.Render("svg"); !bytes.Equal(first, again) {
		t.Error("two drawings differ")
	}
	if _, err := Facets("", []string{"a", "b"}, panels); err == nil ||
		!strings.Contains(err.Error(), "a panel has the values") {
		t.Errorf("panels without values: %v", err)
	}
	if _, err := Facets("", nil, nil); err == nil {
		t.Error("no panel is a figure")
	}
	f.Column("averaged_over_x", "1|2")
	if f.Header[0] != "averaged_over_x" || f.Rows[0][0] != "1|2" {
		t.Errorf("%v %v", f.Header, f.Rows[0])
	}
}

// Settings that all have are stated once; what distinguishes names stays.
func TestShorten(t *testing.T) {
	for _, c := range []struct{ names, short, said string }{
		{"dally fifo", "dally fifo", ""},
		{"dally:t_rack=6,order=las dally:t_rack=12,order=las fifo", "dally:t_rack=6 dally:t_rack=12 fifo",
			"All of dally have order=las"},
		{"dally:order=las dally:order=las,t_rack=6", "dally dally:t_rack=6", "All of dally have order=las"},
		{"dally dally:order=las", "dally dally:order=las", ""},
		{"dally:a=1 tiresias:a=1", "dally:a=1 tiresias:a=1", ""},
		{"dally:a=1 dally:a=1", "dally:a=1 dally:a=1", ""},
		{`x:q="1,2",a=1 x:q="1,2",a=2 y:b=1,c=1 y:b=1,c=2`, "x:a=1 x:a=2 y:c=1 y:c=2",
			`All of x have q="1,2"; all of y have b=1`},
	} {
		names := strings.Fields(c.names)
		short, said := Shorten(names)
		var got []string
		for _, n := range names {
			got = append(got, short[n])
		}
		if strings.Join(got, " ") != c.short || said != c.said {
			t.Errorf("%s: %s, said %q; want %s and %q", c.names, strings.Join(got, " "), said, c.short, c.said)
		}
	}
}

// A name wider than the picture is broken at commas, or where it must be, and loses nothing.
func TestBreakName(t *testing.T) {
	fits := func(s string) bool { return len(s) <= 10 }
	for name, want := range map[string]string{
		"short": "short", "dally:a=1,b=2,c=3": "dally:a=1,|b=2,c=3", "incomprehensible": "incomprehe|nsible",
		"a=1,incomprehensible,b": "a=1,|incomprehe|nsible,b",
	} {
		if got := strings.Join(breakName(name, fits), "|"); got != want {
			t.Errorf("%s: %s, want %s", name, got, want)
		}
	}
	long := "dally:t_rack=6,t_net=12,history=48,min_rack=0,min_net=0,order=srpt,evict=later,min_run=0.05,more=and," +
		"more=still"
	f, err := Lines("", Axis{}, Axis{}, []Series{{Name: long, X: []float64{1, 2}, Y: []float64{1, 2}}})
	if err != nil {
		t.Fatal(err)
	}
	svg, _ := f.Render("svg")
	if !bytes.Contains(svg, []byte("more=still")) || f.lay(245).legend[0].height <= legendRow {
		t.Error("the end of a long name is not in the picture")
	}
}
