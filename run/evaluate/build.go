package evaluate

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	agents "tarry/agents/registry"
	"tarry/env/registry"
	"tarry/env/scenario"
	"tarry/env/schedenv"
	"tarry/output/results"
	"tarry/run/bounds"
	"tarry/run/parts"
	"tarry/run/train"
	"tarry/run/trial"
	"tarry/sim"
	"tarry/sim/cluster"
	"tarry/sim/param"
)

// Request states what to measure.
type Request struct {
	// Checkpoints are folders of training runs; Which is best or last.
	Checkpoints []string
	Which       string
	// Actors are agents from elsewhere.
	Actors []Actor
	// Tuned are folders of tarry tune; at least one checkpoint, actor or folder of it.
	Tuned []string
	// OpenTuned reads one of them, with a Maker for its jobs; it is package tune's, and
	// needed where Tuned has folders.
	OpenTuned func(from *parts.Catalogues, m *registry.Maker, dir string) (*train.Chosen, error)
	// Untrained adds each checkpoint as it was before training.
	Untrained bool
	// Baselines are NAME or NAME:key=value,...
	Baselines []string
	// Draw has agents draw their actions, as in training, in place of the likeliest one; outside the
	// simulator alone.
	Draw bool
	// Bounds adds the rows of package bounds; BoundsNamed, unless empty, chooses among them
	// (bounds.Named).
	Bounds      bool
	BoundsNamed []string
	// Part is where the windows come from, Windows how many of them, from number 0.
	Part    schedenv.Part
	Windows int
	// Options replace options of the environment ("cluster=8x4x8", "load=1.1"); one without a value
	// ("trace=") takes its option away, as if it had never been given.
	Options []string
	// Trace, unless "", takes the windows from a trace, split 70/15/15 by time.
	Trace string
	// Clock gives the time since some start, for latencies; nil = not measured.
	Clock func() time.Duration
	// Stop is called at the first error inside an agent, so that the trials end; nil = they run to
	// their end.
	Stop func()
}

// Setup is a Request made real.
type Setup struct {
	// Policies are the agents, then the tuned schedulers and the baselines; Windows counts the
	// windows. Trials are in that order: each policy on each window; with Request.Bounds trials of
	// the bounds' candidates follow.
	Policies []string
	Windows  int
	Trials   []trial.Trial
	Agents   []*Frozen
	// Labels are the labels of the baselines and tuned schedulers, by their names among the policies;
	// nil = there are none.
	Labels map[string]string
	// Regimes names the scenarios of a mixture, in whose order the windows take turns; nil = there
	// is one scenario.
	Regimes []string
	// JSON states what was asked for, checkpoints by their hashes.
	JSON string
	// Chosen has which predictors were chosen, by policy; nil = the environment chooses none.
	Chosen map[string][]*scenario.Choice
	from   *parts.Catalogues
	// bounded is how many of the last policies are bounds; their trials are the candidates'.
	bounded int
	// more are bounds of the environment's own; nil = none. bounds are all that are asked for.
	more, bounds []bounds.Bound
	// tuned states what the tuned schedulers are, by their place among the policies.
	tuned map[int]origin
	// scores is of a request outside the simulator; nil = over it.
	scores *scores
}

// origin is what an agent or a tuned scheduler comes from.
type origin struct {
	text   string // in full
	seed   uint64 // of its training, or of the search
	sha256 string // of the checkpoint, or of what tuning chose
	short  string // in a picture; "" = the policy's name
}

// Build makes the trials; what a request and the runs in its folders name is of from. The error
// joins every fault of the request; a window that training has seen is one.
func Build(from *parts.Catalogues, r Request) (*Setup, error) {
	return BuildUntil(context.Background(), from, r)
}

