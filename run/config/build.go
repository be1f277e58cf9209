package config

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strings"

	"tarry/env/scenario"
	"tarry/output/results"
	"tarry/run/measure"
	"tarry/sim"
	"tarry/sim/cluster"
	"tarry/sim/entry"
	"tarry/sim/know"
	"tarry/sim/param"
	"tarry/traces/history"
)

// Setup is a configuration made real. It is only read after Build: trials share it.
type Setup struct {
	// Config is what it was built from.
	Config Config
	// Setup is the scenario made real, under the preset; its Notes are followed by the run's: rows
	// dropped, fields drawn, replicates cut, a load that is not the cluster's.
	*scenario.Setup
	// Runs holds one entry per replicate.
	Runs []Run
	// StatedGPUs is the size of cluster that a generated workload's load refers to, where gpus=
	// states another than the cluster's; else 0.
	StatedGPUs int
	// Labels are the labels of Config.Policies, which are without them, by name; nil = there are
	// none.
	Labels map[string]string

	from   scenario.Catalogues
	places map[string]string // of the trace's models, as entry.Report has them
	rule   cluster.Rule
	// codec is Config.Codec's.
	codec results.Codec
	// history is the sample that Config.History names, nil when it names none.
	history []sim.Time
	// policies are Config.Policies', by index.
	policies []parsed
	// choices are the predictors that were chosen for the policies; nil = none is chosen.
	choices []*scenario.Choice
}

// parsed is a policy that a run names.
type parsed struct {
	fresh func() (sim.Policy, error) // one per trial
	knows know.Set
}

// Build makes what the names of c stand for, which are looked up in from. The error joins every
// fault, of all fields.
func Build(c Config, from scenario.Catalogues) (*Setup, error) {
	return BuildKept(context.Background(), c, &scenario.Kept{From: from})
}

// BuildKept is Build with a scenario that is kept, where there is one. When ctx ends a predictor that is
// being chosen is given up, with its error.
func BuildKept(ctx context.Context, c Config, of *scenario.Kept) (*Setup, error) {
	s := &Setup{Config: c, from: of.From}
	errs := []error{s.checkNumbers()}
	made := c.Scenario
	made.Cluster = c.clusterName()
	if made.Trace == "" && made.Cuts.Part == "" && c.At("workload")+c.At("load") != "" { // generated jobs in one piece
		made.Trace = fmt.Sprintf("synth:%s,load=%g", made.Cuts.Workload, made.Cuts.Load)
		s.Config.Trace = made.Trace
	}
	var err error
	s.Setup, err = of.Build(&made)
	s.Config.Costs = s.Setup.Scenario.Costs // GPUs with memory have a cost of running out of it
	s.Config.Speed = s.Setup.Scenario.Speed // a cluster that follows from the trace has one of its own
	errs = append(errs, c.Located(err), s.buildHistory(), s.checkPolicies())
	errs = append(errs, s.buildRuns(ctx, errors.Join(errs...) == nil))
	if errors.Join(errs...) == nil {
		errs = append(errs, c.Located(s.CheckSpeeds(s.jobModels())))
	}
	if err := errors.Join(errs...); err != nil {
		return nil, err
	}
	s.noteChoices()
	s.noteCosts()
	return s, nil
}

// jobModels are the models that the jobs of the runs name.
func (s *Setup) jobModels() map[string]bool {
	out := map[string]bool{}
	for i := range s.Runs {
		if w := s.Runs[i].Workload; w != nil && len(s.Cluster.ModelSpeeds) > 0 {
			for k := range w.Jobs {
				out[w.Jobs[k].Model] = true
			}
		}
	}
	return out
}

