package logs

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"tarry/catalogue/shipped"
	"tarry/experiments/questions"
	"tarry/experiments/sweep"
	"tarry/sim/param"
)

// grid gives the cells of the question's sweeps at full scale, by sweep.
func grid(t *testing.T) map[string][]sweep.Cell {
	t.Helper()
	out := map[string][]sweep.Cell{}
	for _, s := range questions.Shipped("logs").Opened().Specs(sweep.Full) {
		cells, err := s.Cells(shipped.All())
		if err != nil {
			t.Fatal(err)
		}
		out[s.Name] = cells
	}
	if len(out) != 6 {
		t.Fatalf("%d sweeps, want 6", len(out))
	}
	return out
}

// option is an option of the environment of a cell.
func option(c *sweep.Cell, key string) string {
	_, options, _ := strings.Cut(fmt.Sprint(c.Settings["env"]), ":")
	return param.Parse("", options).Text(key, "")
}

// Every file of examples/logs is a log of question evictions at its busy load, and the busy one
// differs from it in the rate of arrivals alone. Question logs has its own at both loads.
func TestLogsAreTheFiles(t *testing.T) {
	files, err := filepath.Glob("../../examples/logs/*.yaml")
	if err != nil || len(files) == 0 {
		t.Fatal(files, err)
	}
	var asked, want []string
	both := map[string]bool{}
	for _, c := range grid(t)["logs-rule"] {
		asked = append(asked, c.Axes["setting"]+" "+option(&c, "scenario"))
		both[strings.TrimSuffix(c.Axes["setting"], "-busy")] = true
	}
	for _, s := range questions.Shipped("evictions").Opened().Specs(sweep.Full) {
		cells, err := s.Cells(shipped.All())
		if err != nil {
			t.Fatal(err)
		}
		for _, c := range cells {
			if s.Name == "evictions-rule" {
				asked = append(asked, c.Axes["setting"]+" evicts at "+option(&c, "scenario"))
			}
		}
	}
	rate := regexp.MustCompile(`, rate: [1-9]\.[0-9]+}`)
	for _, file := range files {
		name := strings.TrimSuffix(filepath.Base(file), ".yaml")
		want = append(want, name+" evicts at examples/logs/busy/"+name+".yaml")
		if both[name] {
			want = append(want, name+" examples/logs/"+name+".yaml", name+"-busy examples/logs/busy/"+name+".yaml")
		}
		var texts []string
		for _, path := range []string{file, filepath.Join(filepath.Dir(file), "busy", filepath.Base(file))} {
			text, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			_, rest, _ := strings.Cut(string(text), "\n")
			texts = append(texts, rest)
		}
		if !rate.MatchString(texts[1]) || rate.ReplaceAllString(texts[1], "}") != texts[0] {
			t.Errorf("%s as it is:\n%s\nbusy:\n%s", name, texts[0], texts[1])
		}
	}
	slices.Sort(asked)
	slices.Sort(want)
	if !slices.Equal(asked, want) {
		t.Errorf("the question has the logs %q, want %q", asked, want)
	}
}

// What is trained elsewhere has not seen the log that it is measured on, and is measured at the
// load that it was trained at.
func TestElsewhereIsWithoutTheLog(t *testing.T) {
	cells := slices.Concat(grid(t)["logs-elsewhere"], grid(t)["logs-elsewhere-preemptive"])
	if len(cells) != 60 {
		t.Errorf("%d cells, want 60", len(cells))
	}
	for _, c := range cells {
		how, _ := c.Settings["evaluate"].(map[string]any)
		exchanged, _ := how["set"].([]any)
		others := strings.Split(option(&c, "mixture"), "+")
		log, busy := strings.CutSuffix(c.Axes["setting"], "-busy")
		folder := "examples/logs/"
		if busy {
			folder += "busy/"
		}
		at := "scenario=" + folder + log + ".yaml"
		if len(exchanged) != 2 || exchanged[0] != "mixture=" || exchanged[1] != at {
			t.Errorf("%s is measured with %q, want %s", c.ID, exchanged, at)
		}
		for _, file := range others {
			if filepath.Dir(file)+"/" != folder || file == folder+log+".yaml" {
				t.Errorf("%s is trained on %s", c.ID, file)
			}
		}
		if len(others) < 3 || slices.Contains(others, folder+"curie-thin-120d.yaml") {
			t.Errorf("%s is trained on %q", c.ID, others)
		}
	}
}

// A rule is tuned with as many points and windows as a search has vectors and windows.
func TestBudgetsAreTheSame(t *testing.T) {
	for name, cells := range grid(t) {
		keys := []string{"generations", "population", "windows"}
		if cells[0].Kind == "tune" {
			keys = []string{"budget", "windows"}
		}
		for _, c := range cells {
			n := 1
			for _, key := range keys {
				v, err := strconv.Atoi(fmt.Sprint(c.Settings[key]))
				if err != nil {
					t.Fatal(err)
				}
				n *= v
			}
			if n != 480 {
				t.Errorf("%s, %s plays %d windows, want 480", name, c.ID, n)
			}
		}
	}
}
