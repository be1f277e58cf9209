package scenario

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"

	"tarry/env"
	"tarry/sim"
	"tarry/sim/cluster"
	"tarry/sim/entry"
	"tarry/sim/hosts"
	"tarry/sim/models"
	"tarry/sim/outage"
	"tarry/sim/param"
	"tarry/sim/power"
	"tarry/sim/rng"
	"tarry/sim/service"
	"tarry/traces/deadline"
	"tarry/traces/elastic"
	"tarry/traces/gpuprofile"
	"tarry/traces/priority"
	"tarry/traces/quota"
	"tarry/traces/transform"
)

// Setup is a scenario made real. It does not change after Build, and serves many goroutines.
type Setup struct {
	// Scenario is what it was built from.
	Scenario Scenario
	// Cluster is the hardware with its network.
	Cluster  ClusterSpec
	Topology *cluster.Topology
	// Windows are the windows of Scenario.Cuts; nil where these name no part.
	Windows Source
	// TraceSHA256 is the hash of all jobs of the trace that Windows were cut from, as
	// sim.Workload.Hash gives it; "" where there is none.
	TraceSHA256 string
	// Notes are remarks for the user.
	Notes []string
	// Files are those behind profiles and speed model, with their content's hashes.
	Files []FileSum

	from      Catalogues
	models    *models.Set
	layers    []layerOf              // of the laws, over the speed model
	hosts     *hosts.Rule            // nil = speeds do not follow CPU and memory
	needs     *gpuprofile.Rule       // nil = jobs need of a GPU what the trace states
	elastic   *elastic.Rule          // nil = ranges are the trace's
	costs     *costTable             // nil = formulas alone
	deadlines *deadline.Law          // nil = so are deadlines
	quotas    *quota.Rule            // nil = no tenant owns GPUs
	classes   *priority.Law          // nil = priorities are the trace's and the tenants'
	power     *power.Model           // nil = no energy
	services  *service.Model         // nil = none
	operator  sim.Operator           // unused; nil = no services
	predictor entry.LearnedPredictor // unfitted; nil = none
	fits      *fits
	chooser   *chooser // nil = the predictor is named
	once      *once[any]
	raw       Source            // Windows before jobs are prepared
	opened    *sim.Workload     // the trace, where the cluster follows from it
	places    map[string]string // of the trace's models, as entry.Report has them
}

// Build makes what the names of c stand for, which are looked up in from. The error joins a Fault
// for each wrong field; the Setup then holds what could be made.
func (c *Scenario) Build(from Catalogues) (*Setup, error) {
	s := &Setup{Scenario: *c, from: from, once: &once[any]{}}
	s.Scenario.countsOfLog()
	errs := []error{s.check(), s.readHosts(), s.buildCluster(), s.buildModels(), s.buildPredictor(), s.buildCosts()}
	errs = append(errs, s.buildLaws()...)
	if s.models != nil && !slices.Contains(modelRules(), c.Models) {
		if _, err := s.models.Lookup(c.Models); err != nil {
			errs = append(errs, wrong("models", "models is %q, expected %s or the name of a model%s", c.Models,
				strings.Join(modelRules(), ", "), param.Hint(c.Models, append(modelRules(), s.models.Names()...))))
		}
	}
	if s.Topology != nil && s.models != nil {
		if err := s.rankTypes(); err != nil {
			each(err, func(one error) { errs = append(errs, wrong("speed", "%w", one)) })
		}
	}
	errs = append(errs, s.sumFiles())
	if c.Cuts.Part == "" {
		errs = append(errs, c.misplaced("without part", "windows", "data_seed", "shares", "gap", "rate", "thin",
			"batch_jobs", "copies", "test_starts", "test_jobs", "lease_s", "warm", "horizon"))
	}
	if c.Cuts.Part != "" && s.Topology != nil {
		src, err := s.windows()
		errs = append(errs, err)
		if src != nil {
			s.raw, s.Windows = src, s.prepared(src)
			if len(s.Cluster.ModelSpeeds) > 0 {
				errs = append(errs, s.CheckSpeeds(modelsOf(src)))
			}
			errs = append(errs, s.checkSource(src))
		}
	}
	return s, errors.Join(errs...)
}

// modelRules lists the rules of Scenario.Models that are no name.
func modelRules() []string { return []string{"auto", "paper", "none"} }

// check holds the ranges that flags and values of programs must keep, too.
func (s *Setup) check() error {
	c := &s.Scenario
	var errs []error
	for _, r := range c.Settings() {
		if text := r.Wrong(); text != "" {
			errs = append(errs, wrong(r.Key, "%s", text))
		}
	}
	for _, r := range c.Faults.Rates() {
		if r.Wrong() {
			errs = append(errs, wrong("faults."+r.Key, "faults.%s is %v, expected %s", r.Key, *r.Value, r.Range()))
		}
	}
	return errors.Join(append(errs, c.Costs.Validate())...)
}

// maxMarkS bounds Scenario.MarkEveryS.
const maxMarkS = 1e6

// MarkEvery is sim.Config's.
func (s *Setup) MarkEvery() sim.Time { return sim.Seconds(s.Scenario.MarkEveryS) }

// speedEnv is what a speed model is built from.
func (s *Setup) speedEnv() entry.SpeedEnv {
	e := entry.SpeedEnv{Topology: s.Topology, Fabric: s.Cluster.Fabric, Models: s.models, Types: s.Cluster.Speeds,
		Once: s.once.get}
	if !slices.Contains(modelRules(), s.Scenario.Models) {
		e.DefaultModel = s.Scenario.Models
	}
	return e
}

