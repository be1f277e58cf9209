package app

import (
	"bytes"
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/urfave/cli/v2"

	"tarry/env"
	"tarry/env/classic"
	"tarry/env/registry"
	"tarry/run/config"
	"tarry/run/listing"
	contract "tarry/sim/entry"
	"tarry/sim/param"
	"tarry/sim/setting"
)

// night is a setting that tarry does not have: how much slower machines are at night.
func night(to *float64) setting.Row {
	return setting.Row{Key: "night_frac", Flag: "night", To: to, High: 1, Meta: "PART", Words: []string{"0.25", "0.5"},
		Doc: "part of the speed that machines lose at night"}
}

// TestNewSetting adds a setting to the table, in memory, and finds it in each of the eight places
// that are made from it.
func TestNewSetting(t *testing.T) {
	value := 0.125
	from := shipped()
	from.more = []setting.Row{night(&value)}
	c := from.newConfig()
	rows := c.Settings()

	t.Run("flag", func(t *testing.T) {
		cli := &cli.App{Name: "tarry", Flags: from.runFlags(), Writer: &bytes.Buffer{},
			Action: func(c *cli.Context) error {
				cfg, errs := from.readConfig(c, []string{"fifo"})
				if len(errs) > 0 {
					t.Error(errs)
				}
				if at := cfg.At("night_frac"); at != "--night: " {
					t.Errorf("the value is of %q, expected --night", at)
				}
				return nil
			}}
		if err := cli.Run([]string{"tarry", "--night", "0.5"}); err != nil || value != 0.5 {
			t.Errorf("--night 0.5 gives %v, %v", value, err)
		}
		s := ran(from, "simulate", "--trace", "synth:demo", "--policy", "fifo", "--night", "2")
		if want := "--night: night_frac is 2, expected a number in 0..1"; s.code != exitUsage ||
			!strings.Contains(s.errors, want) {
			t.Errorf("--night 2: %d, %s, expected %s", s.code, s.errors, want)
		}
	})
	t.Run("YAML", func(t *testing.T) {
		path := filepath.Join(t.TempDir(), "run.yaml")
		if err := os.WriteFile(path, []byte("trace: synth:demo\npolicy: fifo\nnight_frac: 0.75\n"),
			0o600); err != nil {
			t.Fatal(err)
		}
		f, err := config.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		if err := f.Apply(&c); err != nil || value != 0.75 || c.At("night_frac") != path+":3:1: " {
			t.Errorf("night_frac: 0.75 gives %v at %q, %v", value, c.At("night_frac"), err)
		}
	})
	t.Run("JSON", func(t *testing.T) {
		var tree map[string]any
		if err := json.Unmarshal([]byte(`{"night_frac": "7"}`), &tree); err != nil {
			t.Fatal(err)
		}
		s := param.FromTree("tarry.simulate", tree, func(string) string { return "" })
		c.Read(s)
		if err := s.Err(); err == nil || err.Error() != `tarry.simulate: night_frac is "7", expected a number in 0..1` {
			t.Errorf("night_frac: 7 gives %v", err)
		}
	})
	t.Run("completion", func(t *testing.T) {
		for line, want := range map[string]string{"simulate --nig": "--night", "simulate --night ": "0.25 0.5"} {
			var got []string
			s := ran(from, append([]string{completeWord}, strings.Split(line, " ")...)...)
			for _, one := range strings.Split(strings.TrimSpace(s.out), "\n")[1:] {
				word, _, _ := strings.Cut(one, "\t")
				got = append(got, word)
			}
			if strings.Join(got, " ") != want {
				t.Errorf("%q offers %q, expected %s", line, got, want)
			}
		}
	})
	t.Run("list", func(t *testing.T) {
		for _, words := range [][]string{{"list", "settings"}, {"list", "settings", "night_frac"},
			{"list", "settings", "--format", "json"}} {
			s := ran(from, words...)
			for _, want := range []string{"night_frac", "--night", "a number in 0..1", "machines lose at night"} {
				if !strings.Contains(s.out, want) {
					t.Errorf("%q has no %q", words, want)
				}
			}
		}
	})
	t.Run("Python", func(t *testing.T) {
		if text := listing.Python(&from.Catalogues, rows); !strings.Contains(text,
			"\n    night_frac: float | None\n    \"\"\"part of the speed that machines lose at night; a number in "+
				"0..1;") {
			t.Error("the keyword arguments have no night_frac")
		}
	})
	t.Run("reference", func(t *testing.T) {
		value = 0.125
		if text := listing.Page(rows); !strings.Contains(text,
			"| `night_frac` | `--night` |  | `0.125` | a number in 0..1 | part of the speed that machines lose at "+
				"night |") {
			t.Error("the page has no night_frac")
		}
	})
	t.Run("resolved configuration", func(t *testing.T) {
		c := from.newConfig()
		c.Trace, c.Policies = "synth:demo", []string{"fifo"}
		for _, set := range []float64{0.5, 0} {
			value = set
			s, err := config.Build(c, from.Catalogues.Catalogues)
			if err != nil {
				t.Fatal(err)
			}
			if got := strings.Contains(s.BaseJSON(), `"night_frac":0.5`); got != (set != 0) {
				t.Errorf("night_frac %v is in the resolved configuration: %v", set, got)
			}
		}
	})
}

