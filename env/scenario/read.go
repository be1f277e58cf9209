package scenario

import (
	"math"
	"slices"
	"strings"

	"tarry/sim/param"
)

// Options describes what Read reads, for catalogues: key, meaning, default.
const Options = `speed         counting, tiers, table:FILE, gavel:DIR, elasticflow:DIR, shockwave:DIR, pollux:DIR, muri:DIR, deepshare:DIR, collective or contended (collective)
models        jobs without a model: auto, paper, none, or a NAME that stands in for unknown models too (auto)
` + MoreOptions

// MoreOptions are the lines of Options but for those of which environments have another default.
const MoreOptions = `scenario      YAML FILE with settings of this list, which those beside it override ()
cluster       RxMxG (racks x machines x GPUs), TYPE:RxMxG joined by +, the name of a cluster, or a YAML file; log: the processors of the
              trace's own machine, without a network (4x4x8)
gpu_mem_mib   memory of each GPU, MiB, of machines of which the cluster does not state it; 0 = not constrained (0)
profiles      files or folders of model profiles, joined by + ()
variability   how GPUs of one type differ: "FILE[,classes=FILE]" or "drawn:sigma=S[,seed=N,of=gpu|machine,classes=FILE]" ()
efficiency    what samples of larger batches are worth: measured or "noise=8x,growth=4,epochs=30,scaling=strong", or each as efficiency.KEY; see list efficiency ()
interference  jobs on one GPU: none (a share is a part of the time), or a law by which they slow one another down: "nway:a=0.1", slices, mps, pairs:FILE, ...; see list interference ()
hosts         how speeds follow the CPU and memory that jobs have beside their GPUs: none (not), catalogue or profile:FILE; see list hosts ()
gpu_profile   memory and busy part of a GPU of jobs that say none, by model: none, catalogue or FILE.csv ()
elastic       jobs that can run on other numbers of GPUs than they ask for: "min=1,max=2x,fraction=0.5", or each as elastic.KEY; see list elastic ()
deadlines     of jobs: trace, none or "tightness=1.5,min=0.5,max=1.5,fraction=0.8", or each as deadlines.KEY; see list deadlines; none given: those of the trace ()
quotas        who owns which part of the cluster: none, demand, equal, trace or FILE.csv, as "demand,unit=machine"; see list quotas ()
priorities    priority classes of jobs: none, or "CLASS=FRACTION,...", as "-1=0.3,5=0.1" ()
costs         what changes cost: "start_s=1,restore_s=5", or each as costs.KEY; costs.table: by model and size; see list costs ()
faults        failures: faults.machine_mtbf_s, machine_mttr_s, gpu_mtbf_s, gpu_mttr_s, s; mtbf 0 = never ()
chunk_iterations  work is rounded up to chunks of so many iterations per GPU; 0 = not (0)
mark_every_s  marks and ends of jobs whose speed depends on their progress fall on multiples of it, s; 0 = exactly when the work is done (0)
strict        true: wrong rows of a trace are errors, not dropped (false)
max_jobs      most jobs of a trace; 0 = 10 million (0)
trace         FORMAT:PATH, FILE (recognised by name and first lines) or synth:NAME; with commas: "FORMAT:PATH". Windows are cut
              from it: it is split by time into the parts; a list whose jobs all come at once is dealt out to them ()
predict       the predictor of run times that policies read: NAME, or "NAME:key=value,..."; see list predictors (none)
cuts          which windows of jobs: the settings below, as cuts.KEY or together ()`

