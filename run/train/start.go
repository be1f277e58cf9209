package train

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"slices"
	"strconv"
	"strings"

	agents "tarry/agents/registry"
	"tarry/env"
	"tarry/env/trait"
	"tarry/internal/rundir"
	"tarry/sim/param"
)

// startKey is the setting of agents that start from parameters of their environment.
const startKey = "start"

// startFrom puts numbers in place of a setting start that is a file of tarry export weights or the
// folder of a policy search. What the text states beside them becomes options of the environment,
// where it has not been given others: the run needs neither file nor folder afterwards.
func (c *Config) startFrom(given []agents.Setting) ([]agents.Setting, error) {
	for i, s := range given {
		if s.Key != startKey || isNumbers(s.Value) || c.spec == nil {
			continue
		}
		numbers, err := c.imported(s.Value)
		if err != nil {
			return slices.Delete(given, i, i+1), s.Errorf("%s is %q: %v", startKey, s.Value, err)
		}
		given[i].Value = numbers
	}
	return given, nil
}

// isNumbers reports whether a setting is a list of numbers already.
func isNumbers(text string) bool {
	text = strings.TrimSpace(text)
	first, _, _ := strings.Cut(text, ",")
	_, err := param.ParseFloat(strings.TrimSpace(first))
	return err == nil || strings.HasPrefix(text, "[")
}

// imported takes options out of a text, and gives its numbers.
func (c *Config) imported(path string) (string, error) {
	text, err := c.weights(path)
	if err != nil {
		return "", err
	}
	e, err := c.make(trait.Train)
	if err != nil {
		return "", err
	}
	on, ok := env.Find[trait.Importer](e)
	if !ok {
		return "", errors.Join(fmt.Errorf("parameters of %s have no text, expected an environment such as "+
			"tarry/Order-v0", e.Spec().ID), e.Close())
	}
	params, options, err := on.Import(path, bytes.NewReader(text))
	if err = errors.Join(err, e.Close()); err != nil {
		return "", err
	}
	c.Env, c.found = under(c.Env, options), under(c.found, options)
	var out []string
	for _, x := range params {
		out = append(out, strconv.FormatFloat(x, 'g', -1, 64))
	}
	return strings.Join(out, ","), c.checkEnv()
}

// under adds options to an environment's text that it does not have.
func under(text, options string) string {
	id, own, _ := strings.Cut(text, ":")
	for _, s := range param.Split(own) {
		key, _, _ := strings.Cut(s, "=")
		options = param.Without(options, strings.TrimSpace(key))
	}
	return id + ":" + strings.Trim(own+","+options, ",")
}

// weights is the text of a file, or of the best agent of a policy search in a folder.
func (c *Config) weights(path string) ([]byte, error) {
	if at, err := os.Stat(path); err != nil {
		return nil, fmt.Errorf("%w, expected numbers, a file of tarry export weights or the folder of a policy search",
			err)
	} else if !at.IsDir() {
		return rundir.ReadFile(path)
	}
	t, err := Open(c.from, path, "best")
	if err != nil {
		return nil, err
	}
	text, err := t.Env()
	if err != nil {
		return nil, err
	}
	e, err := t.Config.maker.Make(text)
	if err != nil {
		return nil, err
	}
	defer e.Close()
	p, err := t.Policy(e.Spec())
	if err != nil {
		return nil, err
	}
	x, ok := agents.Vector(p)
	on, exports := env.Find[trait.Exporter](e)
	if !ok || !exports {
		return nil,
			fmt.Errorf("%s holds %s in %s, expected an agent of policy search over parameters that have a text", path,
				t.Config.Agent, e.Spec().ID)
	}
	var out bytes.Buffer
	err = on.Export(&out, x)
	return out.Bytes(), err
}
