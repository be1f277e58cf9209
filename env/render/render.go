package render

import (
	"fmt"
	"image"
	"image/color"
	"image/draw"
	"strings"

	"golang.org/x/image/font"
	"golang.org/x/image/font/basicfont"
	"golang.org/x/image/math/fixed"

	"tarry/env"
	"tarry/sim"
)

// simulated is an environment over the simulator.
type simulated interface {
	env.Env
	View() *sim.View
}

// Text is an environment after a step in lines of text, without a last end of line.
func Text(e env.Env, s *env.Step) string {
	lines := head(e.Spec(), s)
	if v := viewOf(e); v != nil {
		lines = append(lines, clusterLines(v)...)
	} else {
		lines = append(lines, observationLines(s)...)
	}
	return strings.Join(lines, "\n")
}

// Picture is the same as a picture, whose size is constant while the environment's cluster is.
func Picture(e env.Env, s *env.Step) *image.RGBA {
	if v := viewOf(e); v != nil {
		return clusterPicture(v, head(e.Spec(), s))
	}
	return textPicture(append(head(e.Spec(), s), observationLines(s)...))
}

// viewOf is the run behind an environment; nil where there is none.
func viewOf(e env.Env) *sim.View {
	on, ok := env.Find[simulated](e)
	if !ok {
		return nil
	}
	return on.View()
}

// head reports what happened last, the same number of lines each time.
func head(spec *env.Spec, s *env.Step) []string {
	state := ""
	switch {
	case s.Terminated:
		state = ", terminated"
	case s.Truncated:
		state = ", truncated"
	}
	lines := []string{fmt.Sprintf("%s: reward %.6g%s", spec.ID, s.Reward, state)}
	for i, name := range spec.Metrics {
		if i < len(s.Info.Metrics) {
			lines = append(lines, fmt.Sprintf("%s %.6g", name, s.Info.Metrics[i]))
		}
	}
	return lines
}

// shownNumbers is how much of an observation is shown.
const shownNumbers = 32

// observationLines has a line per number of an observation.
func observationLines(s *env.Step) []string {
	var lines []string
	for i, v := range s.Obs {
		if i == shownNumbers {
			return append(lines, fmt.Sprintf("and %d more", len(s.Obs)-i))
		}
		lines = append(lines, fmt.Sprintf("observation %2d: %12.6g", i, v))
	}
	return lines
}

// The measures of text, in pixels.
const (
	margin     = 8
	lineHeight = 15
	charWidth  = 7
	textWidth  = widestText * charWidth
	widestText = 72 // characters of a line: room for the longest of head, counts and caption
)

// canvas is a white picture.
func canvas(width, height int) *image.RGBA {
	p := image.NewRGBA(image.Rect(0, 0, width, height))
	draw.Draw(p, p.Bounds(), image.White, image.Point{}, draw.Src)
	return p
}

// write puts lines onto a picture, and gives where the next one would be.
func write(p *image.RGBA, y int, lines []string) int {
	for _, line := range lines {
		if room := (p.Bounds().Dx() - 2*margin) / charWidth; len(line) > room {
			line = line[:room-3] + "..."
		}
		d := font.Drawer{Dst: p, Src: image.Black, Face: basicfont.Face7x13, Dot: fixed.P(margin, y+11)}
		d.DrawString(line)
		y += lineHeight
	}
	return y
}

func textPicture(lines []string) *image.RGBA {
	p := canvas(textWidth+2*margin, len(lines)*lineHeight+2*margin)
	write(p, margin, lines)
	return p
}

// box fills a rectangle.
func box(p *image.RGBA, x, y, width, height int, c color.Color) {
	draw.Draw(p, image.Rect(x, y, x+width, y+height), image.NewUniform(c), image.Point{}, draw.Src)
}
