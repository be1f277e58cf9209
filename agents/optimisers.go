package agents

import (
	"fmt"
	"strings"

	"tarry/agents/search"
	"tarry/agents/search/bandit"
	"tarry/agents/search/cmaes"
	"tarry/agents/search/gpei"
	"tarry/agents/search/gridsearch"
	"tarry/agents/search/halton"
	"tarry/agents/search/halving"
	"tarry/agents/search/neldermead"
	"tarry/agents/search/openaies"
	"tarry/agents/search/randomsearch"
	"tarry/agents/search/tpe"
	"tarry/sim/param"
)

// Optimiser is one method of the catalogue that looks for static parameters.
type Optimiser struct {
	// Name is what users write, Doc one line on what it does, Paper where it was published.
	Name, Doc, Paper string
	// Params has one line per setting: key, meaning, (default).
	Params string
	// New reads the settings and gives a fresh method; the error joins every fault.
	New func(c search.Config, s *param.Set) (search.Method, error)
}

// Optimisers is a catalogue of methods, in the order in which they are shown. AllOptimisers gives those that tarry ships; a
// program may append its own.
type Optimisers []Optimiser

// AllOptimisers lists the methods that tarry ships.
func AllOptimisers() Optimisers {
	return Optimisers{
		{"random", "independent points: the floor under all others", "Bergstra and Bengio, JMLR 13, 2012", randomsearch.Params, randomsearch.New},
		{"halton", "a scrambled Halton sequence, which fills the space evenly", "Owen, arXiv 1706.02808", halton.Params, halton.New},
		{"grid", "a grid, bounds included, as fine as the budget allows", "textbook", gridsearch.Params, gridsearch.New},
		{"nelder-mead", "the downhill simplex; few parameters, one point at a time", "Nelder and Mead, Computer Journal 7, 1965", neldermead.Params, neldermead.New},
		{"cmaes", "evolution strategy with an adapted covariance; many evaluations", "Hansen, arXiv 1604.00772", cmaes.Params, cmaes.New},
		{"tpe", "Parzen estimators of good and bad points; choices too", "Bergstra et al., NIPS 2011", tpe.Params, tpe.New},
		{"gp", "Gaussian process with expected improvement; few evaluations", "Jones et al., J. Global Optimization 13, 1998", gpei.Params, gpei.New},
		{"openai-es", "gradient of ranks from mirrored pairs", "Salimans et al., arXiv 1703.03864", openaies.Params, openaies.New},
		{"halving", "successive halving: many points on few windows, few on all", "Jamieson and Talwalkar, AISTATS 2016", halving.Params, halving.New},
		{"ucb1", "a grid as a bandit, by upper confidence bounds", "Auer et al., Machine Learning 47, 2002", bandit.Params, bandit.NewUCB1},
		{"thompson", "a grid as a bandit, by draws from the posterior", "Honda and Takemura, AISTATS 2014", bandit.Params, bandit.NewThompson},
	}
}

// Settings lists the settings with the ranges and defaults of the code that reads them.
func (o *Optimiser) Settings() []param.Setting {
	s := param.Parse("", "")
	c := search.Config{Budget: 1000, Windows: 8, Space: search.Space{{Name: "x", Lo: 0, Hi: 1}, {Name: "y", Lo: 0, Hi: 1}}}
	if _, err := o.New(c, s); err != nil { // defaults are no fault; tests hold it
		return nil
	}
	return s.Settings()
}

// Open starts NAME or NAME:key=value,..., or resumes from what it saved; saved nil = anew. The error joins
// every fault.
func (all Optimisers) Open(spec string, c search.Config, saved []byte) (*search.Optimiser, error) {
	name, text, _ := strings.Cut(spec, ":")
	name = strings.TrimSpace(name)
	var names []string
	for _, o := range all {
		if o.Name != name {
			names = append(names, o.Name)
			continue
		}
		if err := c.Validate(); err != nil {
			return nil, err
		}
		m, err := o.New(c, param.Parse("optimiser "+name, text))
		if err != nil {
			return nil, err
		}
		if saved == nil {
			return search.New(spec, c, m)
		}
		return search.Load(spec, c, m, saved)
	}
	return nil, fmt.Errorf("optimiser %q: unknown, expected one of %s%s", name, strings.Join(names, ", "), param.Hint(name, names))
}
