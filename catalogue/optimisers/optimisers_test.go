package optimisers

import (
	"slices"
	"strings"
	"testing"

	"tarry/agents/search"
	"tarry/agents/search/searchtest"
	"tarry/sim/param"
)

// Every method of the catalogue passes the suite.
func TestOptimisersConform(t *testing.T) {
	for _, o := range All() {
		t.Run(o.Name, func(t *testing.T) {
			t.Parallel()
			searchtest.TestMethod(t, func(c search.Config) (search.Method,
				error) {
				return o.New(c, param.Parse(o.Name, ""))
			},
				slices.Contains([]string{"grid", "ucb1", "nelder-mead"}, o.Name))
		})
	}
}

// What the list states of settings is what New reads, and their defaults may be given.
func TestOptimiserParams(t *testing.T) {
	c := search.Config{Space: searchtest.Bowl().Space, Budget: 20, Windows: 4}
	for _, o := range All() {
		var given []string
		for line := range strings.SplitSeq(param.WithDefaults(o.Params, o.Settings()), "\n") {
			key, rest, _ := strings.Cut(line, " ")
			given = append(given, key+"="+strings.TrimSuffix(rest[strings.LastIndex(rest, "(")+1:], ")"))
		}
		if _, err := o.New(c, param.Parse(o.Name, strings.Join(given, ","))); err != nil {
			t.Errorf("%s with %v: %v", o.Name, given, err)
		}
	}
	for spec, want := range map[string]string{
		"cma": `optimiser "cma": unknown, expected one of random, halton, grid, nelder-mead, cmaes, tpe, gp, openai-es, halving, ucb1, thompson`,
		"cmaes:sigma=0,pop=2": "optimiser cmaes: sigma is \"0\", expected a number in " +
			"1e-06..10\noptimiser cmaes: unknown key \"pop\", expected one of population, sigma",
		"cmaes:population=1":             "optimiser cmaes: population is 1, expected at least 2",
		"halving:eta=1":                  "optimiser halving: eta is \"1\", expected a whole number in 2..100",
		"tpe:startup=0,candidates=x":     "startup is",
		"nelder-mead:step=1":             "step is",
		"gp:startup=-1":                  "startup is",
		"random:batch=0":                 "batch is",
		"thompson:arms=1":                "arms is",
		"openai-es:sigma=2,rate=0,pairs": "sigma is",
	} {
		if _, err := All().Open(spec, c, nil); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s gives %v, expected %s", spec, err, want)
		}
	}
	if _, err := All().Open("gp", search.Config{}, nil); err == nil ||
		err.Error() != "no parameter, expected at least one\nbudget is 0, expected at least 1 evaluation\nwindows "+
			"are 0, expected at least 1" {
		t.Errorf("an empty configuration gives %v", err)
	}
}
