package train

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"tarry/env"
	"tarry/env/registry"
	"tarry/env/scenario"
	"tarry/env/trait"
	"tarry/internal/rundir"
	"tarry/sim/entry"
	"tarry/sim/param"
	"tarry/traces/columns"
)

// make makes the environment on a part of its windows. Where its trace was found does not show.
func (c *Config) make(p trait.Part) (env.Env, error) {
	if p == trait.Train {
		_, said, _ := strings.Cut(c.Env, ":")
		return c.maker.MakeAs(c.found, said)
	}
	id, options, _ := strings.Cut(c.found, ":")
	return c.maker.Make(id + ":" + param.Override(options, "part="+string(p)))
}

// traceOf is the value of an environment's option trace.
func traceOf(envText string) string {
	_, options, _ := strings.Cut(envText, ":")
	return param.Parse("", options).Text("trace", "")
}

// locate gives the text of an environment with the path at which the trace of a run is now. A path
// that is not absolute is looked up in the working directory, then in the run's folder and those
// above it; what counts is that the jobs equal the run's. The error states that there is none.
func locate(from entry.Traces, m *registry.Maker, dir, envText string) (string, error) {
	envText, err := locateScenario(from, dir, envText)
	if err == nil {
		envText, err = locateMixture(dir, envText)
	}
	if err != nil {
		return envText, err
	}
	id, options, _ := strings.Cut(envText, ":")
	trace := traceOf(envText)
	if trace == "" {
		return envText, nil
	}
	format, path := scenario.TraceFile(from, trace)
	if path == "" {
		return envText, nil
	}
	s, err := seenIn(dir)
	if err != nil {
		return envText, err
	}
	for _, at := range places(dir, path) {
		if _, err := os.Stat(at); err != nil {
			continue
		}
		text := id + ":" + param.Override(options, "trace="+param.Quote(format+at))
		if s.Trace == "" || hashOf(from, m, text, format+at) == s.Trace { // "" = of a run that has not begun
			return text, nil
		}
	}
	return envText, fmt.Errorf("trace %s with the jobs of the run is neither in the working directory nor in %s or "+
		"above it", trace, dir)
}

// seenIn reads what a run has seen; nothing where it has not begun.
func seenIn(dir string) (s seen, err error) {
	text, err := rundir.ReadFile(filepath.Join(dir, windowsName))
	if err != nil {
		return s, nil
	}
	if err := json.Unmarshal(text, &s); err != nil {
		return s, fmt.Errorf("%s: %w", windowsName, err)
	}
	return s, nil
}

// scenarioOf is the file that an environment's option scenario names; "" = none.
func scenarioOf(envText string) string {
	_, options, _ := strings.Cut(envText, ":")
	return param.Parse("", options).Text("scenario", "")
}

// locateScenario is locate for the file of the option scenario, whose content must equal the run's,
// with the content of the files that it names.
func locateScenario(from entry.Traces, dir, envText string) (string, error) {
	path := scenarioOf(envText)
	if path == "" {
		return envText, nil
	}
	s, err := seenIn(dir)
	if err != nil || s.Scenario == "" {
		return envText, err
	}
	id, options, _ := strings.Cut(envText, ":")
	for _, at := range places(dir, path) {
		if sum, ok := scenario.Sum(from, at); ok && sum.SHA256 == s.Scenario {
			return id + ":" + param.Override(options, "scenario="+param.Quote(at)), nil
		}
	}
	return envText, fmt.Errorf("scenario %s with the content that the run had, and the files that it names with "+
		"theirs, is neither in the working directory nor in %s or above it", path, dir)
}

// hashOf gives the hash of the jobs of a trace, which an environment is made from as a rule; ""
// where it cannot be read.
func hashOf(from entry.Traces, m *registry.Maker, envText, trace string) string {
	if m != nil {
		if e, err := m.Make(envText); err == nil {
			if on, ok := env.Find[scenario.Sourced](e); ok {
				_, hash := on.JobSource()
				return hash
			}
		}
	}
	_, options, _ := strings.Cut(envText, ":")
	w, err := scenario.OpenTrace(from, trace, param.Parse("", options).Text(columns.Option, ""))
	if err != nil {
		return ""
	}
	return w.Hash()
}

// places lists where a path may be.
func places(dir, path string) []string {
	list := []string{path}
	abs, err := filepath.Abs(dir)
	if filepath.IsAbs(path) || err != nil {
		return list
	}
	for {
		list = append(list, filepath.Join(abs, path))
		up := filepath.Dir(abs)
		if up == abs {
			return list
		}
		abs = up
	}
}