// CutOptions describes what ReadCuts reads.
const CutOptions = `workload      a synthetic law: demo, philly, helios, poisson, bursty, diurnal, ... (poisson)
load          its load; the rate of arrivals follows (0.9)
windows       windows in each part (1000)
data_seed     root of the windows' seeds (0)
shares        train, validation and test, in proportion: of a trace's time, or of the jobs where these are dealt out (70:15:15)
gap           time after each cut whose jobs are in no part, leases (24)
rate          jobs of a trace come so many times as fast: submits divided by it, before the split (1)
thin          each job goes by data_seed into one of so many classes, and a window has jobs of one alone (1)
batch_jobs    jobs of a window, drawn from a part: the trace is dealt out, jobs that come one after another keep their
              times; 0 = windows are cut, or the whole part where jobs all come at once (0)
copies        a job may be drawn so many times; the k-th copy comes k/copies of the trace's time later, around its end (1)
window_jobs   jobs of a window; of a trace such that come one after another, at its times (needs warm=0); 0 = windows are
              cut from time (0)
test_starts   first jobs of the windows of part test, joined by +, or rlscheduler: those of its tables; train and validation are
              cut from the jobs in none of them; none given: test is cut by shares, too ()
test_jobs     jobs of a window of part test; 0 = window_jobs (0)
part          train | validation | test (train)
lease_s       lease: the unit of time, s (3600)
warm          warm-up at the start of a window, leases (24)
horizon       length of a window behind it, leases; 0 = to the last job (72)`

// ReadFile reads the scenario of a YAML file over c's present values. The error joins all faults of the file.
func (c *Scenario) ReadFile(path string) error {
	s, err := param.ReadYAML(path)
	if err != nil {
		return err
	}
	c.Read(s)
	return s.Err()
}

// Read takes the settings of a scenario from s over c's present values. Faults are noted in s; the caller may read keys
// of its own from it and then asks s.Err. The key scenario names a file, whose settings those of s override.
func (c *Scenario) Read(s *param.Set) {
	if path := s.Text("scenario", ""); path != "" {
		c.readInner(s, path)
	}
	c.mark(s)
	c.readCluster(s)
	c.GPUMiB = s.Int64("gpu_mem_mib", c.GPUMiB, 0, maxGPUMiB)
	c.Speed = s.Text("speed", c.Speed)
	c.Variability = s.Text("variability", c.Variability)
	readRule(s, "efficiency", &c.Efficiency)
	c.Interference = s.Text("interference", c.Interference)
	c.Hosts = s.Text("hosts", c.Hosts)
	c.GPUProfile = s.Text("gpu_profile", c.GPUProfile)
	readRule(s, "elastic", &c.Elastic)
	c.readDeadlines(s)
	c.Quotas = s.Text("quotas", c.Quotas)
	c.Priorities = s.Text("priorities", c.Priorities)
	c.Profiles = s.Texts("profiles", c.Profiles)
	c.Models = s.Text("models", c.Models)
	c.readCosts(s)
	f := s.Child("faults")
	c.Faults.MachineMTBFS = f.Float("machine_mtbf_s", c.Faults.MachineMTBFS, 0, 1e12)
	c.Faults.MachineMTTRS = f.Float("machine_mttr_s", c.Faults.MachineMTTRS, 1e-3, 1e12)
	c.Faults.GPUMTBFS = f.Float("gpu_mtbf_s", c.Faults.GPUMTBFS, 0, 1e12)
	c.Faults.GPUMTTRS = f.Float("gpu_mttr_s", c.Faults.GPUMTTRS, 1e-3, 1e12)
	c.ChunkIterations = s.Int64("chunk_iterations", c.ChunkIterations, 0, 1<<40)
	c.MarkEveryS = s.Float("mark_every_s", c.MarkEveryS, 0, maxMarkS)
	c.Strict = s.Bool("strict", c.Strict)
	c.MaxJobs = s.Int("max_jobs", c.MaxJobs, 0, 1<<31-2)
	c.Trace = s.Text("trace", c.Trace)
	c.Predict = s.Text("predict", c.Predict)
	c.ReadCuts(s.Child("cuts"))
}

// readInner reads the file that the key scenario names. One that is being read already would never end.
func (c *Scenario) readInner(s *param.Set, path string) {
	if slices.Contains(c.reading, path) || len(c.reading) >= maxNested {
		s.FaultAt("scenario", "scenario is %q, which is being read: %s; expected a file that does not lead back", path, strings.Join(append(c.reading, path), " -> "))
		return
	}
	c.reading = append(c.reading, path)
	each(c.ReadFile(path), func(one error) { s.FaultAt("scenario", "scenario: %w", one) })
	c.reading = c.reading[:len(c.reading)-1]
}