// checkNumbers holds the ranges and names that flags and defaults must keep, too.
func (s *Setup) checkNumbers() error {
	var errs []error
	c := &s.Config
	bad := func(field, format string, args ...any) {
		errs = append(errs, fmt.Errorf("%s"+format, append([]any{c.At(field)}, args...)...))
	}
	for _, g := range c.own() {
		for _, r := range g.rows {
			if text := r.Wrong(); text != "" {
				bad(r.Key, "%s", text)
			}
		}
	}
	if c.EstimateError > 0 && c.Predict != "" && c.Predict != "none" {
		bad("estimate_error", "estimate error is %v, expected 0 with a predictor, which gives the estimates",
			c.EstimateError)
	}
	if names := measure.Tenants(); c.Tenants != "" && !slices.Contains(names, c.Tenants) {
		bad("tenants", "tenants is %q, expected %s%s", c.Tenants, strings.Join(names, ", "),
			param.Hint(c.Tenants, names))
	}
	s.codec, _ = results.ParseCodec(c.Codec) // one of the names
	if c.Placement == "first-found" {
		s.rule = cluster.FirstFound
	}
	return errors.Join(errs...)
}

// Codec compresses the tables' files.
func (s *Setup) Codec() results.Codec { return s.codec }

// Policy makes the policy of Config.Policies[i] for one trial.
func (s *Setup) Policy(i int) (sim.Policy, error) { return s.policies[i].fresh() }

// parse makes a policy, to check its settings and to see what it may read; the first trial gets
// that one.
func (s *Setup) parse(spec string) (parsed, error) {
	under := s.Config.policySpec(spec)
	if under != spec {
		if err := s.from.Policies.Switched(spec); err != nil {
			from, _, _ := strings.Cut(spec, ":")
			to, _, _ := strings.Cut(under, ":")
			return parsed{}, fmt.Errorf("%w; --preset %s has %s in place of %s", err, s.Config.Preset, to, from)
		}
	}
	_, fresh, err := s.from.Policies.Parse(under, s.rule)
	if err != nil {
		return parsed{}, err
	}
	p, err := fresh()
	if err != nil {
		return parsed{}, err
	}
	return parsed{entry.Again(p, fresh), p.Knows()}, nil
}

func (s *Setup) checkPolicies() error {
	var errs []error
	c := &s.Config
	if len(c.Policies) == 0 {
		errs = append(errs, fmt.Errorf("%sno policy, expected at least one: --policy NAME or NAME:key=value,...",
			c.At(fileItself)))
	}
	seen := map[string]bool{}
	var unpredicted []string
	s.policies = make([]parsed, len(c.Policies))
	c.Policies, s.Labels = param.Unlabelled(c.Policies)
	for i, spec := range c.Policies {
		if seen[spec] {
			errs = append(errs, fmt.Errorf("%spolicy %q is given twice", c.At("policies"), spec))
			continue
		}
		seen[spec] = true
		p, err := s.parse(spec)
		if err != nil {
			errs = append(errs, fmt.Errorf("%s%w", c.At("policies"), err))
			continue
		}
		s.policies[i] = p
		if k := p.knows; s.Predicts() && k&know.Work != 0 && k&know.Estimate == 0 {
			unpredicted = append(unpredicted, spec)
		}
	}
	s.noteUnpredicted(unpredicted)
	return errors.Join(errs...)
}

// noteUnpredicted warns of policies that read the true work beside a predictor, which they do not
// read.
func (s *Setup) noteUnpredicted(specs []string) {
	if len(specs) > 0 {
		s.Notes = append(s.Notes, fmt.Sprintf("predict: %s: warning: the true run times are read, not what %s "+
			"predicts; predictions are read with sjf:by=estimate, srtf:by=left and by=gittins, srsf the same, "+
			"dally:order=psrpt, psrsf and gittins",
			strings.Join(specs, ", "), s.Config.Predict))
	}
}

// buildHistory reads the sample of earlier jobs' service.
func (s *Setup) buildHistory() error {
	h := s.Config.History
	if h == "self" || h == "none" {
		return nil
	}
	var err error
	if s.history, err = history.Read(h); errors.Is(err, fs.ErrNotExist) {
		names := []string{"self", "none"}
		err = fmt.Errorf("history is %q, expected self, none or a file%s", h, param.Hint(h, names))
	}
	if err != nil {
		err = fmt.Errorf("%s%w", s.Config.At("history"), err)
	}
	return err
}

// sums are the files that a result depends on beside the trace: the history, and the scenario's
// files.
func (s *Setup) sums() []scenario.FileSum {
	out := []scenario.FileSum{}
	if s.history != nil {
		if sum, ok := scenario.SumFile(s.Config.History); ok {
			out = append(out, sum)
		}
	}
	return append(out, s.Files...)
}
