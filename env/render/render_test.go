package render

import (
	"image/color"
	"strings"
	"testing"

	"tarry/env"
	"tarry/env/classic"
	"tarry/sim"
)

// A classic environment shows the numbers that it observes.
func TestTextOfNumbers(t *testing.T) {
	e := classic.CartPole()
	seed := uint64(1)
	obs, info, err := e.Reset(&seed, "")
	if err != nil {
		t.Fatal(err)
	}
	s := &env.Step{Obs: obs, Info: info, Reward: 1, Truncated: true}
	text := Text(e, s)
	if !strings.HasPrefix(text, "classic/CartPole-v1: reward 1, truncated\n") ||
		strings.Count(text, "\nobservation") != len(obs) {
		t.Errorf("text is\n%s", text)
	}
	p, dark := Picture(e, s), 0
	for i := 0; i < len(p.Pix); i += 4 {
		if p.Pix[i] < 128 {
			dark++
		}
	}
	if dark < 300 {
		t.Errorf("%d dark pixels, expected text", dark)
	}
}

// Jobs next to one another have colours that differ much from one another and from a free GPU.
func TestColours(t *testing.T) {
	far := func(a, b color.RGBA) bool {
		d := func(x, y uint8) int { return max(int(x), int(y)) - min(int(x), int(y)) }
		return d(a.R, b.R)+d(a.G, b.G)+d(a.B, b.B) > 60
	}
	for j := range sim.JobID(300) {
		if !far(colour(j), colour(j+1)) || !far(colour(j), free()) {
			t.Errorf("job %d: %v beside %v and %v", j, colour(j), colour(j+1), free())
		}
	}
}

// No line of a picture is cut off at its edge: not the caption, the counts of a large cluster, or
// what the environments report of a step.
func TestLinesFit(t *testing.T) {
	lines := []string{caption, "GPUs busy 100000 of 100000, jobs running 100000, waiting 1000000"}
	for _, id := range []string{"tarry/DelayTimerDiscrete-v1", "classic/MountainCar-v0"} { // the longest names
		s := &env.Step{Reward: -1.23456e+100, Terminated: true, Info: env.Info{Metrics: []float64{-1.23456e+100}}}
		lines = append(lines, head(&env.Spec{ID: id, Metrics: []string{"jobs_in_system"}}, s)...)
	}
	for _, line := range lines {
		if len(line)*charWidth > textWidth {
			t.Errorf("%q needs %d pixels, a picture has %d", line, len(line)*charWidth, textWidth)
		}
	}
	// What is longer all the same ends in points, within the margin.
	p := textPicture([]string{strings.Repeat("W", 200)})
	for y := range p.Bounds().Dy() {
		for x := p.Bounds().Dx() - margin; x < p.Bounds().Dx(); x++ {
			if p.RGBAAt(x, y).R < 128 {
				t.Fatalf("pixel %d, %d is dark", x, y)
			}
		}
	}
}
