package floors

import (
	"fmt"
	"go/ast"
	"os"
	"slices"
	"strings"
	"testing"
)

// layer is one row of the table: a top folder, and the order inside it.
type layer struct {
	name string
	// holds states what lives there, for the picture in docs/explain/design.md.
	holds string
	// shared lists the packages that others of the same layer may import; the layer's own package,
	// which lists them all, and a package's parent folder may import any. nil = all: Go refuses the
	// cycles.
	shared []string
}

// layers is the table behind docs/explain/design.md, from the top. Imports go down it, never up.
func layers() []layer {
	return []layer{
		{"cmd", "mains: tarry, libtarry (the C library for python/), reference", nil},
		{"catalogue", "everything that ships by name, as one value", nil},
		{"app", "the command line: one file for each sub-command", nil},
		{"experiments", "questions: ablation, load, timers, ...; sweep, engine, digest",
			[]string{"sweep", "engine", "digest", "forms", "questions"}},
		{"fidelity", "other simulators: a variant of a scheduler with that program's habits, and a comparer, per peer",
			[]string{"reference", "reference/reftest"}},
		{"run", "one run of one command: config, trial, compare, train, tune, evaluate, abi", nil},
		{"agents", "learners: ppo, a2c, reinforce, pac, dqn, sac, policysearch; nn, policy, learn, replay, search/...",
			// ppo for a2c, which is its special case and takes GAE from it
			[]string{"nn", "policy", "registry", "learn", "replay", "ppo", "search", "search/cmaes",
				"search/openaies"}},
		{"env", "environments: delaytimer, preempt, offer, order, pairs, pick, power, classic, probe; " +
			"schedenv, model, scenario, wrap, vec",
			[]string{"", "layout", "hide", "trait", "wrap", "vec", "model", "registry", "scenario", "schedenv",
				"schedenv/charge",
				"schedenv/replay", "schedenv/shares", "schedenv/networked", "schedenv/protocol", "schedenv/sets"}},
		{"baselines", "one published scheduler per package: dally, tiresias, gandiva, ...",
			// from below: score, contest (the ground of the delay schedulers), rollout, ranked; pollux for deepboot,
			// which is another search over its agents; queueing for inspected, which refuses what its picker offers
			[]string{"backfill", "colocate", "fit", "over", "picking", "queueing", "score", "contest", "rollout",
				"ranked", "pollux/search", "pollux"}},
		{"traces", "one format of jobs per package: philly, swf, ...; the generator synth",
			[]string{"columns", "intake", "jobcell", "jobfile", "jobtable", "nodes", "quality"}},
		{"output", "what a run leaves: results (Parquet), marks (knows), figure, report, tensorboard", nil},
		{"sim", "the kernel, and below it cluster, network, models, rng, param; above it plan, speed, preset, entry",
			nil},
		{"internal", "ground without GPUs: stats, lp, assign, matrix, fixmath, pack, ...", nil},
	}
}

// layerOf finds a package's layer: its place from the top, and the rest of the path.
func layerOf(pkg string) (at int, rest string, ok bool) {
	name, rest, _ := strings.Cut(pkg, "/")
	at = slices.IndexFunc(layers(), func(s layer) bool { return s.name == name })
	return at, rest, at >= 0
}

// arrow reports what is wrong with an import of package to by package from; "" = nothing. Tests may
// also import packages beside their own, and what ships: they run the program's parts as a program
// does.
func arrow(from, to string, test bool) string {
	i, below, ok := layerOf(from)
	if !ok {
		return "package " + from + " has no layer, give it a row in floors_test.go"
	}
	j, rest, ok := layerOf(to)
	switch {
	case !ok:
		return to + " has no layer"
	case from == "internal/floors" || test && strings.HasPrefix(to, "catalogue/"):
	case j < i:
		return "an arrow up, from " + layers()[i].name + " to " + layers()[j].name
	case j > i || test || below == "" || strings.HasPrefix(rest, below+"/"):
	case from == "baselines/variants" && rest == "dally": // it is Dally with rules of ours
	case layers()[i].shared != nil && !slices.Contains(layers()[i].shared, rest):
		return rest + " is not shared in " + layers()[i].name
	}
	return ""
}

// TestLayers keeps the table.
func TestLayers(t *testing.T) {
	for _, s := range parseModule(t) {
		s.imports(func(spec *ast.ImportSpec, p string) {
			if to, inside := strings.CutPrefix(p, module+"/"); inside {
				if fault := arrow(s.pkg, to, s.test); fault != "" {
					t.Errorf("%s imports %s: %s", s.at(spec.Pos()), p, fault)
				}
			}
		})
	}
}

