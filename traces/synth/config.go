package synth

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"tarry/sim/param"
)

// Config is a resolved workload to generate. Presets gives good starts; the zero value
// is not one.
type Config struct {
	// Preset is the name it started from.
	Preset string
	// Jobs to generate; >= 1.
	Jobs int
	// GPUs of the cluster that Load refers to; demands larger than it are left out; >= 1. See For.
	GPUs int
	// Stated is set when GPUs was given as gpus=, so that another cluster does not change it.
	Stated bool
	// Load is the utilisation aimed at, > 0; not used for batch arrivals or with a Rate.
	Load float64
	// Rate is jobs per second; 0 = from Load.
	Rate float64
	// Arrivals is batch, poisson, bursty or diurnal.
	Arrivals string
	// Law is philly, helios, multi, gavel, ada-srsf (several demands), gavel-single (one GPU), or for
	// 1-GPU jobs of a mean run time exp, det, lognormal or hyper.
	Law string
	// MeanS is the mean run of the 1-GPU laws, in seconds; > 0.
	MeanS float64
	// SCV is the squared coefficient of variation of lognormal and hyper.
	SCV float64
	// Burst, BurstFrac and CycleS shape bursty arrivals: rate in a burst over the mean
	// rate, share of time in bursts, mean length of a burst and the calm after it (s).
	Burst, BurstFrac, CycleS float64
	// Amplitude shapes diurnal arrivals, 0..1.
	Amplitude float64
	// Models are drawn by weight; empty = jobs name no model.
	Models []Weighted
	// Users is how many users own the jobs; the k-th has a share proportional to 1/k. 0 = none.
	Users int
	// VCs deals the jobs to virtual clusters.
	VCs VCs
	// Recur makes the jobs of users recur.
	Recur Recur

	tables *tables // of Tabled; nil = each workload makes its own
}

// Weighted is a name and its share among others.
type Weighted struct {
	Name   string
	Weight float64
}

// paperModels are the six models of the paper's job lists, by their share in the list
// with Poisson arrivals (411 jobs).
func paperModels() []Weighted {
	return []Weighted{{"MobileNetV3", 125}, {"BERT", 125}, {"ResNet50", 125}, {"AlexNet", 29}, {"VGG", 4},
		{"ResNet18", 3}}
}

// heavyModels lean to models that communicate most.
func heavyModels() []Weighted {
	return []Weighted{{"VGG", 3}, {"AlexNet", 2}, {"BERT", 3}, {"ResNet50", 2}, {"MobileNetV3", 1}, {"ResNet18", 1}}
}

// Preset is a named start.
type Preset struct {
	Name, Doc string
	config    Config
}

