package app

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"tarry/agents/registry"
	"tarry/catalogue/agents"
	"tarry/catalogue/envs"
	"tarry/catalogue/optimisers"
	"tarry/catalogue/policies"
	"tarry/catalogue/schedulers"
	"tarry/catalogue/speeds"
	"tarry/internal/effort"
	"tarry/run/train"
)

// TestListOne: all settings of every agent, environment, policy, speed model and optimiser are
// printed, none without its meaning and range, with the defaults of the code unless the help states
// more.
func TestListOne(t *testing.T) {
	dir := t.TempDir()
	keys := map[string]map[string]int{"agents": {}, "envs": {}, "policies": {}, "optimisers": {}, "speeds": {}}
	for _, e := range agents.All() {
		keys["agents"][e.Name] = len(e.Keys) + len(registry.Keys(train.Schedule{}))
	}
	for _, e := range envs.All() {
		keys["envs"][e.ID] = len(e.Settings(shipped().Catalogues.Catalogues))
	}
	for _, e := range append(schedulers.All(), policies.Variants()...) {
		keys["policies"][e.Name] = len(e.Settings())
	}
	for _, k := range speeds.All() {
		keys["speeds"][k.Name] = len(k.Settings())
	}
	for _, o := range optimisers.All() {
		keys["optimisers"][o.Name] = len(o.Settings())
		if o.Params != "" && len(o.Settings()) == 0 {
			t.Errorf("optimiser %s reads no setting", o.Name)
		}
	}
	looked := 0 // in the normal form of tests one in eight is looked at as a table, too
	for list, names := range keys {
		for name, want := range names {
			var d detail
			if err := json.Unmarshal([]byte(inside(t, "list", list, name, "--format", "json").out), &d); err != nil {
				t.Fatal(err)
			}
			if d.Name != name || d.Doc == "" || len(d.Settings) != want {
				t.Errorf("list %s %s has %d settings, expected %d", list, name, len(d.Settings), want)
			}
			looked++
			asTable, table := looked%effort.Of(t, 8, 1) == 0, ""
			if asTable {
				table = inside(t, "list", list, name).out
			}
			if asTable && !strings.HasPrefix(table, name+": "+d.Doc+"\n") {
				t.Errorf("list %s %s begins with %.100s", list, name, table)
			}
			for _, a := range d.Settings {
				if a.Meaning == "" || a.Range == "" || asTable && !strings.Contains(table, "\n"+a.Key+" ") {
					t.Errorf("list %s %s: %+v lacks its meaning or range, or the table lacks it", list, name, a)
				}
			}
		}
	}
	if s := tarry(t, dir, "list", "agents", "pp"); s.code != exitUsage ||
		s.errors != "tarry: tarry list agents: \"pp\" is unknown, expected one of ppo, a2c, reinforce, pac, dqn, "+
			"sac, mixture, cmaes-policy, openai-es-policy, random-search-policy; did you mean \"ppo\"?\n" {
		t.Errorf("a wrong name: %d %s", s.code, s.errors)
	}
	for _, want := range []string{"classic/MountainCar-v0: total_steps=1000000", "(0,1]",
		"discount of rewards per unit of time"} {
		if s := good(t, dir, "list", "agents", "ppo"); !strings.Contains(s.out, want) {
			t.Errorf("list agents ppo lacks %q", want)
		}
	}
	if s := good(t, dir, "list", "rewards"); strings.Count(s.out, "\n") != 10 || !strings.Contains(s.out, "slowdown") {
		t.Errorf("list rewards prints %s", s.out)
	}
}

// TestListCluster: a cluster of hardware in any size, with the sources of its figures.
func TestListCluster(t *testing.T) {
	for _, name := range []string{"dgx-h100", "dgx-h100-64", "p5:2x4"} {
		if s := inside(t, "list", "clusters", name).out; !strings.HasPrefix(s, name+": ") ||
			!strings.Contains(s, "NVLink 900 GB/s, 3200 Gb/s per machine\n") || !strings.Contains(s, "8 H100 of 80 GB") {
			t.Errorf("list clusters %s: %s", name, s)
		}
	}
	if s := tarry(t, t.TempDir(), "list", "clusters", "dgx-h10"); s.code != exitUsage ||
		!strings.Contains(s.errors, `did you mean "dgx-h100"?`) {
		t.Errorf("a wrong name: %d %s", s.code, s.errors)
	}
}

// TestListPolicies: a line of at most 100 columns for each policy, with its name, paper, what it
// reads and what it decides; the mark of clairvoyant ones is never cut off.
func TestListPolicies(t *testing.T) {
	text := inside(t, "list", "policies").out
	lines := strings.Split(text, "\n")
	if head := strings.Fields(lines[0]); !slices.Equal(head, []string{"NAME", "PAPER", "KNOWS", "DECIDES"}) {
		t.Errorf("the head is %q", head)
	}
	for i, e := range shipped().Policies {
		line := lines[1+i]
		if !strings.HasPrefix(line, e.Name+" ") || strings.Contains(line, "* ") != e.Knows().Clairvoyant() {
			t.Errorf("the line of %s is %q", e.Name, line)
		}
		at := strings.Index(lines[0], "DECIDES")
		cells := []rune(line)
		said := strings.TrimSuffix(string(cells[at:]), "\u2026")
		if said == "" || !strings.HasPrefix(strings.ReplaceAll(e.Decides, "`", ""), said) {
			t.Errorf("%s decides %q, expected the first words of %q", e.Name, said, e.Decides)
		}
		if one := inside(t, "list", "policies", e.Name).out; !strings.Contains(one, "\ndecides: ") {
			t.Errorf("list policies %s does not state what it decides", e.Name)
		}
	}
	for _, line := range lines {
		if n := utf8.RuneCountInString(line); n > helpWidth {
			t.Errorf("%d columns: %s", n, line)
		}
	}
}