// BuildUntil is Build. When ctx ends a predictor that is being chosen is given up, with its error.
func BuildUntil(ctx context.Context, from *parts.Catalogues, r Request) (*Setup, error) {
	s := &Setup{from: from, tuned: map[int]origin{}}
	r.Baselines, s.Labels = param.Unlabelled(r.Baselines)
	var on measured
	maker := from.Maker() // traces are opened once for all
	errs := s.addCheckpoints(maker, &r, &on)
	errs = append(errs, s.addActors(maker, &r, &on)...)
	if len(errs) == 0 {
		errs = s.addUntrained(maker, &r, &on)
	}
	if len(r.Checkpoints)+len(r.Actors)+len(r.Tuned) == 0 {
		errs = append(errs, errors.New("no checkpoint, expected the folder of a training run or of tarry tune, or "+
			"an actor"))
	}
	if len(r.Tuned) > 0 && r.OpenTuned == nil {
		return nil, errors.New("folders of tarry tune without OpenTuned, expected tune.OpenWith")
	}
	if slices.ContainsFunc(on.envs, func(e *policyEnv) bool { return e.scored != nil }) {
		return s, errors.Join(append(errs, s.buildScores(maker, &r, &on))...)
	}
	if r.Draw {
		errs = append(errs, errors.New("draw is given over the simulator, expected an environment outside it"))
	}
	build := make([]func(window int) (sim.Policy, error), 0, len(s.Agents)+len(r.Tuned)+len(r.Baselines))
	for _, a := range s.Agents {
		build = append(build, a.fresh)
	}
	for _, dir := range r.Tuned {
		fresh, err := s.addTuned(maker, dir, &r, &on)
		if err != nil {
			errs = append(errs, err)
			continue
		}
		build = append(build, everywhere(fresh))
	}
	for _, b := range r.Baselines {
		_, fresh, err := from.Policies.Parse(b, cluster.BestFit)
		errs = append(errs, err)
		if slices.Contains(s.Policies, b) {
			errs = append(errs, fmt.Errorf("policy %q is given twice", b))
		}
		build, s.Policies = append(build, everywhere(fresh)), append(s.Policies, b)
	}
	if err := errors.Join(append(errs, on.alike(&r))...); err != nil {
		return nil, err
	}
	if r.Bounds {
		s.more = bounds.Own(on.envs[0].in, s.from.Policies.Build)
	}
	var err error
	if s.bounds = append(bounds.All(), s.more...); len(r.BoundsNamed) > 0 {
		if s.bounds, err = bounds.Named(s.bounds, r.BoundsNamed); err != nil {
			return nil, err
		}
	}
	if err := s.trials(ctx, &r, &on, build); err != nil || !r.Bounds {
		return s, err
	}
	return s, s.addBounds()
}

// addCheckpoints opens the checkpoints of the request. The errors are all faults.
func (s *Setup) addCheckpoints(m *registry.Maker, r *Request, on *measured) (errs []error) {
	hashes := map[string]bool{}
	for _, dir := range r.Checkpoints {
		t, f, options, err := s.load(m, dir, r)
		if err != nil {
			errs = append(errs, err)
			continue
		}
		if hashes[t.SHA256] {
			errs = append(errs, fmt.Errorf("%s holds an agent that is given already: %s", dir, f.Name))
		}
		hashes[t.SHA256] = true
		if slices.Contains(s.Policies, f.Name) {
			f.Name += "@" + t.SHA256[:8]
		}
		if err := on.same(s, dir, "was trained on", t.Config.Env, options, f.env); err != nil {
			errs = append(errs, err)
		}
		s.Policies, s.Agents = append(s.Policies, f.Name), append(s.Agents, f)
		on.known, on.envs = append(on.known, known{t, dir, ""}), append(on.envs, f.env)
	}
	return errs
}

// addBounds puts the bounds behind the policies.
func (s *Setup) addBounds() error {
	more, err := bounds.TrialsOf(s.bounds, s.Trials[:s.Windows], func(spec string) (sim.Policy, error) {
		return s.from.Policies.Build(spec, cluster.BestFit)
	})
	if err != nil {
		return err
	}
	names := bounds.NamesOf(more, s.more...)
	s.bounded, s.Policies, s.Trials = len(names), append(s.Policies, names...), append(s.Trials, more...)
	return nil
}

// load opens a training run and makes its agent's environment. on is what it is measured on.
func (s *Setup) load(m *registry.Maker, dir string, r *Request) (t *train.Trained, f *Frozen, on string, err error) {
	if t, err = train.OpenWith(s.from, m, dir, r.Which); err != nil {
		return nil, nil, "", err
	}
	id, options, _ := strings.Cut(t.Config.Env, ":")
	options = r.over(options)
	at, err := r.placed(t)
	if err != nil {
		return nil, nil, "", fmt.Errorf("%s: %w", dir, err)
	}
	e, err := policyEnvOf(m, id, at)
	if err != nil {
		return nil, nil, "", fmt.Errorf("%s: %w", dir, err)
	}
	p, err := t.Policy(e.spec)
	if err == nil {
		err = agents.Bind(p, e.in)
	}
	if err != nil {
		return nil, nil, "", fmt.Errorf("%s: %w", dir, err)
	}
	kind, err := kindOf(&t.Config)
	if err != nil {
		return nil, nil, "", fmt.Errorf("%s: %w", dir, err)
	}
	f = &Frozen{family: t.Config.Agent, kind: kind, Name: fmt.Sprintf("%s-%d-%s", t.Config.Agent, t.Config.Seed,
		r.Which), env: e, options: options, at: at, policy: p, clock: r.Clock, stop: r.Stop, seed: t.Config.Seed,
		sha256: t.SHA256, validation: t.Validation,
		Agent: fmt.Sprintf("%s of %s, seed %d, %s after %d updates, sha256 %s", t.Config.Agent, id, t.Config.Seed,
			r.Which, t.Update, t.SHA256)}
	return t, f, options, nil
}

