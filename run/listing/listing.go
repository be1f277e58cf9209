// Package listing lists what can be named, with a line of words for each: what tarry list prints,
// and what other languages show.
//
// Reading guide: All (listing.go) gives the lists of a set of catalogues; entries.go has them, one
// function each.
package listing

import (
	"tarry/env"
	"tarry/env/schedenv"
	"tarry/run/config"
	"tarry/run/parts"
	"tarry/sim/know"
	"tarry/sim/setting"
)

// Entry is one line of a list; more is shown indented below it.
type Entry struct {
	// Name, Doc and More are texts; More has lines.
	Name string `json:"name"`
	Doc  string `json:"doc"`
	More string `json:"more,omitempty"`
	// Paper is where it was published; "" = that is no question.
	Paper string `json:"paper,omitempty"`
	// Knows is what a policy, or an agent in an environment, reads of jobs beyond what they ask
	// for; "" = that is no question.
	Knows string `json:"knows,omitempty"`
	// Decides is what a policy decides; "" = that is no question.
	Decides string `json:"decides,omitempty"`
	// Setting has the other columns of a setting; nil = the entry is none.
	Setting *Columns `json:"setting,omitempty"`
	// Column has what else is stated of a column of jobs; nil = the entry is none.
	Column *Column `json:"column,omitempty"`
}

// Column is a column of a table of jobs beside its name and meaning; "" = it has none.
type Column struct {
	Unit string `json:"unit"`
	// Needed is yes, or what may stand in its place.
	Needed string `json:"needed"`
	// Spellings are other names that are read, Mapped names of other programs that trace_columns maps.
	Spellings string `json:"also_read"`
	Mapped    string `json:"map_from"`
}

// Columns are a setting's columns beside its name and meaning; "" = it has none.
type Columns struct {
	// Flag has its dashes. Default is the value that is taken where none is given, as users write
	// it.
	Flag    string `json:"flag"`
	Unit    string `json:"unit"`
	Range   string `json:"range"`
	Default string `json:"default"`
}

// List is one kind of what can be listed.
type List struct {
	Name, Usage string
	Entries     func() []Entry
}

// All gives the lists of what catalogues have, and of the settings of a run with more of a
// program's own.
func All(from *parts.Catalogues, more ...setting.Row) []List {
	w := with{from}
	c := config.Default()
	c.Extend(more...)
	lists := []List{
		{"policies", "the schedulers, their papers and parameters", w.policyEntries},
		{"traces", "the formats of traces and the generator's presets", w.traceEntries},
		{"columns", "the columns of a table of jobs: unit, meaning, which are needed, and other names of them",
			columnEntries},
		{"speeds", "the speed models and their options", w.speedEntries},
		{"layers", "layers of the program's own over the speed model, and their options; tarry ships none by name",
			w.layerEntries},
		{"predictors", "the predictors of run times, their papers and settings", w.predictorEntries},
		{"operators", "the operators of services, and their settings", w.operatorEntries},
		{"models", "the catalogue of networks", modelEntries},
		{"clusters", "the named clusters and where their figures come from, and the files that are read as one",
			w.clusterEntries},
		{"settings", "the settings of a run and its scenario: key, flag, unit, range, default and meaning",
			func() []Entry { return Settings(c.Settings()) }},
	}
	for _, r := range c.Settings() {
		if r.List != "" {
			lists = append(lists, List{r.List, r.ListDoc, func() []Entry { return choiceEntries(&r) }})
		}
	}
	return append(lists, []List{
		{"presets", "the named settings of --preset", presetEntries},
		{"envs", "the environments that agents are trained on, and their options", w.envEntries},
		{"agents", "the agents, their papers and settings", w.agentEntries},
		{"rewards", "the rewards of the environments over the simulator", rewardEntries},
		{"optimisers", "the optimisers of tarry tune, their papers and settings", w.optimiserEntries},
	}...)
}

// with has the catalogues whose entries are listed.
type with struct{ *parts.Catalogues }

// KnowsText reports what is known of jobs in one line.
func KnowsText(k know.Set) string {
	if k.Clairvoyant() {
		return "knows of jobs: " + k.String() + " (clairvoyant: work is the work that is left)"
	}
	if k&know.History != 0 {
		return "knows of jobs: " + k.String() + " (clairvoyant with --history self: that is the work of the run's " +
			"own jobs)"
	}
	return "knows of jobs: " + k.String()
}

// EnvKnows is what an agent knows of jobs in an environment with some options; false = there are no
// jobs.
func EnvKnows(from *parts.Catalogues, text string) (know.Set, bool) {
	e, err := from.Envs.Make(from.Catalogues, text)
	if err != nil {
		return 0, false
	}
	on, ok := env.Find[schedenv.Simulated](e)
	if !ok {
		return 0, false
	}
	return on.AsPolicy(nil).Knows(), true
}
