package pyentry

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"sync"

	"tarry/internal/legible"
	"tarry/internal/release"
	"tarry/run/pychild"
	"tarry/run/pypolicy"
	"tarry/sim"
	"tarry/sim/cluster"
	"tarry/sim/entry"
	"tarry/sim/know"
	"tarry/sim/param"
)

// Config states how Python is run.
type Config struct {
	// Python is the interpreter; "" = TARRY_PYTHON, and python3 without it.
	Python string
	// Stderr gets what policies print, from many goroutines; nil = standard error.
	Stderr io.Writer
}

// Entry is the row of the catalogue.
func Entry(c Config) entry.Policy {
	if c.Stderr == nil {
		c.Stderr = pychild.Shared(legible.NewWriter(os.Stderr))
	}
	all := &classes{cfg: c, known: map[string]*class{}}
	row := entry.PythonRow()
	row.Keys = all.keys
	row.Open = func(text string, rule cluster.Rule) (sim.Policy, error) { return all.open(text, rule) }
	row.Source = func(text string) string {
		if found, err := all.find(text); err == nil {
			return found.is.Source
		}
		return ""
	}
	return row
}

// classes are the policies that were asked for.
type classes struct {
	cfg   Config
	mu    sync.Mutex
	known map[string]*class // by MODULE:CLASS,key=value,...
	idle  []*class          // whose processes wait for a trial
}

// mostIdle is how many processes wait for a trial: a sweep asks many classes before it runs one.
const mostIdle = 4

// class is a policy with its settings: what Python states of it.
type class struct {
	ask     sync.Once
	is      made
	err     error
	process *pychild.Process // the process that stated it, until a trial takes it; nil = none waits
}

// made is the greeting of a process.
type made struct {
	Version string   `json:"version"`
	Knows   []string `json:"knows"`
	// Keys are the keyword arguments of the class.
	Keys []string `json:"keys"`
	// Source is the hash of the file of the class and of the object that was made; Stable states that
	// each process gives the same.
	Source string `json:"source"`
	Stable bool   `json:"stable"`
}

// misnamed is the error of a policy that the user named in a wrong way, in Python's words.
type misnamed string

func (m misnamed) Error() string { return string(m) }

// find gives what Python states of a policy, and asks it once.
func (a *classes) find(text string) (*class, error) {
	a.mu.Lock()
	c, ok := a.known[text]
	if !ok {
		c = &class{}
		a.known[text] = c
	}
	a.mu.Unlock()
	c.ask.Do(func() {
		p, is, err := a.start(text)
		if c.is, c.err = is, err; err == nil {
			a.wait(c, p)
		}
	})
	return c, c.err
}

// wait keeps the process of a class for a trial, and ends the process that waits longest if there are
// too many.
func (a *classes) wait(c *class, p *pychild.Process) {
	a.mu.Lock()
	c.process = p
	a.idle = append(a.idle, c)
	var late *pychild.Process
	if len(a.idle) > mostIdle {
		late = a.idle[0].process
		a.idle[0].process = nil
		a.idle = a.idle[1:]
	}
	a.mu.Unlock()
	if late != nil {
		late.End()
	}
}

// waiting takes the process of a class that waits; nil = there is none.
func (a *classes) waiting(c *class) *pychild.Process {
	a.mu.Lock()
	defer a.mu.Unlock()
	p := c.process
	c.process = nil
	a.idle = slices.DeleteFunc(a.idle, func(one *class) bool { return one == c })
	return p
}

// keys lists the keyword arguments of a class: of the class alone, where it needs none.
func (a *classes) keys(text string) []param.Setting {
	class, _, _ := strings.Cut(text, ",")
	found, err := a.find(class)
	if err != nil {
		if found, err = a.find(text); err != nil {
			return nil
		}
	}
	out := make([]param.Setting, len(found.is.Keys))
	for i, key := range found.is.Keys {
		out[i] = param.Setting{Key: key}
	}
	return out
}

func (a *classes) open(text string, rule cluster.Rule) (sim.Policy, error) {
	wrong := func(err error) error { return fmt.Errorf("policy %s:%s: %w", entry.Python, text, err) }
	if module, name, _ := strings.Cut(text, ":"); module == "" || name == "" {
		return nil, wrong(errors.New("expected " + entry.PythonForm))
	}
	found, err := a.find(text)
	switch {
	case errors.As(err, new(misnamed)): // it names the policy
		return nil, err
	case err != nil:
		return nil, wrong(err)
	}
	knows, err := know.Parse(found.is.Knows)
	if err != nil {
		return nil, wrong(err)
	}
	return pypolicy.New(0, knows, rule, &child{of: found, start: func() (*pychild.Process, error) {
		return a.another(found, text)
	}}), nil
}

// another gives a process for one trial: the first that was started, and then new ones.
func (a *classes) another(of *class, text string) (*pychild.Process, error) {
	if p := a.waiting(of); p != nil {
		return p, nil
	}
	p, is, err := a.start(text)
	if err == nil && of.is.Stable && is.Source != of.is.Source {
		p.End()
		err = errors.New("its source changed while it runs, expected the same file in all trials: run it anew")
	}
	return p, err
}

// start launches a process and reads what it states.
func (a *classes) start(text string) (p *pychild.Process, is made, err error) {
	python := a.cfg.Python
	if python == "" {
		python = os.Getenv("TARRY_PYTHON")
	}
	if python == "" {
		python = "python3"
	}
	c := pychild.Config{Python: python, Named: "TARRY_PYTHON", Module: "tarry._child", Args: []string{text},
		Stderr: a.cfg.Stderr}
	if os.Getenv("PYTHONHASHSEED") == "" { // else sets of texts have another order in each process
		c.Env = []string{"PYTHONHASHSEED=0"}
	}
	if p, err = pychild.Start(context.Background(), c); err != nil {
		return nil, is, err
	}
	defer func() {
		if err != nil {
			p.End()
		}
	}()
	kind, body, err := p.Next()
	switch {
	case err != nil:
	case kind == refused:
		err = misnamed(body)
	case kind != pychild.Greeting:
		err = fmt.Errorf("a frame of kind %q, expected a greeting", kind)
	default:
		err = json.Unmarshal(body, &is)
	}
	if err == nil && is.Version != release.Version {
		err = fmt.Errorf("the package tarry of %s has version %s, expected %s", python, is.Version, release.Version)
	}
	return p, is, err
}