// everywhere makes a policy that is the same in each window.
func everywhere(fresh func() (sim.Policy, error)) func(window int) (sim.Policy, error) {
	return func(int) (sim.Policy, error) { return fresh() }
}

// trials makes a trial of each policy on each window.
func (s *Setup) trials(ctx context.Context, r *Request, on *measured,
	build []func(window int) (sim.Policy, error)) error {
	options, c := on.options, &on.envs[0].config
	src := c.Source
	if n := len(c.Regimes); n > 0 {
		if s.Regimes = mixedOf(options); r.Windows%n != 0 || len(s.Regimes) != n {
			return fmt.Errorf("windows are %d, expected a multiple of %d: the environment is a mixture of so many "+
				"scenarios", r.Windows, n)
		}
	}
	if n := src.Windows(r.Part); r.Windows < 1 || r.Windows > n {
		return fmt.Errorf("windows are %d, expected 1..%d: that is what part %s has", r.Windows, n, r.Part)
	}
	s.Windows = r.Windows
	loads, sums := make([]*sim.Workload, r.Windows), make([]string, r.Windows)
	for i := range loads {
		var err error
		if loads[i], err = src.Window(r.Part, i); err != nil {
			return err
		}
		sums[i] = loads[i].Hash()
		if err := on.unseen(r.Part, i, loads[i], sums[i]); err != nil {
			return err
		}
	}
	if err := on.unshared(r.Part); err != nil {
		return err
	}
	if err := s.choose(ctx, c); err != nil {
		return err
	}
	s.JSON = s.describe(r, options)
	for p, name := range s.Policies {
		what, at := name, options
		if p < len(s.Agents) {
			what, at = s.Agents[p].Agent, s.Agents[p].options
		} else if told, ok := s.tuned[p]; ok {
			what = told.text
		}
		config := map[string]any{"policy": what, "environment": at, "part": r.Part}
		if s.Chosen != nil {
			config["chosen"] = s.Chosen[name]
		}
		if source := s.from.Policies.Source(what); source != "" {
			config["policy_source"] = source
		}
		text, err := json.Marshal(config)
		if err != nil {
			return err
		}
		for i := range loads {
			of, _ := c.Of(i)
			predictor, err := c.Predicted(r.Part, i, name)
			if err != nil {
				return err
			}
			k := keysOf(of, options)
			k.Policy, k.Replicate = name, int64(i)
			s.Trials = append(s.Trials, trial.Trial{Keys: k, Config: string(text), Workload: loads[i],
				WorkloadSHA256: sums[i], Topology: of.Topology,
				Policy: func() (sim.Policy, error) { return build[p](i) },
				Speed:  of.Speed, Costs: of.Costs, MarkEvery: of.MarkEvery, Power: of.Power,
				Services: of.Services, Operator: of.Operator,
				ModelBytes: of.ModelBytes, Predictor: predictor, History: trial.History(loads[i]), Outages: c.Failures(r.Part, i)})
		}
	}
	return nil
}

// keysOf are the keys of a scenario; paths are as they were given in the options, not as they were
// found.
func keysOf(c *schedenv.Config, options string) results.Keys {
	at, from := param.Parse("", options), &c.Scenario
	keys := results.Keys{Trace: at.Text("trace", from.Trace), Cluster: at.Text("cluster", from.Cluster),
		Speed: from.Speed, Placement: cluster.BestFit.String(),
		Seed: from.Cuts.DataSeed}
	if keys.Trace == "" {
		keys.Trace = fmt.Sprintf("synth:%s,load=%g", from.Cuts.Workload, from.Cuts.Load)
	}
	if scenario.Cut(c.Source) && from.Cuts.Thin == 1 {
		keys.Seed = results.NoSeed // the windows are cut from a trace, nothing is drawn
	}
	return keys
}

// describe is the request in words that do not depend on where folders are.
func (s *Setup) describe(r *Request, options string) string {
	var who []string
	for _, a := range s.Agents {
		who = append(who, a.Agent)
	}
	for p := range s.Policies {
		if told, ok := s.tuned[p]; ok {
			who = append(who, told.text)
		}
	}
	all := map[string]any{"agents": who, "baselines": r.Baselines, "environment": options, "part": r.Part,
		"windows": r.Windows}
	if s.Chosen != nil {
		all["chosen"] = s.Chosen
	}
	if seeds := s.seedsOf(); s.Scored() && len(seeds) > 0 {
		all["seeds"] = seeds
	}
	if r.Draw {
		all["draw"] = true
	}
	if r.Bounds {
		all["bounds"] = bounds.RowsOf(s.bounds)
	}
	text, err := json.Marshal(all)
	if err != nil {
		return ""
	}
	return string(text)
}

// Err is what went wrong inside an agent, where no error could be given back.
func (s *Setup) Err() error {
	var errs []error
	for _, a := range s.Agents {
		a.mu.Lock()
		errs = append(errs, a.err)
		a.mu.Unlock()
	}
	return errors.Join(errs...)
}