// TestArrow holds the check above against imports that it refuses and others that it lets pass.
func TestArrow(t *testing.T) {
	for _, c := range []struct {
		from, to string
		test     bool
		want     string
	}{
		{"sim", "traces/swf", false, "an arrow up, from sim to traces"},
		{"sim", "traces/swf", true, "an arrow up, from sim to traces"},
		{"run/train", "catalogue/shipped", false, "an arrow up, from run to catalogue"},
		{"run/train", "catalogue/shipped", true, ""},
		{"env/order", "catalogue/simulation", true, ""},
		{"run/train", "catalogue", true, "an arrow up, from run to catalogue"},
		{"baselines/dally", "sim/plan", false, ""},
		{"baselines/dally", "baselines/tiresias", false, "tiresias is not shared in baselines"},
		{"baselines/dally", "baselines/tiresias", true, ""},
		{"baselines/hived", "baselines/hived/cells", false, ""},
		{"baselines/dally", "baselines/score", false, ""},
		{"baselines/dally", "baselines/contest", false, ""},
		{"baselines/dally", "baselines/variants", false, "variants is not shared in baselines"},
		{"baselines/variants", "baselines/dally", false, ""},
		{"baselines/variants/elastic", "baselines/dally", false, "dally is not shared in baselines"},
		{"baselines", "baselines/tiresias", false, ""},
		{"sim/plan/places", "sim/plan", false, ""},
		{"util", "sim", false, "package util has no layer, give it a row in floors_test.go"},
		{"sim", "util", false, "util has no layer"},
	} {
		if got := arrow(c.from, c.to, c.test); got != c.want {
			t.Errorf("%s imports %s (test: %v): %q, expected %q", c.from, c.to, c.test, got, c.want)
		}
	}
}

// picture draws the table for docs/explain/design.md.
func picture() string {
	var b strings.Builder
	b.WriteString("```\n")
	for _, s := range layers() {
		fmt.Fprintf(&b, " %-12s %s\n", s.name, s.holds)
	}
	return b.String() + "```\n"
}

// TestPicture: the picture of docs/explain/design.md is the table's; -update draws it.
func TestPicture(t *testing.T) {
	const path, begin, end = moduleRoot + "/docs/explain/design.md", "<!-- table layers -->\n", "<!-- end -->"
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	head, rest, ok := strings.Cut(string(text), begin)
	_, tail, ended := strings.Cut(rest, end)
	if !ok || !ended {
		t.Fatalf("%s has no block %q", path, begin)
	}
	want := head + begin + picture() + end + tail
	if *update {
		if err := os.WriteFile(path, []byte(want), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	if want != string(text) {
		t.Errorf("the picture of %s is not the table's: go test ./internal/floors -run Picture -update", path)
	}
}

// walls lists which packages alone may import a module from outside.
func walls() map[string][]string {
	return map[string][]string{
		"github.com/apache/arrow": {"output/results", "traces/arrowfmt", "traces/jobfile"},
		"gonum.org/v1/plot":       {"output/figure"},
		"github.com/urfave/cli":   {"app"},
		"github.com/schollz":      {"app"},
		"go.yaml.in/yaml":         {"internal/yamldoc"},
		"gorgonia.org":            {"agents/nn"},
		"github.com/chewxy/hm":    {"agents/nn"},
		"go4.org":                 {"agents/nn"},
		"gonum.org/v1/gonum": {"internal/matrix", "internal/lp", "agents/nn", "internal/stats",
			"output/figure", "agents", "baselines"},
		"github.com/klauspost/compress": {"sim/tabular", "traces/arrowfmt", "traces/jobfile", "output/results",
			"agents/replay"},
		"github.com/pierrec/lz4": {"traces/arrowfmt", "traces/jobfile"},
		"golang.org/x/image":     {"env/render"},
		"golang.org/x/sys/cpu":   {"internal/matrix", "internal/vector", "internal/fixmath", "sim/rng"},
		"golang.org/x/sys/unix":  {"output/durable"},
		"golang.org/x/term":      {"app"},
	}
}

// within reports whether pkg is one of the packages or below one.
func within(pkg string, packages []string) bool {
	for _, r := range packages {
		if pkg == r || strings.HasPrefix(pkg, r+"/") {
			return true
		}
	}
	return false
}

// TestWalls keeps each module from outside behind one door.
func TestWalls(t *testing.T) {
	for _, s := range parseModule(t) {
		s.imports(func(spec *ast.ImportSpec, p string) {
			first, _, _ := strings.Cut(p, "/")
			if !strings.Contains(first, ".") {
				return
			}
			for mod, packages := range walls() {
				if p == mod || strings.HasPrefix(p, mod+"/") {
					if !within(s.pkg, packages) {
						t.Errorf("%s imports %s, only %s may", s.at(spec.Pos()), p, strings.Join(packages, ", "))
					}
					return
				}
			}
			if !s.test {
				t.Errorf("%s imports %s, which no package is allowed to: name its room in walls", s.at(spec.Pos()), p)
			}
		})
	}
}
