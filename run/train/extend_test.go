package train

import (
	"tarry/catalogue/shipped"

	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// A run that is made longer leaves the bytes of one that was as long from the start.
func TestLonger(t *testing.T) {
	for _, e := range []string{cart, delay} {
		whole, dir := t.TempDir(), t.TempDir()
		full := short(t, e, "anneal=false", "total_steps=160")
		if _, err := Run(context.Background(), full, Options{Out: whole}); err != nil {
			t.Fatal(err)
		}
		if _, err := Run(context.Background(), short(t, e, "anneal=false", "total_steps=64"),
			Options{Out: dir}); err != nil {
			t.Fatal(err)
		}
		was, err := Recorded(shipped.All(), dir)
		if err != nil {
			t.Fatal(err)
		}
		for _, steps := range []string{"96", "160"} {
			now, err := was.With("", "", nil, settings([]string{"total_steps=" + steps}))
			if err != nil {
				t.Fatal(err)
			}
			if _, err := Run(context.Background(), now, Options{Out: dir, Resume: true}); err != nil {
				t.Fatal(err)
			}
			for _, which := range []string{"best", "last"} {
				if _, err := Open(shipped.All(), dir, which); err != nil {
					t.Errorf("%s, %s steps: %v", e, steps, err)
				}
			}
		}
		same(t, e, contents(t, whole), contents(t, dir))
	}
}

// More patience continues a run that stopped; less is refused, as is all that would change its
// past.
func TestLongerPatience(t *testing.T) {
	still := []string{"total_steps=320", "learning_rate=1e-300", "validate_every=1", "norm_obs=false", "anneal=false"}
	whole, dir := t.TempDir(), t.TempDir()
	long, brief := short(t, cart, append(still, "patience=6")...), short(t, cart, append(still, "patience=3")...)
	if _, err := Run(context.Background(), long, Options{Out: whole}); err != nil {
		t.Fatal(err)
	}
	if _, err := Run(context.Background(), brief, Options{Out: dir}); err != nil {
		t.Fatal(err)
	}
	// As if killed between the checkpoints and the configuration.
	config, err := os.ReadFile(filepath.Join(dir, configName))
	if err != nil {
		t.Fatal(err)
	}
	text, _ := long.JSON()
	r := &run{cfg: &long, opt: Options{Out: dir}}
	w, err := windowsOf(&long, 1)
	if err != nil {
		t.Fatal(err)
	}
	windows, _ := w.json()
	r.head = header{Config: sum(text), Windows: sum(windows)}
	if err := r.extend(config, text); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, configName), config, 0o666); err != nil {
		t.Fatal(err)
	}
	cut := contents(t, dir)
	if _, err := Open(shipped.All(), dir, "last"); err == nil ||
		!strings.Contains(err.Error(), "the run was being made longer, and --resume ends that first") {
		t.Errorf("opening a run that was being made longer gives %v", err)
	}
	for _, other := range []Config{brief, short(t, cart, append(still, "patience=9")...)} {
		if _, err := Run(context.Background(), other, Options{Out: dir, Resume: true}); err == nil ||
			!strings.Contains(err.Error(), "was being made longer: expected --resume without other settings") {
			t.Errorf("another length gives %v", err)
		}
	}
	same(t, "cut short", cut, contents(t, dir))
	if now, err := Recorded(shipped.All(), dir); err != nil {
		t.Error(err)
	} else if got, _ := now.JSON(); string(got) != string(text) {
		t.Errorf("the run in the folder is %s, expected %s", got, text)
	}
	if out, err := Run(context.Background(), long, Options{Out: dir, Resume: true}); err != nil || out.Updates != 7 {
		t.Fatalf("outcome %+v, %v, expected a stop after update 7", out, err)
	}
	same(t, "patience", contents(t, whole), contents(t, dir))
	before := contents(t, dir)
	for set, want := range map[string]string{
		"patience=5":                    "patience was 6, now 5: a run can be made longer, not shorter",
		"total_steps=160":               "total_steps was 320, now 160: a run can be made longer, not shorter",
		"total_steps=640 gamma=0.5":     "gamma was 0.99, now 0.5; total_steps was 320, now 640",
		"patience=7 checkpoint_every=3": "checkpoint_every was 2, now 3; patience was 6, now 7",
	} {
		now, err := long.With("", "", nil, settings(strings.Fields(set)))
		if err != nil {
			t.Fatal(err)
		}
		if _, err := Run(context.Background(), now, Options{Out: dir, Resume: true}); err == nil ||
			!strings.Contains(err.Error(), want) {
			t.Errorf("%s gives %v, expected %s", set, err, want)
		}
		same(t, set, before, contents(t, dir))
	}
}

func TestLongerWithASchedule(t *testing.T) {
	for set, want := range map[string]string{
		"anneal=true":                   "anneal is true: the learning rate falls to 0 at total_steps",
		"anneal=false anneal_clip=true": "anneal_clip is true: clip falls to 0 at total_steps",
	} {
		dir := t.TempDir()
		cfg := short(t, cart, strings.Fields(set)...)
		if _, err := Run(context.Background(), cfg, Options{Out: dir}); err != nil {
			t.Fatal(err)
		}
		before := contents(t, dir)
		now, err := cfg.With("", "", nil, settings([]string{"total_steps=160"}))
		if err != nil {
			t.Fatal(err)
		}
		if _, err := Run(context.Background(), now, Options{Out: dir, Resume: true}); err == nil ||
			!strings.Contains(err.Error(), want) {
			t.Errorf("%s gives %v", set, err)
		}
		same(t, set, before, contents(t, dir))
	}
}
