package digest

import (
	"slices"
	"strings"
	"testing"

	"tarry/catalogue/shipped"
	"tarry/experiments/sweep"
	"tarry/output/results"
	"tarry/run/parts"
)

// A series is marked in tables and figures if all its rows know the work that is left, by their
// column or, without one, by name.
func TestClairvoyantSeriesAreMarked(t *testing.T) {
	d := data(t, "simulate")
	knows := map[string]string{"dally": "work", "fifo": "nothing"} // not as by their names
	all := rows(d, func(c *sweep.Cell) float64 { return 1 + float64(c.Seed) })
	for i := range all {
		all[i].Knows = knows[all[i].Policy]
	}
	b := NewBook(d, all)
	b.Means("jct", "Mean.", "load", "policy", "jct_mean_s", "load")
	figures, err := b.Figures()
	if err != nil || len(figures) != 1 {
		t.Fatal(err)
	}
	svg, err := figures[0].Render("svg")
	if err != nil {
		t.Fatal(err)
	}
	for text, want := range map[string]bool{"dally*": true, "fifo*": false, "fifo": true} {
		if got := strings.Contains(string(svg), ">"+text+"<"); got != want {
			t.Errorf("the legend has %s: %v, want %v", text, got, want)
		}
	}
	if !strings.Contains(figures[0].Caption, "* knows the work that is left (clairvoyant).") ||
		!strings.HasPrefix(strings.Join(figures[0].Rows[0], " "), "dally ") && figures[0].Rows[0][1] != "dally" {
		t.Errorf("caption %q, data %q", figures[0].Caption, figures[0].Rows[0])
	}
	for _, transpose := range []bool{false, true} {
		p := Pages{Book: b, X: "load", Series: "policy", Base: "fifo", Transpose: transpose}
		text, err := p.Means("jct_mean_s", 1)
		if err != nil || !strings.Contains(text, "| dally* |") && !strings.Contains(text, " dally* |") ||
			strings.Contains(text, "fifo*") || !strings.HasSuffix(text,
			"\n\\* knows the work that is left (clairvoyant).\n") {
			t.Errorf("table %q, error %v", text, err)
		}
		if csv, err := CSV(text); err != nil || strings.Contains(csv, "knows") {
			t.Errorf("the CSV has the key: %q, error %v", csv, err)
		}
	}
	all[0].Knows = "nothing"
	if l := NewBook(d, all).layout("", "policy", Metric{}); len(clairvoyant(d, all, &l)) != 0 {
		t.Error("a series of which one row is not clairvoyant is marked")
	}
}

// Rows of earlier versions do not state what an agent read: its environment and what it hides do.
func TestAgentsOfEarlierVersions(t *testing.T) {
	for text, want := range map[string]bool{
		"tarry/Preempt-v0:cluster=2x2x4,trace=philly:gone.csv,thin=4": true,
		"tarry/Preempt-v0:hide=work,order=las":                        false,
		"tarry/Preempt-v0:hide=work,order=srpt":                       true,
		"tarry/Preempt-v0:hide_work=true":                             false, "tarry/Offer-v0": true,
		"tarry/Offer-v0:hide=work+network": false,
		"tarry/DelayTimer-v0:load=0.9":     false,
		"classic/CartPole-v1":              false, "nobody/Knows-v0": false,
	} {
		if got := seesWork(shipped.All(), text); got != want {
			t.Errorf("%s shows the work that is left: %v, want %v", text, got, want)
		}
	}
	l := Layout{name: func(*sweep.Cell, results.Keys) string { return "agent" },
		learned: func(results.Keys) bool { return true }}
	d := learnt{"tarry/Preempt-v0", shipped.All()}
	if got := clairvoyant(d, []results.Trial{{}}, &l); !slices.Equal(got, []string{"agent"}) {
		t.Errorf("clairvoyant are %q, want the agent", got)
	}
	if got := clairvoyant(d, []results.Trial{{Summary: results.Summary{Knows: "done"}}}, &l); len(got) != 0 {
		t.Errorf("clairvoyant are %q, want what the row says: nobody", got)
	}
	d.from = nil
	if got := clairvoyant(d, []results.Trial{{}}, &l); len(got) != 0 {
		t.Errorf("without environments clairvoyant are %q, want nobody", got)
	}
}

// learnt has one cell, of an agent in an environment.
type learnt struct {
	env  string
	from *parts.Catalogues
}

func (l learnt) Names() *parts.Catalogues { return l.from }

func (l learnt) Cell(results.Keys) (sweep.Cell, bool) {
	return sweep.Cell{Kind: "learn", Settings: sweep.Settings{"env": l.env}}, true
}