// Presets lists the presets in the order in which they are shown.
func Presets() []Preset {
	base := Config{Jobs: 1000, GPUs: 512, Load: 0.8, Arrivals: "poisson", Law: "multi", MeanS: 100, SCV: 4,
		Burst: 4, BurstFrac: 0.1, CycleS: 4 * 3600, Amplitude: 0.6, Models: paperModels(), Users: 50,
		Recur: Recur{Signal: 0.8, Session: 1, RequestError: 1}}
	var list []Preset
	add := func(name, doc string, change func(*Config)) {
		c := base
		change(&c)
		c.Preset = name
		list = append(list, Preset{name, doc, c})
	}
	bare := func(c *Config) { c.Models, c.Users = nil, 0 }
	add("demo", "300 jobs at load 0.9 of the cluster (128 GPUs where there is none): mostly several GPUs, models "+
		"that communicate much", func(c *Config) {
		c.Jobs, c.GPUs, c.Load, c.Models, c.Users = 300, 128, 0.9, heavyModels(), 12
	})
	add("philly", "demands and run times fitted to Microsoft's Philly; 10 000 jobs at load 0.8", func(c *Config) {
		c.Jobs, c.Law = 10_000, "philly"
	})
	add("helios", "demands and run times with the published totals of SenseTime's Helios; 10 000 jobs at load 0.8",
		func(c *Config) {
			c.Jobs, c.GPUs, c.Law = 10_000, 4096, "helios"
		})
	add("batch", "500 jobs of several GPUs, all at time 0", func(c *Config) { c.Jobs, c.Arrivals = 500, "batch" })
	add("poisson", "1000 jobs of several GPUs, Poisson arrivals, load 0.8", func(*Config) {})
	add("bursty", "the same in bursts of four times the mean rate (two-state Markov-modulated Poisson)",
		func(c *Config) { c.Arrivals = "bursty" })
	add("diurnal", "the same with a rate that swings over the day", func(c *Config) { c.Arrivals = "diurnal" })
	add("million", "a million Philly-like jobs at load 0.9; meant for 80 000 GPUs", func(c *Config) {
		c.Jobs, c.GPUs, c.Load, c.Law, c.Users = 1_000_000, 80_000, 0.9, "philly", 5000
	})
	add("gavel", "demands of 1 to 8 GPUs and run times of half an hour to a week, as Gavel's generator draws them; "+
		"1000 jobs at load 0.3 (of reference GPUs)", func(c *Config) {
		c.GPUs, c.Load, c.Law = 108, 0.3, "gavel"
	})
	add("ada-srsf", "demands of 1 to 32 GPUs, runs of 80 to 477 s and four networks, as Ada-SRSF's generator draws them; "+
		"160 jobs at load 2.34, that is within 1200 s on 64 GPUs", func(c *Config) {
		c.Jobs, c.GPUs, c.Load, c.Law = 160, 64, 2.34, "ada-srsf"
		c.Models = []Weighted{{"vgg16", 1}, {"resnet50", 1}, {"inception3", 1}, {"lstm", 1}}
	})
	recur := func(c *Config) {
		c.Jobs, c.Load, c.Users = 10_000, 0.9, 40
		c.Recur = Recur{Templates: 6, Signal: 0.8, Session: 3, Renew: 500, Stay: 4000, Site: 1, RequestError: 1}
	}
	add("recur", "users run the same things again: 40 users with 6 templates each; a fitted predictor reaches R2 "+
		"0.65 of log run time; 10 000 jobs at load 0.9", recur)
	add("recur-drift", "the same with templates and users that change ten times as fast, and medians that drift: R2 "+
		"0.2 from what is fixed, 0.5 from the last jobs", func(c *Config) {
		recur(c)
		c.Recur = Recur{Templates: 6, Signal: 0.85, Session: 5, Renew: 50, Drift: 100, Stay: 300, Site: 1,
			RequestError: 1}
	})
	add("mm1", "M/M/1 on a cluster of one GPU: 1-GPU jobs, exponential runs of 100 s, load 0.7", func(c *Config) {
		bare(c)
		c.Jobs, c.GPUs, c.Load, c.Law = 20_000, 1, 0.7, "exp"
	})
	add("mmk", "M/M/k on a cluster of k GPUs: 1-GPU jobs, exponential runs of 100 s, load 0.8", func(c *Config) {
		bare(c)
		c.Jobs, c.GPUs, c.Law = 20_000, 8, "exp"
	})
	add("mg1", "M/G/1 on a cluster of one GPU: 1-GPU jobs, lognormal runs of 100 s with a squared coefficient of "+
		"variation of 4, load 0.7", func(c *Config) {
		bare(c)
		c.Jobs, c.GPUs, c.Load, c.Law = 20_000, 1, 0.7, "lognormal"
	})
	return list
}

// For gives the configuration for a cluster of so many GPUs, which Load and the largest demand then
// refer to. Where gpus= states another number the configuration stays as it is, and the note notes
// it; else it is "".
func (c Config) For(gpus int) (on Config, note string) {
	switch {
	case !c.Stated:
		c.GPUs = gpus
	case c.GPUs == gpus:
	case c.Arrivals == "batch" || c.Rate > 0:
		note = fmt.Sprintf("gpus=%d is given and the cluster has %d GPUs: no job asks for more than %d", c.GPUs, gpus,
			c.GPUs)
	default:
		note = fmt.Sprintf("load %g is of %d GPUs, since gpus=%d is given; on the cluster's %d GPUs it is %.4g",
			c.Load, c.GPUs, c.GPUs, gpus, c.Load*float64(c.GPUs)/float64(gpus))
	}
	return c, note
}

