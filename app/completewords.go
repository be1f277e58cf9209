package app

import (
	"tarry/sim/param"

	"slices"
	"strings"

	"tarry/env/schedenv"

	agents "tarry/agents/registry"
	"tarry/experiments/sweep"
	"tarry/output/results"
	"tarry/run/train"
	"tarry/run/tune"
	"tarry/sim/preset"
	"tarry/traces/synth"
)

// listWords lists the names that tarry list WHAT NAME accepts.
func (from program) listWords(what string) []candidate {
	if what == "questions" { // its entries count cells, which takes a moment
		var out []candidate
		for _, q := range from.Questions.Opened() {
			out = append(out, candidate{q.Name, q.Title})
		}
		return out
	}
	return named(from.entriesOf(what))
}

// entriesOf gives one of the lists; nil = there is no such.
func (from program) entriesOf(list string) []entry {
	for _, l := range from.lists() {
		if l.Name == list {
			return l.Entries()
		}
	}
	return nil
}

func (from program) traceWords() []candidate {
	var out []candidate
	for _, f := range from.Traces {
		if !f.Generated {
			out = append(out, candidate{f.Name + ":", f.Doc})
		}
	}
	return append(out, generatorWords("synth:")...)
}

func generatorWords(head string) []candidate {
	var out []candidate
	for _, p := range synth.Presets() {
		out = append(out, candidate{head + p.Name, p.Doc})
	}
	return out
}

func clusterNames() []string {
	var out []string
	for _, p := range preset.Clusters() {
		out = append(out, p.Name)
	}
	return out
}

func (from program) clusterFormats() []candidate {
	var out []candidate
	for _, f := range from.Clusters {
		out = append(out, candidate{f.Name + ":", f.Doc})
	}
	return out
}

// helpKeys lists the keys of a help text with one line per setting; indented lines continue the one
// before.
func helpKeys(help string) []candidate {
	var out []candidate
	for line := range strings.SplitSeq(help, "\n") {
		if key, doc, ok := strings.Cut(line, " "); ok && key != "" {
			out = append(out, candidate{strings.TrimSuffix(key, ":") + "=", strings.TrimSpace(doc)})
		}
	}
	return out
}

func (from program) policyKeys(name string) []candidate {
	for _, e := range from.Policies {
		if e.Name == name {
			return helpKeys(param.WithDefaults(e.Params, e.Settings()))
		}
	}
	return nil
}

func (from program) predictorKeys(name string) []candidate {
	for _, e := range from.Predictors {
		if e.Name == name {
			return helpKeys(param.WithDefaults(e.Params, e.Settings()))
		}
	}
	return nil
}

func (from program) operatorKeys(name string) []candidate {
	for _, e := range from.Operators {
		if e.Name == name {
			return helpKeys(param.WithDefaults(e.Params, e.Settings()))
		}
	}
	return nil
}

func (from program) layerKeys(name string) []candidate {
	l, ok := from.Layers.Find(name)
	if !ok {
		return nil
	}
	return helpKeys(param.WithDefaults(l.Params, l.Settings()))
}

func (from program) envKeys(name string) []candidate {
	e, err := from.Envs.Find(name)
	if err != nil {
		return nil
	}
	return helpKeys(param.WithDefaults(e.Help(), e.Settings(from.Catalogues.Catalogues)))
}

func (from program) optimiserKeys(name string) []candidate {
	for _, o := range from.Optimisers {
		if o.Name == name {
			return helpKeys(param.WithDefaults(o.Params, o.Settings()))
		}
	}
	return nil
}

// trainKeys are the settings of tarry train that all agents share.
func trainKeys() []string { return agents.Keys(train.Schedule{}) }

// onlyOfQuestion lists the sweeps of the question that was given.
func (from program) onlyOfQuestion(l *line) []candidate {
	for _, f := range l.flags {
		if f.flag.Names()[0] != "question" {
			continue
		}
		q, err := from.findQuestion(f.text)
		if err != nil {
			return nil
		}
		var out []candidate
		for _, s := range q.Specs(sweep.Tiny) {
			out = append(out, candidate{s.Name, ""})
		}
		return out
	}
	return nil
}

// choices lists the values of flags that are one of a few words.
func (from program) choices(l *line, flag string) []string {
	switch flag {
	case "format":
		switch l.command() {
		case "tarry trace split":
			return []string{"parquet", "csv"}
		case "tarry simulate", "tarry compare", "tarry eval":
			return []string{"table", "json", "csv"}
		}
		return []string{"table", "json"}
	case "speed":
		var out []string
		for _, form := range from.speedForms() {
			name, _, _ := strings.Cut(strings.TrimRight(form, ","), "[")
			name, _, more := strings.Cut(name, ":")
			if more && name == "table" {
				name += ":"
			}
			out = append(out, name)
		}
		return slices.Compact(out)
	case "which":
		return []string{"best", "last"}
	case "windows":
		if l.command() == "tarry eval" {
			return []string{string(schedenv.Test), string(schedenv.Validation), string(schedenv.Train)}
		}
	case "scale":
		return sweep.Scales()
	case "engine":
		return engineNames()
	case codecName:
		return results.Codecs()
	case "metric":
		return tune.Metrics()
	}
	return nil
}
