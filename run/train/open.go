package train

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	agents "tarry/agents/registry"
	"tarry/env"
	"tarry/env/registry"
	"tarry/internal/rundir"
	"tarry/run/parts"
	"tarry/sim"
	"tarry/sim/param"
)

// The files of a run, relative to its folder.
const (
	configName  = "config.json"
	longerName  = "longer.json" // the configuration to be, while a run is being made longer
	windowsName = "windows.json"
	lastName    = "checkpoints/last.ckpt"
	bestName    = "checkpoints/best.ckpt"
	dumpName    = "checkpoints/diverged.ckpt"
	curvesName  = "curves/part-0.parquet"
)

// Recorded gives the configuration of the run in a folder, with which it can be continued; an error
// that wraps os.ErrNotExist states that there is none.
func Recorded(from *parts.Catalogues, dir string) (Config, error) {
	text, err := pending(dir)
	if err == nil && text == nil {
		text, err = rundir.ReadFile(filepath.Join(dir, configName))
	}
	if err != nil {
		return Config{}, err
	}
	return read(from, from.Maker(), dir, text)
}

// With gives the configuration with other settings over its own. envText and agent "" and seed nil
// keep what is there.
func (c Config) With(envText, agent string, seed *uint64, given []agents.Setting) (Config, error) {
	text, err := c.JSON()
	if err != nil {
		return c, err
	}
	var r recorded
	if err := json.Unmarshal(text, &r); err != nil {
		return c, err
	}
	now := Config{Env: c.Env, Agent: c.Agent, Seed: c.Seed, from: c.from, found: c.found, maker: c.maker}
	if envText != "" && envText != c.Env {
		now.Env, now.found, now.maker = envText, envText, c.from.Maker()
	}
	if agent != "" {
		now.Agent = agent
	}
	if seed != nil {
		now.Seed = *seed
	}
	return now, errors.Join(now.checkEnv(), now.settle(append(r.settings(), given...)))
}

// differences lists the settings in which two config.json differ; nil when they are the same.
func differences(was, now []byte) error {
	if bytes.Equal(was, now) {
		return nil
	}
	a, err := flat(was)
	if err != nil {
		return fmt.Errorf("%s: %w", configName, err)
	}
	b, err := flat(now)
	if err != nil {
		return err
	}
	var diffs []string
	all := maps.Clone(a)
	maps.Copy(all, b)
	for k := range all {
		if a[k] != b[k] {
			diffs = append(diffs, fmt.Sprintf("%s was %s, now %s", k, orNone(a[k]), orNone(b[k])))
		}
	}
	slices.Sort(diffs)
	return fmt.Errorf("the run is of another configuration than its config.json: %s", strings.Join(diffs, "; "))
}

func orNone(s string) string {
	if s == "" {
		return "unset"
	}
	return s
}

// flat gives the settings of a config.json by name.
func flat(text []byte) (map[string]string, error) {
	var r struct {
		Schedule, Hyperparameters map[string]json.RawMessage
	}
	var top map[string]json.RawMessage
	if err := errors.Join(json.Unmarshal(text, &r), json.Unmarshal(text, &top)); err != nil {
		return nil, err
	}
	delete(top, "schedule")
	delete(top, "hyperparameters")
	out := map[string]string{}
	for _, m := range []map[string]json.RawMessage{r.Schedule, r.Hyperparameters, top} {
		for k, v := range m {
			var line bytes.Buffer
			if err := json.Compact(&line, v); err != nil {
				return nil, err
			}
			out[k] = line.String()
		}
	}
	return out, nil
}

// Trained is a frozen agent with what it was trained on.
type Trained struct {
	Config Config
	// Update is how many updates made it; SHA256 is the hash of its checkpoint.
	Update int
	SHA256 string
	// Validation is its mean return on validation; NaN = it was not validated.
	Validation float64
	// Seen states of a window's hash as which window training saw it.
	Seen map[string]string

	jobs    marks
	learner []byte
}

// Open reads the agent that a run left: which is best or last.
func Open(from *parts.Catalogues, dir, which string) (*Trained, error) {
	return OpenWith(from, from.Maker(), dir, which)
}