// TestListEnv: an environment's numbers, actions, reward and episode, with the options that are given
// with its name; every line fits.
func TestListEnv(t *testing.T) {
	for name, want := range map[string][]string{
		"tarry/Order-v0:jobs=8,globals=false": {"\njobs i, i = 0..7: a job in the list", "\n13 + 12 i  present ",
			"\n0..7    -100..100  score  score of the job", "\nepisode: terminated when all jobs",
			"\nreward: jct (the option"},
		"classic/CartPole-v1": {"\n0       position  -4.8..4.8 ", "\nCHOICE  MEANING\n0       push the cart left",
			"truncated after 500 steps"},
		"probe/Masked-v0": {"\naction, masked: "},
	} {
		out := inside(t, "list", "envs", name).out
		for _, text := range want {
			if !strings.Contains(out, text) {
				t.Errorf("list envs %s lacks %q:\n%s", name, text, out)
			}
		}
		words, _, _ := strings.Cut(out, "\nSETTING ")
		_, words, _ = strings.Cut(words, "\nobservation")
		for line := range strings.Lines(words) {
			if n := utf8.RuneCountInString(line); n > helpWidth+1 {
				t.Errorf("list envs %s: %d columns: %s", name, n-1, line)
			}
		}
	}
	var d detail
	text := inside(t, "list", "envs", "tarry/Offer-v1", "--format", "json").out
	if err := json.Unmarshal([]byte(text), &d); err != nil ||
		d.About == nil || len(d.Observation) != 27 || d.Observation[26].Name != "behind" || len(d.Action) != 2 {
		t.Errorf("as JSON: %+v, error %v", d.About, err)
	}
	if s := tarry(t, t.TempDir(), "list", "envs", "tarry/Order-v0:jobs=1"); s.code != exitUsage ||
		!strings.Contains(s.errors, "jobs") {
		t.Errorf("an option out of its range: %d %s", s.code, s.errors)
	}
}

// TestListTables: the columns of a table, with their units and what a missing value stands for.
func TestListTables(t *testing.T) {
	out := inside(t, "list", "tables", "jobs").out
	for _, want := range []string{"jobs: one job of one trial\n", "\nCOLUMN ", "\njct_s ", "\nqueue_s ",
		" (missing is NaN: "} {
		if !strings.Contains(out, want) {
			t.Errorf("list tables jobs lacks %q:\n%s", want, out)
		}
	}
	for _, e := range tableEntries() {
		var d detail
		if err := json.Unmarshal([]byte(inside(t, "list", "tables", e.Name, "--format", "json").out), &d); err != nil ||
			len(d.Columns) < 10 || d.Columns[0].Name != "experiment" || d.Columns[0].Shared != "keys" {
			t.Errorf("the table %s as JSON: %+v, error %v", e.Name, d.Columns, err)
		}
	}
}

// TestListTakesWhatItOffers: each list finds the entry of every name that its error for an unknown
// one offers, and of every name as it is listed. No suggestion can then be the word that was given.
func TestListTakesWhatItOffers(t *testing.T) {
	for _, l := range shipped().lists() {
		all := l.Entries()
		if l.Name == "layers" && len(all) == 0 { // TestListLayers has some
			continue
		}
		_, err := find(l.Name, "zzzzzzzz", all)
		if err == nil || strings.Contains(err.Error(), "did you mean") {
			t.Errorf("list %s zzzzzzzz: %v", l.Name, err)
			continue
		}
		_, offered, _ := strings.Cut(err.Error(), "expected one of ")
		names := strings.Split(offered, ", ")
		for _, e := range all {
			if e.Name != "" && !slices.Contains(names, e.Name) {
				names = append(names, e.Name)
			}
		}
		for _, name := range names {
			if e, err := find(l.Name, name, all); err != nil ||
				strings.TrimSuffix(e.Name, ":") != strings.TrimSuffix(name, ":") {
				t.Errorf("list %s %s: %+v, %v", l.Name, name, e, err)
			}
		}
	}
	dir := t.TempDir()
	if s := good(t, dir, "list", "traces", "itp"); !strings.HasPrefix(s.out, "itp: Microsoft") ||
		!strings.Contains(s.out, "Gu et al.") || s.out != good(t, dir, "list", "traces", "itp:").out {
		t.Errorf("list traces itp prints %s", s.out)
	}
	for _, name := range []string{"csv", "parquet"} {
		if s := good(t, dir, "list", "traces", name); !strings.Contains(s.out, "\nduration_s ") ||
			!strings.Contains(s.out, "(needed)") || !strings.Contains(s.out, "\nmem_mib        MiB") {
			t.Errorf("list traces %s prints %s", name, s.out)
		}
	}
	if s := tarry(t, dir, "list", "traces", "itq"); s.code != exitUsage ||
		!strings.Contains(s.errors, `did you mean "itp"?`) {
		t.Errorf("list traces itq: %d %s", s.code, s.errors)
	}
}
