package report

import (
	"fmt"
	"image/color"
	"math"
	"os"
	"regexp"
	"strings"
	"testing"

	"tarry/output/figure"
)

// linear is a colour's light by channel.
func linear(c color.RGBA) (out [3]float64) {
	for i, v := range [3]uint8{c.R, c.G, c.B} {
		if x := float64(v) / 255; x > 0.04045 {
			out[i] = math.Pow((x+0.055)/1.055, 2.4)
		} else {
			out[i] = x / 12.92
		}
	}
	return out
}

// seen has how a reader sees light: of full sight, and of none for red, green or blue (Machado,
// Oliveira and Fernandes 2009, severity 1).
func seen() map[string][3][3]float64 {
	return map[string][3][3]float64{
		"full": {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}},
		"protanopia": {{0.152286, 1.052583, -0.204868}, {0.114503, 0.786281, 0.099216},
			{-0.003882, -0.048116, 1.051998}},
		"deuteranopia": {{0.367322, 0.860646, -0.227968}, {0.280085, 0.672501, 0.047413},
			{-0.011820, 0.042940, 0.968881}},
		"tritanopia": {{1.255528, -0.076749, -0.178779}, {-0.078411, 0.930809, 0.147602},
			{0.004733, 0.691367, 0.303900}},
	}
}

// lab is a colour in CIE L*a*b* as a reader sees it.
func lab(c color.RGBA, as [3][3]float64) (out [3]float64) {
	var rgb [3]float64
	for i, row := range as {
		for k, v := range linear(c) {
			rgb[i] += row[k] * v
		}
		rgb[i] = min(max(rgb[i], 0), 1)
	}
	f := func(t float64) float64 {
		if t > 216.0/24389 {
			return math.Cbrt(t)
		}
		return (24389.0/27*t + 16) / 116
	}
	x := f((0.4124564*rgb[0] + 0.3575761*rgb[1] + 0.1804375*rgb[2]) / 0.95047)
	y := f(0.2126729*rgb[0] + 0.7151522*rgb[1] + 0.0721750*rgb[2])
	z := f((0.0193339*rgb[0] + 0.1191920*rgb[1] + 0.9503041*rgb[2]) / 1.08883)
	return [3]float64{116*y - 16, 500 * (x - y), 200 * (y - z)}
}

// contrast is the ratio of WCAG 2.
func contrast(a, b color.RGBA) float64 {
	y := func(c color.RGBA) float64 {
		l := linear(c)
		return 0.2126*l[0] + 0.7152*l[1] + 0.0722*l[2] + 0.05
	}
	return max(y(a), y(b)) / min(y(a), y(b))
}

func asset(t *testing.T, path string) string {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

func parsed(t *testing.T, hex string) (c color.RGBA) {
	t.Helper()
	if _, err := fmt.Sscanf(hex, "#%02x%02x%02x", &c.R, &c.G, &c.B); err != nil {
		t.Fatalf("%s: %v", hex, err)
	}
	c.A = 0xFF
	return c
}

// themes reads the variables of the style: on light and on dark.
func themes(t *testing.T) [2]map[string]color.RGBA {
	t.Helper()
	out := [2]map[string]color.RGBA{{}, {}}
	pair := regexp.MustCompile(`--(\w+): light-dark\((#\w{6}), (#\w{6})\);`)
	for _, m := range pair.FindAllStringSubmatch(asset(t, "assets/style.css"), -1) {
		out[0][m[1]], out[1][m[1]] = parsed(t, m[2]), parsed(t, m[3])
	}
	return out
}

// Figures, the page, the replay and the notebooks have one palette.
func TestOnePalette(t *testing.T) {
	themes, replay, notebooks := themes(t), asset(t, "assets/replay.js"), asset(t, "../../notebooks/tables.py")
	for i, c := range figure.Palette() {
		name := fmt.Sprintf("c%d", i)
		if got := themes[0][name]; got != c {
			t.Errorf("%s of the style is %v, of the figures %v", name, got, c)
		}
		d := themes[1][name]
		want := fmt.Sprintf("['#%02x%02x%02x', '#%02x%02x%02x']", c.R, c.G, c.B, d.R, d.G, d.B)
		if !strings.Contains(replay, want) {
			t.Errorf("the replay has no %s", want)
		}
		if hex := fmt.Sprintf(`"#%02X%02X%02X"`, c.R, c.G, c.B); i < 7 && !strings.Contains(notebooks, hex) {
			t.Errorf("the notebooks have no %s", hex)
		}
	}
}

// Colours stay apart for colour-blind readers, on light and on dark.
func TestColoursStayApart(t *testing.T) {
	const least = 15 // CIE76; 2.3 is just noticed
	for dark, theme := range themes(t) {
		for sight, as := range seen() {
			for i := range figure.Colours {
				for k := range i {
					a, b := lab(theme[fmt.Sprintf("c%d", i)], as), lab(theme[fmt.Sprintf("c%d", k)], as)
					d := math.Hypot(math.Hypot(a[0]-b[0], a[1]-b[1]), a[2]-b[2])
					if d < least {
						t.Errorf("dark=%d: colours %d and %d are %.1f apart in %s, expected %d", dark, i, k, d, sight, least)
					}
				}
			}
		}
	}
}

// Texts have the contrast 4.5 and lines 3 (WCAG 2.1 AA) on both themes. Orange and sky blue of Okabe
// and Ito have 2.2 on white, and markers and dashes beside.
func TestContrast(t *testing.T) {
	for dark, theme := range themes(t) {
		for _, ground := range []string{"bg", "panel"} {
			for _, text := range []string{"fg", "soft", "accent", "bad"} {
				if c := contrast(theme[text], theme[ground]); c < 4.5 {
					t.Errorf("dark=%d: text %s on %s has the contrast %.2f, expected 4.5", dark, text, ground, c)
				}
			}
		}
		for i := range figure.Colours {
			least := 3.0
			if dark == 0 && (i == 4 || i == 5) {
				least = 2.2
			}
			if c := contrast(theme[fmt.Sprintf("c%d", i)], theme["bg"]); c < least {
				t.Errorf("dark=%d: line %d has the contrast %.2f, expected %v", dark, i, c, least)
			}
		}
	}
}
