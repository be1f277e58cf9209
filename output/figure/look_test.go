package figure

import (
	"bytes"
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

// A style has its width, and texts of its size, in every format.
func TestStyles(t *testing.T) {
	size := regexp.MustCompile(`font-size:([0-9.]+)px`)
	for style, want := range map[Style]struct{ inches, text float64 }{Screen: {3.4, 7}, Paper: {3.3, 8}, Talk: {7, 20}} {
		for name, f := range samples(t) {
			before := f.Width
			f.SetStyle(style)
			svg, err := f.Render("svg")
			if err != nil {
				t.Fatal(err)
			}
			width := want.inches * before / columnWidth
			if !bytes.Contains(svg, fmt.Appendf(nil, `width="%gpt"`, round(width*72))) {
				t.Errorf("%s %s is not %v inches wide: %s", name, style, width, svg[:300])
			}
			least := 100.0
			for _, m := range size.FindAllSubmatch(svg, -1) {
				v, _ := strconv.ParseFloat(string(m[1]), 64)
				least = min(least, v*f.scale)
			}
			if name == "occupancy" { // jobs have smaller names in their boxes
				continue
			}
			if least < want.text*(smallPt-0.5)/smallPt-1e-9 || least > want.text+1e-9 {
				t.Errorf("%s %s: the smallest text has %v points, expected %v", name, style, least, want.text)
			}
		}
	}
	if _, err := ParseStyle("papr"); err == nil || !strings.Contains(err.Error(), `did you mean "paper"?`) {
		t.Errorf("a style that is none: %v", err)
	}
}

func round(v float64) float64 {
	v, _ = strconv.ParseFloat(strconv.FormatFloat(v, 'g', 5, 64), 64)
	return v
}

// What LaTeX reads is the same each time, closed, and shows texts as they are.
func TestPGF(t *testing.T) {
	for name, f := range samples(t) {
		text, err := f.Render("pgf")
		if err != nil {
			t.Fatal(err)
		}
		if again, _ := f.Render("pgf"); !bytes.Equal(text, again) {
			t.Errorf("%s: two drawings differ", name)
		}
		for _, part := range []string{"pgfscope", "pgfpicture"} {
			if a, b := bytes.Count(text, []byte(`\begin{`+part)), bytes.Count(text, []byte(`\end{`+part)); a != b || a == 0 {
				t.Errorf("%s: %s begins %d times and ends %d times", name, part, a, b)
			}
		}
		open := 0
		for i, c := range text {
			switch {
			case i > 0 && text[i-1] == '\\':
			case c == '{':
				open++
			case c == '}':
				open--
			}
		}
		if open != 0 || bytes.Contains(text, []byte("pt}")) {
			t.Errorf("%s: %d braces are open, or a length is in TeX points", name, open)
		}
	}
	f, err := Lines("100 % of a_b & {c}", Axis{Label: `x\y`}, Axis{}, []Series{{Name: "p", X: []float64{1, 2},
		Y: []float64{1, 2}}})
	if err != nil {
		t.Fatal(err)
	}
	text, _ := f.Render("pgf")
	for _, want := range []string{`100 \% of a\_b \& \{c\}`, `x\textbackslash{}y`, `\pgfpathlineto`} {
		if !bytes.Contains(text, []byte(want)) {
			t.Errorf("there is no %s", want)
		}
	}
}

// The table has the lines that are drawn at a value, such as a baseline.
func TestMarksAreInTheTable(t *testing.T) {
	y := Axis{Marks: []Mark{{At: 3, Name: "dally"}, {At: 0, Name: "none"}, {At: 5}}}
	f, err := Lines("", Axis{}, y, []Series{{Name: "p", X: []float64{1, 2}, Y: []float64{1, 2}}})
	if err != nil {
		t.Fatal(err)
	}
	if n := len(f.Rows); n != 3 || strings.Join(f.Rows[2], " ") != "dally NaN 3 NaN NaN" {
		t.Errorf("%v", f.Rows)
	}
}
