package config

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"tarry/sim"
	"tarry/sim/cluster"
	"tarry/sim/models"
	"tarry/sim/param"
	"tarry/sim/preset"
	"tarry/sim/speed"
)

// PolicyParser makes the policy that NAME or NAME:key=value,... stands for.
type PolicyParser func(spec string, rule cluster.Rule) (sim.Policy, error)

// Setup is a configuration made real. It is only read after Build: trials share it.
type Setup struct {
	// Config is what it was built from.
	Config Config
	// Cluster is the hardware with its network.
	Cluster  ClusterSpec
	Topology *cluster.Topology
	// Runs holds one entry per replicate.
	Runs []Run
	// Notes are remarks for the user: rows dropped, fields drawn, replicates cut, a load that is not the cluster's.
	Notes []string
	// StatedGPUs is the size of cluster that a generated workload's load refers to, where gpus= states another
	// than the cluster's; else 0.
	StatedGPUs int

	parse  PolicyParser
	rule   cluster.Rule
	models *models.Set
	sums   []fileSum
	// history is the sample that Config.History names, nil when it names none.
	history []sim.Time
}

// Build makes what the names of c stand for. The error joins every fault, of all fields.
func Build(c Config, parse PolicyParser) (*Setup, error) {
	s := &Setup{Config: c, parse: parse}
	errs := []error{s.checkNumbers(), s.buildCluster(), s.buildModels(), s.buildHistory()}
	if s.Topology != nil && s.models != nil {
		if _, err := s.Speed(); err != nil {
			errs = append(errs, fmt.Errorf("%s%w", c.at("speed"), err))
		}
	}
	errs = append(errs, s.checkPolicies(), s.sumFiles())
	errs = append(errs, s.buildRuns(errors.Join(errs...) == nil))
	if err := errors.Join(errs...); err != nil {
		return nil, err
	}
	return s, nil
}

// checkNumbers holds the ranges that flags and defaults must keep, too.
func (s *Setup) checkNumbers() error {
	var errs []error
	c := &s.Config
	bad := func(field, what string, v any, want string) {
		errs = append(errs, fmt.Errorf("%s%s is %v, expected %s", c.at(field), what, v, want))
	}
	if c.Replicates < 1 || c.Replicates > 1_000_000 {
		bad("replicates", "replicates", c.Replicates, "1..1000000")
	}
	if !(c.UntilS >= 0 && c.UntilS <= 1e12) {
		bad("until_s", "until", c.UntilS, "0..1e12 seconds")
	}
	if !(c.EstimateError >= 0 && c.EstimateError <= 100) {
		bad("estimate_error", "estimate error", c.EstimateError, "0..100")
	}
	if c.Jobs < 0 || c.Jobs > 4096 {
		bad("jobs", "jobs (trials at once)", c.Jobs, "0..4096")
	}
	if c.ChunkIterations < 0 || c.ChunkIterations > 1<<40 {
		bad("chunk_iterations", "chunk", c.ChunkIterations, "0..2^40 iterations")
	}
	if c.MaxJobs < 0 {
		bad("max_jobs", "max jobs", c.MaxJobs, ">= 0")
	}
	for _, e := range [...]struct {
		field, v string
		names    []string
	}{{"placement", c.Placement, []string{"best-fit", "first-found"}}, {"models", c.Models, []string{"auto", "paper", "none"}}} {
		if !slices.Contains(e.names, e.v) {
			bad(e.field, e.field, fmt.Sprintf("%q", e.v), strings.Join(e.names, ", ")+param.Hint(e.v, e.names))
		}
	}
	if c.Placement == "first-found" {
		s.rule = cluster.FirstFound
	}
	for _, r := range c.Faults.Rates() {
		if !r.Wrong() {
			continue
		}
		field := "faults." + r.Key
		where := field // a flag; or the file's mapping
		if c.at(where) == "" {
			where = "faults"
		}
		bad(where, field, *r.Value, r.Range())
	}
	errs = append(errs, c.Costs.Validate())
	return errors.Join(errs...)
}

func (s *Setup) buildCluster() error {
	c := &s.Config
	at := c.at("cluster")
	switch name := c.clusterName(); {
	case c.Inline != nil:
		s.Cluster = *c.Inline
	case isClusterFile(name):
		spec, err := ReadCluster(name)
		if err != nil {
			return fmt.Errorf("%scluster: %w", at, err)
		}
		s.Cluster = *spec
	default:
		p, err := preset.Lookup(name)
		if err != nil {
			var names []string
			for _, p := range preset.Clusters() {
				names = append(names, p.Name)
			}
			return fmt.Errorf("%s%w%s", at, err, param.Hint(name, names))
		}
		s.Cluster = ClusterSpec{Cluster: p}
	}
	t, err := cluster.New(s.Cluster.Spec)
	if err != nil {
		return fmt.Errorf("%scluster %q: %w", at, s.Cluster.Name, err)
	}
	s.Topology = t
	return nil
}

// Speed makes a speed model for one trial.
func (s *Setup) Speed() (sim.SpeedModel, error) {
	return speed.Parse(s.Config.Speed, speed.Env{Topology: s.Topology, Fabric: s.Cluster.Fabric, Models: s.models, Types: s.Cluster.Speeds})
}

// Policy makes the policy of Config.Policies[i] for one trial.
func (s *Setup) Policy(i int) (sim.Policy, error) {
	return s.parse(s.Config.policySpec(s.Config.Policies[i]), s.rule)
}

func (s *Setup) checkPolicies() error {
	var errs []error
	c := &s.Config
	if len(c.Policies) == 0 {
		errs = append(errs, errors.New("no policy, expected at least one: --policy NAME or NAME:key=value,..."))
	}
	seen := map[string]bool{}
	for i, spec := range c.Policies {
		if seen[spec] {
			errs = append(errs, fmt.Errorf("%spolicy %q is given twice", c.at("policies"), spec))
			continue
		}
		seen[spec] = true
		if _, err := s.Policy(i); err != nil {
			errs = append(errs, fmt.Errorf("%s%w", c.at("policies"), err))
		}
	}
	return errors.Join(errs...)
}

// ModelBytes is the size of a model's saved weights in single precision; 0 when it is unknown.
func (s *Setup) ModelBytes(model string) int64 {
	p, err := s.models.Lookup(model)
	if err != nil {
		return 0
	}
	if p.Params > 0 {
		return 4 * p.Params
	}
	return p.Bytes()
}
