package defaults

import (
	"encoding/csv"
	"os"
	"slices"
	"strings"
	"testing"

	"tarry/baselines"
	"tarry/catalogue/schedulers"
	"tarry/sim/cluster"
)

const (
	choicesCSV    = "../../baselines/defaults.csv"
	loadsCSV      = "../../baselines/defaults-runs.csv"
	schedulersCSV = "../../docs/schedulers.csv"
	resultsCSV    = "../../docs/defaults.csv"
)

func choices(t *testing.T) []Choice {
	t.Helper()
	out, err := ReadChoices(choicesCSV)
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// keysOf gives the settings that the catalogue describes of a scheduler.
func keysOf(e baselines.Entry) (keys []string) {
	for line := range strings.Lines(e.Params) {
		if line[0] != ' ' { // not the continuation of a line
			keys = append(keys, strings.Fields(line)[0])
		}
	}
	return keys
}

// Each setting of each scheduler is in the list, with where its default comes from; the list names
// nothing else, and every flip is another policy.
func TestEverySettingHasASource(t *testing.T) {
	all, list := schedulers.All(), choices(t)
	listed := map[string]bool{}
	for _, c := range list {
		for _, name := range c.Schedulers {
			i := slices.IndexFunc(all, func(e baselines.Entry) bool { return e.Name == name })
			if i < 0 {
				t.Errorf("%s, line %d: %q is no scheduler", choicesCSV, c.Line, name)
				continue
			}
			keys := keysOf(all[i])
			for _, key := range c.Keys {
				listed[name+":"+key] = true
				if !slices.Contains(keys, key) {
					t.Errorf("%s, line %d: %s has no setting %q, expected some of %v", choicesCSV, c.Line, name, key,
						keys)
				}
			}
			for _, flip := range c.Flips {
				base, flipped := specs(name, flip)
				for _, spec := range []string{base, flipped} {
					if _, _, err := all.Parse(spec, cluster.BestFit); err != nil {
						t.Errorf("%s, line %d: %v", choicesCSV, c.Line, err)
					}
				}
				if !slices.ContainsFunc(c.Keys, func(key string) bool {
					return strings.Contains(
						","+flip[strings.Index(flip, ">")+1:], ","+key+"=")
				}) {
					t.Errorf("%s, line %d: the flip %s sets none of %v", choicesCSV, c.Line, flip, c.Keys)
				}
			}
		}
	}
	for _, e := range all {
		for _, key := range keysOf(e) {
			if !listed[e.Name+":"+key] {
				t.Errorf("%s does not say where the default of %s:%s comes from", choicesCSV, e.Name, key)
			}
		}
	}
}

// What docs/schedulers.csv calls ours is in the list as such: with a flip, or with why there is
// none.
func TestOursIsFlipped(t *testing.T) {
	f, err := os.Open(schedulersCSV)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	rows, err := csv.NewReader(f).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	column := slices.Index(rows[0], "ours")
	if column < 0 {
		t.Fatalf("%s has no column ours: %v", schedulersCSV, rows[0])
	}
	list := choices(t)
	for _, r := range rows[1:] {
		has := slices.ContainsFunc(list, func(c Choice) bool {
			return c.Source == Ours &&
				slices.Contains(c.Schedulers, r[0])
		})
		if ours := r[column] != "-"; ours && !has {
			t.Errorf("%s: %q is ours of %s, and %s flips nothing", schedulersCSV, r[column], r[0], choicesCSV)
		}
	}
}

// The readers refuse what is no list.
func TestListFaults(t *testing.T) {
	write := func(text string) string {
		path := t.TempDir() + "/list.csv"
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	for text, want := range map[string]string{
		"schedulers,settings,source,flips,why\nfifo,place,ours,,\n":          "line 2: a default of ours has no flips",
		"schedulers,settings,source,flips,why\nfifo,place,mine,place=any,\n": `line 2: source is "mine"`,
		"schedulers,settings,source,flips,why\n,place,paper,,\n":             "line 2: schedulers is empty",
		"scheduler,settings\n": "the head is not",
	} {
		if _, err := ReadChoices(write(text)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: error %v, expected %s", text, err, want)
		}
	}
	if _, err := ReadLoads(write("workload,schedulers,settings\ndrawn,*,trace\n")); err == nil ||
		!strings.Contains(err.Error(), `settings has "trace"`) {
		t.Errorf("a setting without a value: error %v", err)
	}
}