// TestNewOption adds an environment with one option, in memory, and finds the option in the reader
// of options and in all that is made from the rows.
func TestNewOption(t *testing.T) {
	from := shipped()
	value := 0.125
	from.Envs = append(slices.Clone(from.Envs), registry.Entry{ID: "test/Night-v0", Doc: "sleeps",
		Rows: func() []setting.Row { return []setting.Row{night(&value)} },
		New:  func(contract.Catalogues, string) (env.Env, error) { return classic.Pendulum(), nil },
		Read: func(_ contract.Catalogues, s *param.Set) { setting.Read(s, []setting.Row{night(&value)}) }})
	e, err := from.Envs.Find("test/Night-v0")
	if err != nil {
		t.Fatal(err)
	}
	s := param.Parse(e.ID, "night_frac=7")
	if e.Read(from.Catalogues.Catalogues, s); s.Err() == nil ||
		s.Err().Error() != `test/Night-v0: night_frac is "7", expected a number in 0..1` {
		t.Errorf("night_frac=7 gives %v", s.Err())
	}
	c := from.newConfig()
	completed := ran(from, completeWord, "train", "--env", "test/Night-v0:nig").out
	if out := ran(from, "list", "envs").out; !strings.Contains(out, e.ID) {
		t.Errorf("the list of environments has no %s", e.ID)
	}
	for what, text := range map[string]string{"list of one": ran(from, "list", "envs", e.ID).out, "completion": completed,
		"Python": listing.Python(&from.Catalogues, c.Settings())} {
		for _, want := range []string{"night_frac", "part of the speed that machines lose at night", "0.125"} {
			if !strings.Contains(text, want) {
				t.Errorf("%s has no %q", what, want)
			}
		}
	}
}

// A program's own layer is listed with its options, and completed.
func TestListLayers(t *testing.T) {
	from := shipped()
	from.Layers = contract.Layers{{Name: "night", Form: "night[:keep=F]", Doc: "machines are slower at night",
		Params: "keep  part of the speed that is left",
		New: func(s *param.Set, _ contract.SpeedEnv) (contract.SpeedLayer, error) {
			s.Float("keep", 0.25, 0.01, 1)
			return nil, s.Err()
		}}}
	for line, want := range map[string]string{"list layers": "night  machines are slower at night",
		"list layers night": "keep     0.25", completeWord + " simulate --layer ni": "night",
		completeWord + " simulate --layer night:k": "night:keep="} {
		if s := ran(from, strings.Split(line, " ")...); !strings.Contains(s.out, want) {
			t.Errorf("%s prints %s%s, expected %q", line, s.out, s.errors, want)
		}
	}
	if s := ran(from, "list", "layers", "nigth"); !strings.Contains(s.errors, `did you mean "night"?`) {
		t.Errorf("list layers nigth: %s", s.errors)
	}
}

// ran runs a command line of a program.
func ran(from program, words ...string) (s said) {
	var out, err bytes.Buffer
	s.code = from.run(context.Background(), append([]string{"tarry"}, words...), &out, &err)
	s.out, s.errors = out.String(), err.String()
	return s
}

// Every setting has what the eight are made from; a flag belongs to one setting.
func TestSettingsAreWhole(t *testing.T) {
	from, seen := shipped(), map[string]string{}
	c := from.newConfig()
	setting.Walk(c.Settings(), func(key string, r *setting.Row) {
		if r.Doc == "" || r.To == nil && r.Read == nil && r.Inside == nil {
			t.Errorf("%s has no meaning or no place for its value", key)
		}
		if _, is := r.To.(*float64); is && r.High <= r.Low {
			t.Errorf("%s has the range %v..%v", key, r.Low, r.High)
		}
		if r.Page != "" {
			if _, err := os.Stat(filepath.Join("..", "docs", r.Page)); err != nil {
				t.Errorf("%s: %v", key, err)
			}
		}
		for _, f := range append(slices.Clone(r.Aliases), r.Flag) {
			if was := seen[f]; f != "" && was != "" {
				t.Errorf("--%s is of %s and of %s", f, was, key)
			}
			seen[f] = key
		}
	})
}

// Every flag whose value is a text is completed: by words, by keys or by files.
func TestSettingsAreCompleted(t *testing.T) {
	from, n := shipped(), 0
	c := from.newConfig()
	setting.Walk(c.Settings(), func(key string, r *setting.Row) {
		_, text := flagOfRow(r).(*cli.StringFlag)
		_, many := flagOfRow(r).(*cli.StringSliceFlag)
		if r.Flag == "" || !text && !many {
			return
		}
		n++
		if kind, words := from.valueWords(&line{}, r.Flag, "", ""); kind == onlyWords && len(words) == 0 {
			t.Errorf("--%s, of %s, offers nothing", r.Flag, key)
		}
	})
	if n < 20 {
		t.Errorf("%d flags with a text", n)
	}
}