// OpenWith is Open with a Maker for what is looked at in the trace of the run: several agents of
// one trace open it once.
func OpenWith(from *parts.Catalogues, m *registry.Maker, dir, which string) (*Trained, error) {
	name := map[string]string{"best": bestName, "last": lastName}[which]
	if name == "" {
		return nil, fmt.Errorf("which is %q, expected best or last%s", which, param.Hint(which, []string{"best", "last"}))
	}
	var parts [3][]byte
	for i, n := range [...]string{configName, windowsName, name} {
		var err error
		if parts[i], err = rundir.ReadFile(filepath.Join(dir, filepath.FromSlash(n))); err != nil {
			switch {
			case !errors.Is(err, os.ErrNotExist):
			case i == 0:
				err = notARun(dir, err)
			case n == bestName:
				err = fmt.Errorf("%s: the run was not validated yet: --resume continues it, which=last is its last "+
					"checkpoint: %w", dir, err)
			}
			return nil, err
		}
	}
	c, err := read(from, m, dir, parts[0])
	if err != nil {
		return nil, err
	}
	st, learner, err := decode(parts[2], header{Config: sum(parts[0]), Windows: sum(parts[1])})
	if err != nil {
		if text, _ := pending(dir); text != nil {
			err = fmt.Errorf("%w: the run was being made longer, and --resume ends that first", err)
		}
		return nil, fmt.Errorf("checkpoint %s: %w", filepath.Join(dir, filepath.FromSlash(name)), err)
	}
	t := &Trained{Config: c, Update: st.Updates, SHA256: sum(parts[2]), Validation: st.validated(which),
		learner: learner}
	if err := t.recall(parts[1]); err != nil {
		return nil, err
	}
	return t, nil
}

// notARun is the error of a folder without a run; it names the runs in the folder, or one beside it
// that is called alike.
func notARun(dir string, err error) error {
	trained := func(below string) (names []string) {
		list, _ := rundir.Members(below) // none where there is no folder
		for _, m := range list {
			if m.Kind == rundir.Train {
				names = append(names, m.Name)
			}
		}
		return names
	}
	const most = 5
	err = fmt.Errorf("%s is not the folder of a training run: %w", dir, err)
	names := trained(dir)
	switch {
	case len(names) > most:
		return fmt.Errorf("%w; it holds %s and %d more", err, strings.Join(names[:most], ", "), len(names)-most)
	case len(names) > 0:
		return fmt.Errorf("%w; it holds %s", err, strings.Join(names, ", "))
	}
	return fmt.Errorf("%w%s", err, param.Hint(filepath.Base(dir), trained(filepath.Dir(dir))))
}

// Known counts the jobs of a window that training saw in a trace, whatever they were cut or
// converted to. trace is the SHA-256 of all jobs of the trace that the window is of; "" = it is of
// none. Jobs that are generated anew for each window are not looked for.
func (t *Trained) Known(w *sim.Workload, trace string) int { return t.jobs.known(w, trace) }

// Env is the environment's text with the path at which its trace is now; the error states that the
// jobs of the run are not there.
func (t *Trained) Env() (string, error) { return t.Config.found, t.Config.lost }

// Policy is the frozen policy, for environments of a spec.
func (t *Trained) Policy(spec *env.Spec) (agents.Policy, error) {
	return t.Config.entry.Load(t.learner, spec)
}

// Untrained is the frozen policy before the first update, and before an imitation: the same network
// with the weights that the seed draws, or the parameters with which a search begins, for
// environments of a spec that fresh makes.
func (t *Trained) Untrained(fresh func() (env.Env, error), spec *env.Spec) (agents.Policy, error) {
	l, err := t.Config.agent.New(1, func(int) (env.Env, error) { return fresh() })
	if err != nil {
		return nil, fmt.Errorf("before training: %w", err)
	}
	saved, err := l.Save()
	if err := errors.Join(err, l.Close()); err != nil {
		return nil, fmt.Errorf("before training: %w", err)
	}
	return t.Config.entry.Load(saved, spec)
}
