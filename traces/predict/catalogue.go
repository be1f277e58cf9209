package predict

import (
	"slices"

	"tarry/sim/entry"
	"tarry/sim/param"
)

type (
	// Entry is one predictor of a catalogue.
	Entry = entry.Predictor
	// Catalogue lists predictors in the order in which they are shown.
	Catalogue = entry.Predictors
)

const (
	common = `law      empirical | lognormal: the law of errors
errors   size | alike: whose errors make a job's law, the same size's or as large ones'
refit    jobs that end until the law of errors is made anew, 0 = never in a run
history  jobs of the past that are learned from, the latest; 0 = all`
	pulled = "shrink   jobs without error that a group is averaged with\nmemory   jobs after which a group " +
		"forgets, 0 = never\n"
	tsafrir = "Tsafrir, Etsion and Feitelson, IEEE TPDS 18(6), 2007"
)

// None is no predictor: an estimate is the run's own.
func None() Entry {
	return predictor("none", "nothing: an estimate is the run's own, without error as a rule", "", "", newNone)
}

// Global is one law for all jobs.
func Global() Entry {
	return predictor("global", "one law for all jobs", "", common, keyed(everyone))
}

// Size is the mean of jobs of the same number of GPUs.
func Size() Entry {
	return predictor("size", "the mean of jobs of the same number of GPUs", "", pulled+common, keyed(everyone, bySize))
}

// UserSize is the mean of jobs of the same user and number of GPUs.
func UserSize() Entry {
	return predictor("user-size", "the mean of jobs of the same user and number of GPUs", "", pulled+common,
		keyed(everyone, bySize, byUser, byUserSize))
}

// Last2 is the mean of the last two jobs of the same user and number of GPUs.
func Last2() Entry {
	return predictor("last2", "the last two jobs of the same user and number of GPUs", tsafrir, common, newLast2)
}

// Request is the run time that the user asked for, corrected by regression.
func Request() Entry {
	return predictor("request", "the run time that the user asked for, corrected by regression", "",
		"raw      true: as it was asked for, not corrected\nsigma    all jobs get a request of run time x "+
			"exp(sigma N(0, 1)); without sigma they keep their own\n"+common, newAsked)
}

// Ridge is a ridge regression on what is known of a job.
func Ridge() Entry {
	return predictor("ridge", "ridge regression on GPUs, model, user, virtual cluster, group, their products, and "+
		"the request", "Hoerl and Kennard, Technometrics 12(1), 1970",
		"lambda   penalty of a category; twice it for a product\nsolve    jobs that end until all is fitted "+
			"anew; in between each moves its own coefficients\n"+common, newFitted)
}

// Mix is the mean of several predictors.
func Mix() Entry {
	return predictor("mix", "the mean of the log run times that several predictors give", "",
		"of       the predictors, joined by +, each with its default settings\nweights  a number per predictor, "+
			"separated by /, all the same unless stated\n"+common, newMix)
}

// Stack is an offset and a weighted sum of several predictors.
func Stack() Entry {
	return predictor("stack", "a weighted sum of the log run times that several predictors give, weights fitted to "+
		"jobs that ended", "Breiman, Machine Learning 24(1), 1996",
		"of       the predictors, joined by +, each with its default settings\nlambda   penalty of a weight's "+
			"distance from equal weights\nsolve    jobs that end until the weights are fitted anew, "+
			"0 = as they grow by half\n"+common, newStack)
}

func newNone(s *param.Set) (Predictor, error) { return nil, s.Err() }

// shared reads what all predictors share.
func shared(s *param.Set) options {
	return options{lognormal: s.Enum("law", "empirical", "lognormal") == "lognormal",
		refit:   s.Int("refit", 500, 0, 1<<30),
		history: s.Int("history", 20000, 0, 1<<30), bySize: true, sigma: -1,
		alike: s.Enum("errors", "size", "alike") == "alike"}
}

// keyed makes the constructor of a predictor by groups.
func keyed(levels ...level) func(s *param.Set) (Predictor, error) {
	return func(s *param.Set) (Predictor, error) {
		shrink, memory := 2.0, 1000.0
		if len(levels) > 1 {
			shrink, memory = s.Float("shrink", 2, 0, 1e6), s.Float("memory", 1000, 0, 1e9)
		}
		o := shared(s)
		o.bySize = len(levels) > 1
		return newOnline(newMeans(shrink, memory, levels...), o), s.Err()
	}
}

func newLast2(s *param.Set) (Predictor, error) { return newOnline(newLast(), shared(s)), s.Err() }

func newAsked(s *param.Set) (Predictor, error) {
	o := shared(s)
	o.raw = s.Bool("raw", false)
	if sigma := s.Float("sigma", 0, 0, 100); s.Has("sigma") {
		o.sigma, o.exact = sigma, sigma == 0
	}
	o.bySize = false
	return newOnline(newRequest(o.raw || o.exact), o), s.Err()
}

func newFitted(s *param.Set) (Predictor, error) {
	o := shared(s)
	return newOnline(newRidge(s.Float("lambda", 2, 1e-6, 1e6), s.Int("solve", 1000, 0, 1<<30)), o), s.Err()
}

func newMix(s *param.Set) (Predictor, error) {
	o := shared(s)
	m := &mix{parts: readParts(s)}
	m.weights = readWeights(s, len(m.parts))
	return newOnline(m, o), s.Err()
}

func newStack(s *param.Set) (Predictor, error) {
	o := shared(s)
	parts := readParts(s)
	e := &stack{mix: mix{parts, slices.Repeat([]float64{1}, len(parts))}, lambda: s.Float("lambda", 10, 1e-6, 1e6),
		every: s.Int("solve", 1000, 0, 1<<30), sums: newSums(len(parts))}
	return newOnline(e, o), s.Err()
}

// predictor is an entry of the list.
func predictor(name, doc, paper, params string, make func(s *param.Set) (Predictor, error)) Entry {
	return Entry{Name: name, Doc: doc, Paper: paper, Params: params, New: make}
}
