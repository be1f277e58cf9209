package scenario

import (
	"strings"
	"testing"

	"tarry/sim"
	"tarry/sim/param"
)

// A law is given as text, as a mapping, or number by number; the last changes one number of what
// came before.
func TestDeadlinesAreRead(t *testing.T) {
	for text, want := range map[string]string{
		"deadlines=none":                                            "none",
		`deadlines="tightness=2,fraction=0.5"`:                      "tightness=2,fraction=0.5",
		"deadlines.tightness=2,deadlines.min=0.5":                   "tightness=2,min=0.5",
		`deadlines="min=0.5,max=1.5",deadlines.tightness=3,speed=x`: "tightness=3,min=0.5,max=1.5",
		"speed=tiers": "",
	} {
		c, s := Default(), param.Parse("env", text)
		if c.Read(s); s.Err() != nil || c.Deadlines != want {
			t.Errorf("%s: %q, expected %q (%v)", text, c.Deadlines, want, s.Err())
		}
	}
	c := Default()
	c.Deadlines = "tightness=2,min=0.5,max=1.5"
	s := param.Parse("env", "deadlines.tightness=4")
	if c.Read(s); c.Deadlines != "tightness=4,min=0.5,max=1.5" {
		t.Errorf("%q after one number changed", c.Deadlines)
	}
	for text, want := range map[string]string{"deadlines.tight=4": `unknown key "deadlines.tight"`,
		"deadlines.fraction=4": "0..1"} {
		c, s := Default(), param.Parse("env", text)
		if c.Read(s); s.Err() == nil || !strings.Contains(s.Err().Error(), want) {
			t.Errorf("%s: error %v, expected one with %q", text, s.Err(), want)
		}
	}
	c.Deadlines = "soon"
	if _, err := c.Build(known()); err == nil || !strings.Contains(err.Error(), "trace, none or") {
		t.Errorf("error %v", err)
	}
}

// Windows have deadlines by the law, the same each time, whatever they are cut from; the same jobs
// have them without it.
func TestWindowsHaveDeadlines(t *testing.T) {
	for name, change := range map[string]func(c *Scenario){
		"drawn": func(*Scenario) {},
		"cut":   func(c *Scenario) { c.Trace = "csv:" + traceFile(t, 4000); c.Cuts.Warm, c.Cuts.Horizon = 2, 20 },
		"dealt": func(c *Scenario) { c.Trace = "csv:" + traceFile(t, 900); c.Cuts.BatchJobs = 50 },
	} {
		window := func(law string) *sim.Workload {
			c := Default()
			c.Speed, c.Cuts.Part, c.Deadlines = "counting", Train, law
			change(&c)
			s, err := c.Build(known())
			if err != nil {
				t.Fatalf("%s: %v", name, err)
			}
			w, err := s.Windows.Window(Train, 1)
			if err != nil {
				t.Fatal(err)
			}
			return w
		}
		plain, due, again := window(""), window("tightness=2,fraction=0.5"), window("tightness=2,fraction=0.5")
		n := 0
		for i := range due.Jobs {
			j := due.Jobs[i]
			if j != again.Jobs[i] {
				t.Fatalf("%s: job %d is %+v and %+v", name, i, j, again.Jobs[i])
			}
			if j.Deadline > 0 {
				n++
			}
			if j.Deadline, j.Drawn = 0, plain.Jobs[i].Drawn; j != plain.Jobs[i] {
				t.Fatalf("%s: job %d is %+v, without deadlines %+v", name, i, j, plain.Jobs[i])
			}
		}
		if n < len(due.Jobs)/4 || n > len(due.Jobs)*3/4 {
			t.Errorf("%s: %d of %d jobs have deadlines", name, n, len(due.Jobs))
		}
	}
}
