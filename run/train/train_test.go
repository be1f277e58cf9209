package train

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"tarry/agents/nn"
	"tarry/agents/registry"
	"tarry/catalogue/shipped"
	"tarry/output/results"
)

const (
	cart  = "classic/CartPole-v1"
	delay = "tarry/DelayTimer-v0:cluster=2x2x4,windows=6,warm=1,horizon=4,lease_s=1800"
)

// short is a run of a few updates.
func short(t testing.TB, envText string, more ...string) Config {
	t.Helper()
	set := []string{"total_steps=96", "envs=2", "steps=8", "epochs=2", "minibatches=2", "hidden=8",
		"checkpoint_every=2", "validate_every=2", "validate_episodes=2", "norm_reward=true"}
	if envText == cart {
		set = append(set, "norm_obs=true")
	}
	c, err := Resolve(shipped.All(), envText, "ppo", 3, settings(append(set, more...)))
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func settings(text []string) []registry.Setting {
	var out []registry.Setting
	for _, s := range text {
		k, v, _ := strings.Cut(s, "=")
		out = append(out, registry.Setting{Key: k, Value: v, Where: "--set"})
	}
	return out
}

// contents reads every file below a folder.
func contents(t testing.TB, dir string) map[string]string {
	t.Helper()
	out := map[string]string{}
	err := filepath.WalkDir(dir, func(p string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		data, err := os.ReadFile(p)
		rel, _ := filepath.Rel(dir, p)
		out[rel] = string(data)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return out
}

func same(t *testing.T, why string, a, b map[string]string) {
	t.Helper()
	if len(a) != len(b) {
		t.Errorf("%s: %d files against %d", why, len(a), len(b))
	}
	for f := range a {
		if a[f] != b[f] {
			t.Errorf("%s: %s differs", why, f)
		}
	}
}

// A run that is interrupted after any update and resumed leaves the bytes of one that was not.
func TestInterruptedIsTheSame(t *testing.T) {
	for _, e := range []string{cart, delay} {
		whole := t.TempDir()
		cfg := short(t, e)
		out, err := Run(context.Background(), cfg, Options{Out: whole})
		if err != nil {
			t.Fatal(err)
		}
		if out.Updates != 6 || out.Steps != 96 || out.BestUpdate == 0 || math.IsNaN(out.Best) {
			t.Errorf("%s: outcome %+v, expected 6 updates and a best one", e, out)
		}
		for at := 1; at <= 5; at++ {
			dir := t.TempDir()
			ctx, cancel := context.WithCancel(context.Background())
			if at == 1 {
				cancel()
			}
			_, err := Run(ctx, cfg, Options{Out: dir, Workers: 2, Watch: func(p Progress) {
				if p.Row.Update == at-1 {
					cancel()
				}
			}})
			cancel()
			if !errors.Is(err, ErrInterrupted) {
				t.Fatalf("%s: interrupted run gives %v", e, err)
			}
			again, err := Recorded(shipped.All(), dir)
			if err != nil {
				t.Fatal(err)
			}
			if _, err := Run(context.Background(), again, Options{Out: dir, Resume: true}); err != nil {
				t.Fatal(err)
			}
			same(t, e, contents(t, whole), contents(t, dir))
		}
	}
}

// A run resumes from an older checkpoint, as it finds it when it was killed, to the same bytes.
func TestKilledIsTheSame(t *testing.T) {
	cfg, whole, dir := short(t, delay, "checkpoint_every=1"), t.TempDir(), t.TempDir()
	if _, err := Run(context.Background(), cfg, Options{Out: whole}); err != nil {
		t.Fatal(err)
	}
	var old []byte
	if _, err := Run(context.Background(), cfg, Options{Out: dir, Watch: func(p Progress) {
		if p.Row.Update == 3 {
			old, _ = os.ReadFile(filepath.Join(dir, lastName))
		}
	}}); err != nil {
		t.Fatal(err)
	}
	// As if killed between the writing of a later best checkpoint and curves, and the state.
	for name, data := range map[string]string{lastName: string(old), "checkpoints/.last.ckpt.tmp-7": "half"} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(data), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := Run(context.Background(), cfg, Options{Out: dir, Resume: true}); err != nil {
		t.Fatal(err)
	}
	same(t, "killed", contents(t, whole), contents(t, dir))
}

// The table has a row per update, with the validations where they were made.
func TestCurves(t *testing.T) {
	dir := t.TempDir()
	var told []Progress
	out, err := Run(context.Background(), short(t, cart), Options{Out: dir,
		Watch: func(p Progress) { told = append(told, p) }})
	if err != nil {
		t.Fatal(err)
	}
	rows, _, err := results.Read[results.Curve](context.Background(), filepath.Join(dir, curvesName))
	if err != nil {
		t.Fatal(err)
	}
	best := math.Inf(-1)
	for i, r := range rows {
		if r.Update != int64(i+1) || r.EnvSteps != int64(16*(i+1)) || r.Seed != 3 || r.Agent != "ppo" ||
			r.Trace != cart || !(r.Entropy > 0) {
			t.Errorf("row %d is %+v", i, r)
		}
		if due := (i+1)%2 == 0; due == math.IsNaN(r.Validation) {
			t.Errorf("update %d has validation %v", r.Update, r.Validation)
		}
		if r.Validation > best {
			best = r.Validation
		}
	}
	if len(rows) != 6 || len(told) != 6 || out.Best != best || told[5].Best != best || told[0].Updates != 6 ||
		told[0].Steps != 96 {
		t.Errorf("%d rows, %d told, best %v, expected 6, 6, %v", len(rows), len(told), out.Best, best)
	}
	m, err := results.ReadManifest(dir)
	if err != nil || m.Verify(dir) != nil || len(m.Files) != 5 {
		t.Errorf("manifest %+v, %v, %v", m.Files, err, m.Verify(dir))
	}
}

// Patience ends a run; what was best is another checkpoint than the last.
func TestPatience(t *testing.T) {
	dir := t.TempDir()
	// A learning rate this small changes no action: every validation after the first is equal.
	cfg := short(t, cart, "total_steps=320", "learning_rate=1e-300", "validate_every=1", "patience=3", "norm_obs=false")
	out, err := Run(context.Background(), cfg, Options{Out: dir})
	if err != nil || !out.Stopped || out.Updates != 4 || out.BestUpdate != 1 {
		t.Fatalf("outcome %+v, %v, expected a stop after update 4", out, err)
	}
	best, err := Open(shipped.All(), dir, "best")
	if err != nil {
		t.Fatal(err)
	}
	last, err := Open(shipped.All(), dir, "last")
	if err != nil {
		t.Fatal(err)
	}
	if best.Update != 1 || last.Update != 4 || best.SHA256 == last.SHA256 {
		t.Errorf("best is of update %d, last of %d", best.Update, last.Update)
	}
	before := contents(t, dir)
	if again, err := Run(context.Background(), cfg, Options{Out: dir, Resume: true}); err != nil || again != out {
		t.Errorf("an ended run that is resumed gives %+v, %v", again, err)
	}
	same(t, "ended", before, contents(t, dir))
}

func TestResolveFaults(t *testing.T) {
	for _, c := range []struct {
		env, agent, set, want string
	}{
		{"", "ppo", "", "no environment"},
		{"classic/CartPol-v1", "ppo", "", `did you mean "classic/CartPole-v1"?`},
		{"tarry/DelayTimer-v0:part=test", "ppo", "", "part is test, expected train"},
		{"tarry/DelayTimer-v0:part=validation", "ppo", "", "part is validation, expected train"},
		{"tarry/Inspect-v0:horizon=4", "ppo", "", "horizon is 4 leases with reward gain, expected 0 (window_jobs=N"},
		{cart, "pp", "", `did you mean "ppo"?`},
		{cart, "ppo", "gama=1", `--set: unknown setting "gama"`},
		{cart, "ppo", "validate_evry=1", `did you mean "validate_every"?`},
		{cart, "ppo", "checkpoint_every=0", "checkpoint_every is 0, expected at least 1"},
		{cart, "ppo", "validate_episodes=x", `validate_episodes is "x", expected a whole number`},
		{cart, "ppo", "clip=-1", "clip is -1"},
	} {
		var set []registry.Setting
		if c.set != "" {
			set = settings([]string{c.set})
		}
		if _, err := Resolve(shipped.All(), c.env, c.agent, 1, set); err == nil ||
			!strings.Contains(err.Error(), c.want) {
			t.Errorf("%s, %s, %s: error %v, expected %s", c.env, c.agent, c.set, err, c.want)
		}
	}
}

// A run that cannot be resumed is reported, and nothing of it is overwritten.
func TestResumeFaults(t *testing.T) {
	dir := t.TempDir()
	cfg := short(t, cart)
	if _, err := Run(context.Background(), cfg, Options{Out: dir}); err != nil {
		t.Fatal(err)
	}
	good := contents(t, dir)[lastName]
	flip := []byte(good)
	flip[len(flip)/2] ^= 1
	other := t.TempDir()
	if _, err := Run(context.Background(), again(t, cfg, 4), Options{Out: other}); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		why, last, want string
		cfg             Config
		fresh           bool
	}{
		{"a run is there", good, "holds a run already", cfg, true},
		{"other settings", good, "gamma was 0.99, now 0.5; seed was 3, now 4", again(t, cfg, 4, "gamma=0.5"), false},
		{"another environment", good, `env was "classic/CartPole-v1", now "classic/Acrobot-v1"`,
			short(t, "classic/Acrobot-v1", "norm_obs=true"), false},
		{"the checkpoint of another run", contents(t, other)[lastName], "another configuration than config.json", cfg,
			false},
		{"a truncated checkpoint", good[:len(good)-9], "truncated or damaged", cfg, false},
		{"a flipped bit", string(flip), "truncated or damaged", cfg, false},
		{"other arithmetic", elsewhere(t, good), `computed with arithmetic "other", this program has`, cfg, false},
		{"something else", "hello", "another kind or version", cfg, false},
		{"nothing", "", "the file is empty", cfg, false},
	} {
		if err := os.WriteFile(filepath.Join(dir, lastName), []byte(c.last), 0o666); err != nil {
			t.Fatal(err)
		}
		before := contents(t, dir)
		if _, err := Run(context.Background(), c.cfg, Options{Out: dir, Resume: !c.fresh}); err == nil ||
			!strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: error %v, expected %s", c.why, err, c.want)
		}
		same(t, c.why, before, contents(t, dir))
	}
	if err := os.WriteFile(filepath.Join(dir, windowsName), []byte(`{"train":["x"]}`), 0o666); err != nil {
		t.Fatal(err)
	}
	if _, err := Open(shipped.All(), dir, "best"); err == nil || !strings.Contains(err.Error(), "of other windows") {
		t.Errorf("a changed list of windows gives %v", err)
	}
	for _, which := range []string{"worst", "last"} {
		if _, err := Open(shipped.All(), t.TempDir(), which); err == nil {
			t.Errorf("opening %s of an empty folder was accepted", which)
		}
	}
}

// elsewhere is a checkpoint as a build with another arithmetic writes it.
func elsewhere(t *testing.T, checkpoint string) string {
	t.Helper()
	s, err := nn.DecodeState([]byte(checkpoint))
	if err != nil {
		t.Fatal(err)
	}
	text, err := s.Get("header")
	if err != nil {
		t.Fatal(err)
	}
	s.Put("header", []byte(strings.TrimSuffix(string(text), "}")+`,"arithmetic":"other"}`))
	return string(s.Encode())
}

func again(t *testing.T, c Config, seed uint64, set ...string) Config {
	t.Helper()
	c, err := c.With("", "", &seed, settings(set))
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// Windows of training and validation are listed, and none is both.
func TestWindows(t *testing.T) {
	cfg := short(t, delay)
	s, err := windowsOf(&cfg, 1)
	if err != nil {
		t.Fatal(err)
	}
	all := map[string]bool{}
	for _, h := range append(s.Train, s.Validation...) {
		all[h] = true
	}
	if len(s.Train) != 6 || len(s.Validation) != 2 || len(all) != 8 {
		t.Errorf("%d, %d windows, %d hashes", len(s.Train), len(s.Validation), len(all))
	}
	cfg.Env += ",data_seed=1"
	cfg.Env = strings.Replace(cfg.Env, "windows=6", "windows=20000", 1)
	cfg.found = cfg.Env
	if _, err := windowsOf(&cfg, 1); err == nil || !strings.Contains(err.Error(), "at most 10000") {
		t.Errorf("20000 windows give %v", err)
	}
}

// diverging is a learner whose next update fails.
type diverging struct{ registry.Learner }

func (diverging) Update() (registry.Row, error) {
	return registry.Row{}, fmt.Errorf("ppo: update 3: %w", registry.ErrDiverged)
}

// A loss that is no number stops the run, is reported, and leaves a dump beside the checkpoints,
// which stay.
func TestDiverged(t *testing.T) {
	cfg := short(t, cart)
	r := &run{cfg: &cfg, opt: Options{Out: t.TempDir()}, state: state{best: math.NaN()}}
	saved, err := r.open(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if err := r.prepare(saved); err != nil {
		t.Fatal(err)
	}
	defer r.learner.Close()
	for range 2 {
		if err := r.update(context.Background()); err != nil {
			t.Fatal(err)
		}
	}
	before := contents(t, r.opt.Out)
	r.learner = diverging{r.learner}
	err = r.update(context.Background())
	if !errors.Is(err, registry.ErrDiverged) || !strings.Contains(err.Error(), "update 3") ||
		!strings.Contains(err.Error(), dumpName) {
		t.Errorf("error %v, expected the update and the dump", err)
	}
	after := contents(t, r.opt.Out)
	if after[dumpName] == "" {
		t.Error("there is no dump")
	}
	delete(after, dumpName)
	same(t, "diverged", before, after)
}