// Parse reads NAME, NAME:key=value,... or NAME,key=value,.... The keys are jobs, gpus, load, rate,
// arrivals, law, mean, scv, burst, burst_frac, cycle, amplitude, users, vcs, apart, vc_skew, models
// (none, paper, heavy, or names separated by +), and for jobs that recur templates, signal,
// session, renew, drift, stay, site, request and request_error. All faults are reported at once.
func Parse(spec string) (Config, error) {
	name, settings := spec, ""
	if i := strings.IndexAny(spec, ":,"); i >= 0 {
		name, settings = spec[:i], spec[i+1:]
	}
	var names []string
	for _, p := range Presets() {
		if p.Name == name {
			return p.config.with(settings)
		}
		names = append(names, p.Name)
	}
	return Config{}, fmt.Errorf("synth: unknown preset %q, expected one of %s%s", name, strings.Join(names, ", "),
		param.Hint(name, names))
}

func (c Config) with(settings string) (Config, error) {
	s := param.Parse("synth:"+c.Preset, settings)
	c.Jobs = s.Int("jobs", c.Jobs, 1, 50_000_000)
	c.GPUs, c.Stated = s.Int("gpus", c.GPUs, 1, 10_000_000), s.Has("gpus")
	c.Load = s.Float("load", c.Load, 1e-6, 1000)
	if s.Has("rate") {
		c.Rate = s.Float("rate", 0, 1e-9, 1e6)
		if s.Has("load") {
			s.Fault("load and rate are both given, expected one of them")
		}
	}
	c.Arrivals = s.Enum("arrivals", first(c.Arrivals, "batch", "poisson", "bursty", "diurnal")...)
	c.Law = s.Enum("law", first(c.Law, "philly", "helios", "multi", "exp", "det", "lognormal", "hyper", "gavel",
		"gavel-single", "ada-srsf")...)
	c.MeanS = s.Float("mean", c.MeanS, 0.001, 1e8)
	c.SCV = s.Float("scv", c.SCV, 1e-6, 1e4)
	if c.Law == "hyper" && c.SCV < 1 {
		s.Fault("scv is %g, expected a number >= 1 for law=hyper", c.SCV)
	}
	c.BurstFrac = s.Float("burst_frac", c.BurstFrac, 1e-6, 0.999)
	c.Burst = s.Float("burst", c.Burst, 1, 1e6)
	if c.Arrivals == "bursty" && c.Burst*c.BurstFrac > 1 {
		s.Fault("burst is %g with burst_frac %g, expected burst <= 1/burst_frac = %g", c.Burst, c.BurstFrac,
			1/c.BurstFrac)
	}
	c.CycleS = s.Float("cycle", c.CycleS, 1, 1e9)
	c.Amplitude = s.Float("amplitude", c.Amplitude, 0, 1)
	c.Users = s.Int("users", c.Users, 0, 10_000_000)
	c.Recur = c.Recur.with(s, &c)
	c.VCs = c.VCs.with(s, &c)
	switch m := s.Text("models", ""); m {
	case "":
	case "none":
		c.Models = nil
	case "paper":
		c.Models = paperModels()
	case "heavy":
		c.Models = heavyModels()
	default:
		c.Models = nil
		for n := range strings.SplitSeq(m, "+") {
			if n == "" {
				s.Fault("models is %q, expected none, paper, heavy or names separated by +", m)
				break
			}
			c.Models = append(c.Models, Weighted{n, 1})
		}
	}
	return c, s.Err()
}

// first puts the default in front, where param.Enum looks for it.
func first(def string, names ...string) []string {
	return append([]string{def}, slices.DeleteFunc(names, func(n string) bool { return n == def })...)
}

// classes gives the law's demands that fit the cluster.
func (c *Config) classes() []class {
	one := func(l runLaw) []class { return []class{{1, 1, l}} }
	switch c.Law {
	case "philly":
		return fit(phillyClasses(), c.GPUs)
	case "helios":
		return fit(heliosClasses(), c.GPUs)
	case "gavel", "gavel-single":
		return fit(gavelClasses(c.Law == "gavel-single"), c.GPUs)
	case "ada-srsf":
		return fit(adaSRSFClasses(), c.GPUs)
	case "exp":
		return one(exponential{c.MeanS})
	case "det":
		return one(constant{c.MeanS})
	case "hyper":
		return one(hyper{c.MeanS, c.SCV})
	case "lognormal":
		return one(lognormalOf(c.MeanS, c.SCV, math.Inf(1)))
	}
	return fit(multiClasses(), c.GPUs)
}
