package pyactor

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"

	"tarry/env"
	"tarry/run/pychild"
	"tarry/sim/param"
)

// process is one interpreter with the policy. One goroutine asks it at a time.
type process struct {
	*pychild.Process
	sha256 string
	write  []byte
}

// start launches a process and has it make its policy. The process is there with an error too, if
// it was launched.
func start(ctx context.Context, c *Config) (*process, error) {
	child, err := pychild.Start(ctx, pychild.Config{Python: c.Python, Named: "--python or TARRY_PYTHON",
		Module: "tarry.actor", Args: []string{c.Function}, Stderr: c.Stderr})
	if err != nil {
		return nil, err
	}
	p := &process{Process: child}
	return p, p.greet(c)
}

// wanted is what a process has to make: an environment and its options.
type wanted struct {
	Env     string            `json:"env"`
	Options map[string]string `json:"options"`
}

// made is what it made: the version of its package, how many numbers pass, and the hash of the
// policy.
type made struct {
	Version string `json:"version"`
	Obs     int    `json:"obs"`
	Mask    int    `json:"mask"`
	Action  int    `json:"action"`
	SHA256  string `json:"sha256"`
}

// greet has the process make its policy.
func (p *process) greet(c *Config) error {
	id, options, _ := strings.Cut(c.Env, ":")
	want := wanted{id, map[string]string{}}
	set := param.Parse("", options)
	for _, key := range set.Keys() {
		if key != "part" { // who makes a policy steps through no windows but training's
			want.Options[key] = set.Text(key, "")
		}
	}
	text, err := json.Marshal(want)
	if err != nil {
		return err
	}
	if err := p.Send(append(pychild.Frame(nil, pychild.Greeting, len(text)), text...)); err != nil {
		return err
	}
	body, err := p.Receive(pychild.Greeting)
	if err != nil {
		return err
	}
	var is made
	if err := json.Unmarshal(body, &is); err != nil {
		return fmt.Errorf("greeting of Python: %w", err)
	}
	mask := 0
	if c.Spec.Masked {
		mask = env.MaskLen(c.Spec.Action)
	}
	should := made{c.Version, c.Spec.Observation.Len(), mask, c.Spec.Action.Len(), is.SHA256}
	if is != should {
		return fmt.Errorf("the package tarry of %s has version %s and %s with %d, %d and %d numbers in observation, "+
			"mask and action; expected version %s with %d, %d and %d",
			c.Python, is.Version, id, is.Obs, is.Mask, is.Action, should.Version, should.Obs, should.Mask,
			should.Action)
	}
	p.sha256 = is.SHA256
	return nil
}

// ask has the policy answer.
func (p *process) ask(dst, obs []float64, mask []bool) error {
	p.write = ask(p.write, obs, mask)
	if err := p.Send(p.write); err != nil {
		return err
	}
	body, err := p.Receive(answer)
	if err != nil {
		return err
	}
	return numbers(dst, body)
}