// ReadCuts takes the settings of CutOptions from s over c's present values. A file has them in the mapping cuts, an
// environment also without that name.
func (c *Scenario) ReadCuts(s *param.Set) {
	c.mark(s)
	c.Cuts.read(s)
}

func (c *Scenario) mark(s *param.Set) {
	for _, key := range s.Keys() {
		c.Mark(key, s.Place(key).String())
	}
}

// readCluster reads a name or, in a file, a cluster as a mapping.
func (c *Scenario) readCluster(s *param.Set) {
	switch {
	case s.IsMapping("cluster"):
		c.Inline = readCluster(s.Child("cluster"))
	case s.Has("cluster"):
		c.Cluster, c.Inline = s.Text("cluster", c.Cluster), nil
	default:
		s.Text("cluster", c.Cluster)
	}
}

// readRule reads key=value,... or a mapping of the same keys. A text or a mapping replaces the rule; NAME.KEY changes one of its settings.
func readRule(s *param.Set, name string, to *string) {
	if !s.IsMapping(name) && !s.Dotted(name) {
		*to = s.Text(name, *to)
		return
	}
	in, rule := s.Child(name), ""
	if s.Dotted(name) {
		rule = *to
	}
	for _, key := range in.Keys() {
		rule = param.Override(rule, key+"="+param.Quote(in.Text(key, "")))
	}
	*to = rule
}

// readCosts reads none, key=value,... or a mapping of the same keys. Costs that are given together replace all;
// costs.KEY replaces one.
func (c *Scenario) readCosts(s *param.Set) {
	if !s.IsMapping("costs") && s.Has("costs") {
		text := s.Text("costs", "")
		each(c.SetCosts(text), func(one error) { s.FaultAt("costs", "%w", one) })
		return
	}
	costs := s.Child("costs")
	if s.Has("costs") && !s.Dotted("costs") {
		c.readAllCosts(costs)
		return
	}
	c.CostTable = costs.Text(costTableKey, c.CostTable)
	for _, f := range costFields(&c.Costs) {
		*f.to = costs.Float(f.key, *f.to, 0, f.most())
	}
}

// read takes the settings of the windows.
func (c *Cuts) read(s *param.Set) {
	c.Workload = s.Text("workload", c.Workload)
	c.Load = s.Float("load", c.Load, 1e-3, 100)
	c.Windows = s.Int("windows", c.Windows, 1, 1<<30)
	c.DataSeed = uint64(s.Int64("data_seed", int64(c.DataSeed), 0, math.MaxInt64))
	if text := s.Text("shares", c.sharesText()); s.Has("shares") {
		shares, err := parseShares(text)
		if err != nil {
			s.Wrong("shares", wantShares)
		} else {
			c.Shares = shares
		}
	}
	c.Gap = s.Float("gap", c.Gap, 0, 1e6)
	c.Rate = s.Float("rate", c.Rate, 1e-3, 1e6)
	c.Thin = s.Int("thin", c.Thin, 1, maxThin)
	c.BatchJobs = s.Int("batch_jobs", c.BatchJobs, 0, maxWindowJobs)
	c.Copies = s.Int("copies", c.Copies, 1, maxCopies)
	c.WindowJobs = s.Int("window_jobs", c.WindowJobs, 0, maxWindowJobs)
	if texts := s.Texts("test_starts", c.startsText()); s.Has("test_starts") {
		starts, err := parseStarts(texts)
		if err != nil {
			s.FaultAt("test_starts", "%w", err)
		}
		c.TestStarts = starts
	}
	c.TestJobs = s.Int("test_jobs", c.TestJobs, 0, maxWindowJobs)
	if part := s.Enum("part", parts(c.Part)...); s.Has("part") {
		c.Part = Part(part)
	}
	c.LeaseS = s.Float("lease_s", c.LeaseS, 1, 1e8)
	c.Warm = s.Float("warm", c.Warm, 0, 1e5)
	c.Horizon = s.Float("horizon", c.Horizon, 0, 1e5)
}

// parts lists the names of parts, the default first if there is one.
func parts(first Part) []string {
	all := []string{string(Train), string(Validation), string(Test)}
	if first == "" {
		return all
	}
	return append([]string{string(first)}, all...)
}
