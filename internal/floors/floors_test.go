package floors

import (
	"go/ast"
	"strings"
	"testing"
)

// floor is one line of the table. A pattern that ends in "/*" stands for every package
// one folder below.
type floor struct {
	level    int
	patterns []string
}

// floors is the table behind docs/design.md. Imports go strictly from a higher number to a lower one.
func floors() []floor {
	return []floor{
		{-2, []string{"internal/fixmath", "internal/matrix", "internal/vector"}},
		{-1, []string{"sim/mig", "internal/yamldoc", "internal/release", "internal/memory", "sim/rng"}},
		{0, []string{"sim/simtest/fairness", "sim/loss", "sim/goodput", "sim/cluster", "sim/tenant", "sim/law", "sim/network", "agents/nn", "internal/pack", "sim/param", "sim/tabular", "run/lock", "internal/legible", "internal/weights", "internal/assign", "sim/account"}},
		{0, []string{"sim/stages"}},
		{0, []string{"internal/choice", "internal/lp"}},
		{2, []string{"sim/models"}},
		{5, []string{"internal/stats"}},
		{6, []string{"internal/rundir"}},
		{7, []string{"agents/search"}},
		{8, []string{"agents/search/searchtest"}},
		{10, []string{"sim"}},
		{15, []string{"sim/plan", "sim/preset", "sim/outage", "sim/simtest", "traces/intake", "traces/history"}},
		{16, []string{"traces/jobcell", "sim/plan/places"}},
		{17, []string{"traces/jobfile"}},
		{16, []string{"sim/speed/measured", "sim/speed/polluxsim", "sim/variability", "sim/efficiency"}},
		{16, []string{"sim/speed/shockwave", "sim/speed/muri", "sim/speed/deepshare"}},
		{17, []string{"sim/interference", "sim/hosts"}},
		{18, []string{"baselines/fit"}},
		{18, []string{"baselines/score", "baselines/picking", "baselines/gavel/objective", "baselines/elasticflow/replay", "baselines/themis/auction", "baselines/voda/allocate", "baselines/pollux/search", "baselines/ones/evolve", "baselines/miger/layout", "baselines/ones/progress"}},
		{18, []string{"baselines/shockwave/market"}},
		{18, []string{"baselines/bsbf/pair", "baselines/hived/cells"}},
		{18, []string{"baselines/sia/ilp"}},
		{18, []string{"baselines/backfill", "baselines/multifactor/fairshare", "baselines/drf/dominant", "baselines/colocate", "baselines/iadeep/lcb", "baselines/iadeep/history"}},
		{19, []string{"env/layout", "sim/entry", "baselines/ranked"}},
		{20, []string{"sim/speed", "env", "baselines/*", "traces/*", "output/results"}},
		{25, []string{"sim/typespeed", "agents/registry", "env/classic", "env/probe", "env/vec", "env/wrap"}},
		{26, []string{"agents/learn"}},
		{27, []string{"agents/replay"}},
		{30, []string{"baselines", "traces", "env/*", "output/figure", "output/tensorboard"}},
		{31, []string{"output/knows"}},
		{32, []string{"env/scenario"}},
		{33, []string{"env/schedenv", "env/scenario/shipped"}},
		{34, []string{"env/schedtest", "env/registry", "agents/policy"}},
		{35, []string{"env/delaytimer", "env/offer", "env/order", "env/pick", "env/preempt"}},
		{37, []string{"agents/*", "agents/search/*"}},
		{36, []string{"run/measure"}},
		{38, []string{"agents/policysearch", "run/trial", "run/outdir"}},
		{40, []string{"env/envs", "agents", "run/config", "run/pyactor"}},
		{45, []string{"run/parts"}},
		{46, []string{"catalogue/shipped"}},
		{47, []string{"run/listing"}},
		{50, []string{"run/train"}},
		{52, []string{"run/tune", "run/reference", "run/bounds", "run/defaults"}},
		{53, []string{"run/compare"}},
		{55, []string{"run/evaluate"}},
		{56, []string{"run/abi"}},
		{57, []string{"experiments/sweep"}},
		{58, []string{"experiments/rivals", "experiments/digest", "experiments/engine"}},
		{59, []string{"experiments/engine/*"}},
		{59, []string{"output/report"}},
		{60, []string{"experiments/*"}},
		{70, []string{"experiments"}},
		{75, []string{"app"}},
		{77, []string{"catalogue"}},
		{80, []string{"cmd/tarry", "cmd/libtarry", "cmd/reference"}},
		{90, []string{"internal/floors"}},
	}
}

// levelOf gives the floor of a package; an exact name goes before a pattern.
func levelOf(pkg string) (int, bool) {
	level, found := 0, false
	for _, f := range floors() {
		for _, p := range f.patterns {
			if p == pkg {
				return f.level, true
			}
			if dir, ok := strings.CutSuffix(p, "/*"); ok && strings.HasPrefix(pkg, dir+"/") && !strings.Contains(pkg[len(dir)+1:], "/") && !found {
				level, found = f.level, true
			}
		}
	}
	return level, found
}

// TestFloors keeps the table. Tests may also look sideways (a policy's test uses a
// speed model and the conformance suite), never up.
func TestFloors(t *testing.T) {
	for _, s := range parseModule(t) {
		from, ok := levelOf(s.pkg)
		if !ok {
			t.Errorf("%s: package %s has no floor, give it one in floors_test.go", s.path, s.pkg)
			continue
		}
		s.imports(func(spec *ast.ImportSpec, p string) {
			to, inside := strings.CutPrefix(p, module+"/")
			if !inside {
				return
			}
			down, ok := levelOf(to)
			switch {
			case !ok:
				t.Errorf("%s imports %s, which has no floor", s.at(spec.Pos()), p)
			case down < from || s.test && down == from:
			default:
				t.Errorf("%s: floor %d imports %s of floor %d, expected a lower one", s.at(spec.Pos()), from, p, down)
			}
		})
	}
}

// walls lists which packages alone may import a module from outside.
func walls() map[string][]string {
	return map[string][]string{
		"github.com/apache/arrow":       {"output/results", "traces/jobfile"},
		"gonum.org/v1/plot":             {"output/figure"},
		"github.com/urfave/cli":         {"app"},
		"github.com/schollz":            {"app"},
		"go.yaml.in/yaml":               {"internal/yamldoc"},
		"gorgonia.org":                  {"agents/nn"},
		"github.com/chewxy/hm":          {"agents/nn"},
		"go4.org":                       {"agents/nn"},
		"gonum.org/v1/gonum":            {"internal/matrix", "internal/lp", "agents/nn", "internal/stats", "output/figure", "agents", "baselines"},
		"github.com/klauspost/compress": {"sim/tabular", "traces/jobfile", "output/results", "agents/replay"},
		"golang.org/x/image":            {"env/render"},
		"golang.org/x/sys/cpu":          {"internal/matrix", "internal/vector", "internal/fixmath", "sim/rng"},
		"golang.org/x/term":             {"app"},
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
