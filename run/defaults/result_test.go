package defaults

import (
	"flag"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "rewrite the tables of docs/reference/defaults.md")

func results(t *testing.T) []Result {
	t.Helper()
	out, err := ReadResults(resultsCSV)
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// docs/defaults.csv has each flip on each workload, and nothing else.
func TestResultsAreThoseOfTheList(t *testing.T) {
	loads, err := ReadLoads(loadsCSV)
	if err != nil {
		t.Fatal(err)
	}
	want := map[string]bool{}
	for _, c := range choices(t) {
		for _, name := range c.Schedulers {
			for _, flip := range c.Flips {
				for _, l := range loadsOf(loads, name) {
					want[strings.Join([]string{name, flip, c.Source, l.Name}, " ")] = true
				}
			}
		}
	}
	for _, r := range results(t) {
		key := strings.Join([]string{r.Scheduler, r.Flip, r.Source, r.Workload}, " ")
		if !want[key] {
			t.Errorf("%s: %s is not in the lists, or stands twice: make defaults", resultsCSV, key)
		}
		delete(want, key)
	}
	for key := range want {
		t.Errorf("%s has no row of %s: make defaults", resultsCSV, key)
	}
}

// A default of ours that is more than 3 % worse than a flip, with an interval that excludes 0, is
// no default, unless the list states why; and the list notes it of no other.
func TestNoDefaultOfOursIsWeak(t *testing.T) {
	weak := map[string]*Result{}
	for _, r := range results(t) {
		if r.Source == Ours && r.Weaker() {
			weak[r.Scheduler+":"+r.Flip] = &r
		}
	}
	for _, c := range choices(t) {
		if c.Source != Ours || len(c.Flips) == 0 {
			continue
		}
		some := false
		for _, name := range c.Schedulers {
			for _, flip := range c.Flips {
				r := weak[name+":"+flip]
				if r != nil && c.Why == "" {
					t.Errorf("%s: %s on %s has a mean %.1f %% [%.1f, %.1f] longer by default than with %s, and %s, "+
						"line %d, does not say why that is kept",
						resultsCSV, name, r.Workload, -r.Change, r.Lo, r.Hi, flip, choicesCSV, c.Line)
				}
				some = some || r != nil
			}
		}
		if c.Why != "" && !some {
			t.Errorf("%s, line %d: says why a weaker default is kept, and none is", choicesCSV, c.Line)
		}
	}
}

func TestWeaker(t *testing.T) {
	for _, c := range []struct {
		change, lo, hi float64
		weaker, clear  bool
	}{{-5, -7, -3, true, true}, {-5, -11, 1, false, false}, {-2, -3, -1, false, false}, {5, 3, 7, false, true},
		{-50, math.NaN(), math.NaN(), false, false}} {
		r := Result{Change: c.change, Lo: c.lo, Hi: c.hi}
		if r.Weaker() != c.weaker || r.Clear() != c.clear {
			t.Errorf("%+v: weaker %v, clear %v", c, r.Weaker(), r.Clear())
		}
	}
}

// A file that is written is read again as it was.
func TestResultsAreReadAsWritten(t *testing.T) {
	path := filepath.Join(t.TempDir(), "results.csv")
	want := []Result{{"fifo", "place=lowest", Ours, "drawn", 8, 100, 99.5, -0.5, -1, 0},
		{"las", "starve_s=inf", Ours, "own", 1, 10, 10, 0, math.NaN(), math.NaN()}}
	if err := WriteResults(path, want); err != nil {
		t.Fatal(err)
	}
	got, err := ReadResults(path)
	if err != nil || fmt.Sprint(got) != fmt.Sprint(want) {
		t.Errorf("got %v, %v", got, err)
	}
}

// cell is a change with its interval.
func (r *Result) cell() string {
	if math.IsNaN(r.Lo) {
		return fmt.Sprintf("%+.0f", r.Change)
	}
	text := fmt.Sprintf("%+.0f [%.0f, %.0f]", r.Change, r.Lo, r.Hi)
	return strings.NewReplacer("+0 ", "0 ", "-0 ", "0 ", "[-0,", "[0,", " -0]", " 0]").Replace(text)
}

// table is a table of the flips that keep states, a column for each workload.
func table(all []Result, keep func(of []Result) bool) string {
	workloads := []string{"drawn", "low", "high", "slow", "philly", "own"}
	var b strings.Builder
	b.WriteString("| scheduler | in place of the default | drawn | low | high | slow | Philly | own " +
		"|\n|---|---|---|---|---|---|---|---|\n")
	for len(all) > 0 {
		first := all[0]
		same := func(r Result) bool { return r.Scheduler == first.Scheduler && r.Flip == first.Flip }
		var rows []Result
		for _, r := range all {
			if same(r) {
				rows = append(rows, r)
			}
		}
		all = slices.DeleteFunc(slices.Clone(all), same)
		if !keep(rows) {
			continue
		}
		fmt.Fprintf(&b, "| `%s` | `%s` |", first.Scheduler, strings.ReplaceAll(first.Flip, ">", "` to `"))
		for _, w := range workloads {
			text := ""
			if i := slices.IndexFunc(rows, func(r Result) bool { return r.Workload == w }); i >= 0 {
				text = rows[i].cell()
			}
			fmt.Fprintf(&b, " %s |", text)
		}
		b.WriteString("\n")
	}
	return b.String()
}

// TestPage holds the tables of docs/reference/defaults.md to docs/defaults.csv; -update writes them.
func TestPage(t *testing.T) {
	const path = "../../docs/reference/defaults.md"
	all := results(t)
	any := func(f func(r *Result) bool) func(of []Result) bool {
		return func(of []Result) bool { return slices.ContainsFunc(of, func(r Result) bool { return f(&r) }) }
	}
	ours := func(r *Result) bool { return r.Source == Ours }
	page, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	want := string(page)
	for name, keep := range map[string]func(r *Result) bool{
		"weaker":    func(r *Result) bool { return ours(r) && r.Weaker() },
		"ours":      func(r *Result) bool { return ours(r) && r.Clear() && !r.Weaker() },
		"published": func(r *Result) bool { return !ours(r) && r.Clear() },
	} {
		place := regexp.MustCompile(`(?s)(<!-- table defaults/` + name + ` -->\n)(.*?)(<!-- end -->)`)
		if !place.MatchString(want) {
			t.Errorf("%s has no place for the table %s", path, name)
		}
		want = place.ReplaceAllStringFunc(want, func(string) string {
			return "<!-- table defaults/" + name + " -->\n" + table(all, any(keep)) + "<!-- end -->"
		})
	}
	switch {
	case want == string(page):
	case *update:
		if err := os.WriteFile(path, []byte(want), 0o666); err != nil {
			t.Fatal(err)
		}
	default:
		t.Errorf("%s is not what %s says: make defaults", path, resultsCSV)
	}
}

// Weaker reports whether the default is more than 3 % worse than the flip, with an interval that
// excludes 0.
func (r *Result) Weaker() bool { return r.Change < 100/1.03-100 && r.Hi < 0 }

// Clear reports whether the flip changes the mean by 3 % or more, with an interval that excludes 0.
func (r *Result) Clear() bool { return r.Weaker() || r.Change > 3 && r.Lo > 0 }
