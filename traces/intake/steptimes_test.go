package intake

import (
	"fmt"
	"strings"
	"testing"
)

// The tables have the models of each source, and a few of their numbers.
func TestStepTimes(t *testing.T) {
	for authors, want := range map[string]struct {
		models int
		model  string
		us     int64
	}{"gavel": {26, "CycleGAN", 225_933}, "shockwave": {23, "ResNet-50 (batch size 128)", 625_825},
		"elasticflow": {26, "bert (batch size 384)", 29_063_933}} {
		got, err := StepTimes(authors)
		if err != nil || len(got) != want.models || got[want.model] != want.us {
			t.Errorf("%s: %d models, %s takes %d us, %v, want %d and %d", authors, len(got), want.model, got[want.model],
				err, want.models, want.us)
		}
	}
}

// A table that cannot be read is an error with what was expected.
func TestStepTimesFaults(t *testing.T) {
	const head = "# x\nauthors,gpu,model,step_us\n"
	for text, want := range map[string]string{
		"":                                "no header, expected authors,gpu,model,step_us",
		"authors,model,step_us\n":         "no header",
		head + "a,V100,m,1.5\n":           `step_us of a, "m" is "1.5", expected a whole number of microseconds > 0`,
		head + "a,V100,m,0\n":             "expected a whole number",
		head + "a,V100,m,1\na,T4,m,2\n":   `a has the model "m" twice`,
		head + "b,V100,m,1\nb,V100,m,1\n": `no row of "a"`,
		head + "a,V100,m\n":               "wrong number of fields",
	} {
		if _, err := readStepTimes(text, "a"); err == nil || !strings.Contains(fmt.Sprint(err), want) {
			t.Errorf("%q: %v, want %s", text, err, want)
		}
	}
}