// rankTypes gives the topology the order of its types by a speed model that states how fast
// they are. The error is Speed's.
func (s *Setup) rankTypes() error {
	s.noteTypes()
	if _, err := s.Speed(); err != nil {
		return err
	}
	kind, _ := s.from.Speeds.Find(s.Scenario.Speed)
	if types := s.Topology.Types(); kind.ByType && len(types) > 1 {
		m, err := s.from.Speeds.Parse(s.Scenario.Speed, s.speedEnv())
		measured, ok := m.(interface{ TypeSpeed(typ string) float64 })
		if err != nil || !ok {
			return err
		}
		s.Cluster.Spec.Speeds = map[string]float64{}
		for _, typ := range types {
			s.Cluster.Spec.Speeds[typ] = measured.TypeSpeed(typ)
		}
		s.Topology, err = cluster.New(s.Cluster.Spec)
		return err
	}
	return nil
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

// Bytes is ModelBytes where a cost depends on it; else nil, which costs no look-up. It remembers
// what it gave, and may be called at once by several.
func (s *Setup) Bytes() func(model string) int64 {
	if !byBytes(&s.Scenario.Costs) {
		return nil
	}
	var lock sync.Mutex
	known := map[string]int64{}
	return func(model string) int64 {
		lock.Lock()
		defer lock.Unlock()
		n, ok := known[model]
		if !ok {
			n = s.ModelBytes(model)
			known[model] = n
		}
		return n
	}
}

// Outages draws the failures of one run from a stream; nil where nothing ever fails.
func (s *Setup) Outages(draws *rng.Stream) sim.Outages {
	return outage.New(s.Topology, s.Scenario.Faults, draws)
}

// WindowOutages are the failures in a window, the same each time.
func (s *Setup) WindowOutages(p Part, window int) sim.Outages {
	return s.Outages(s.draws(p, window).Stream("outages"))
}

// draws gives the random streams of a window, beside its jobs' streams.
func (s *Setup) draws(p Part, window int) rng.Source {
	return rng.Source{Seed: env.HashSeed(s.Scenario.Cuts.DataSeed, "scenario/"+string(p), uint64(window))}
}

// Names reports whether jobs without a model are given one.
func (s *Setup) Names() bool {
	kind, _ := s.from.Speeds.Find(s.Scenario.Speed)
	return s.Scenario.Models == "paper" || s.Scenario.Models == "auto" && kind.ByModel
}

// Prepare gives models to jobs that have none, and what they need of a GPU and ranges of GPU
// counts, where the scenario notes it, rounds work up to chunks, and gives jobs deadlines,
// priorities, and the requests of users that a predictor simulates. note states what was done, if
// anything was drawn.
func (s *Setup) Prepare(w *sim.Workload, draws rng.Source) (out *sim.Workload, note string, err error) {
	missing := 0
	for i := range w.Jobs {
		if w.Jobs[i].Model == "" {
			missing++
		}
	}
	if missing > 0 && s.Names() {
		note = fmt.Sprintf("models: %d of %d jobs name none; each is given one of the paper's six, equally likely, "+
			"from stream \"models\"", missing, len(w.Jobs))
		if w, err = transform.Attach(w, transform.Naming{Models: transform.PaperModels()}, draws); err != nil {
			return nil, "", err
		}
	}
	if s.needs != nil {
		if w, err = s.needs.Apply(w); err != nil {
			return nil, "", err
		}
	}
	if s.elastic != nil {
		if w, err = s.elastic.Apply(w, draws); err != nil {
			return nil, "", err
		}
	}
	if n := s.Scenario.ChunkIterations; n > 0 {
		if w, err = transform.Chunks(w, n); err != nil {
			return nil, "", err
		}
	}
	if s.deadlines != nil {
		if w, err = s.deadlines.Apply(w, draws); err != nil {
			return nil, "", err
		}
	}
	if w, err = s.prioritise(w, draws); err != nil {
		return nil, "", err
	}
	if sigma, ok := s.guesses(); ok {
		if w, err = transform.Guess(w, sigma, draws.Seed); err != nil {
			return nil, "", err
		}
	}
	return w, note, w.HoldsAll(s.Topology)
}

// prepared gives the windows of a source after Prepare; the source itself where that changes
// nothing.
func (s *Setup) prepared(src Source) Source {
	if _, guessed := s.guesses(); !s.Names() && s.Scenario.ChunkIterations == 0 && !guessed && s.needs == nil &&
		s.elastic == nil && s.deadlines == nil && s.quotas == nil && s.classes == nil && !s.Topology.StatesGPUMiB() {
		return src
	}
	p := preparing{src, s}
	if list, ok := src.(Listed); ok {
		return preparingList{p, list}
	}
	return p
}

// preparing is a source whose windows are prepared.
type preparing struct {
	Source
	setup *Setup
}

// Window makes and prepares one.
func (p preparing) Window(part Part, i int) (*sim.Workload, error) {
	w, err := p.Source.Window(part, i)
	if err != nil {
		return nil, err
	}
	w, _, err = p.setup.Prepare(w, p.setup.draws(part, i))
	return w, err
}

// preparingList is preparing over a list of jobs.
type preparingList struct {
	preparing
	list Listed
}

// Jobs is all that the windows of a part are made from, before they are prepared.
func (p preparingList) Jobs(part Part) *sim.Workload { return p.list.Jobs(part) }

// Cut reports whether the windows of a source are intervals of a trace, in which nothing is drawn
// but, thinned, jobs.
func Cut(src Source) bool {
	switch src := src.(type) {
	case *Recorded, *Consecutive:
		return true
	case preparingList:
		return Cut(src.list)
	}
	return false
}
