package pyactor

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os/exec"
	"strings"
	"sync"
	"time"

	"tarry/env"
	"tarry/sim/param"
)

// process is one interpreter with the policy. One goroutine asks it at a time.
type process struct {
	cmd    *exec.Cmd
	in     io.WriteCloser
	out    *bufio.Reader
	said   *tail
	ended  func() error // waits once
	sha256 string
	write  []byte
	read   []byte
}

// patience is how long a process that was killed may keep its pipes open: a child of its own holds
// them.
const patience = time.Second

func launch(ctx context.Context, c *Config) (*process, error) {
	p := &process{said: &tail{to: c.Stderr}}
	p.cmd = exec.CommandContext(ctx, c.Python, "-m", "tarry.actor", c.Function)
	p.cmd.Stderr, p.cmd.WaitDelay = p.said, patience
	in, err := p.cmd.StdinPipe()
	if err != nil {
		return nil, err
	}
	out, err := p.cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := p.cmd.Start(); err != nil {
		return nil, fmt.Errorf("%w: expected a Python with the package tarry, named by --python or TARRY_PYTHON", err)
	}
	p.in, p.out, p.ended = in, bufio.NewReader(out), sync.OnceValue(p.cmd.Wait)
	return p, nil
}

// start launches a process and has it make its policy. The process is there with an error too, if
// it was launched.
func start(ctx context.Context, c *Config) (*process, error) {
	p, err := launch(ctx, c)
	if err == nil {
		err = p.greet(c)
	}
	return p, err
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
	if err := p.send(append(frame(nil, greeting, len(text)), text...)); err != nil {
		return err
	}
	body, err := p.receive(greeting)
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
	if err := p.send(p.write); err != nil {
		return err
	}
	body, err := p.receive(answer)
	if err != nil {
		return err
	}
	return numbers(dst, body)
}

func (p *process) send(b []byte) error {
	if _, err := p.in.Write(b); err != nil {
		return p.fallen(err)
	}
	return nil
}

// receive reads a frame of a kind; what Python raised is an error, and so is its end.
func (p *process) receive(want byte) ([]byte, error) {
	kind, body, err := receive(p.out, p.read)
	p.read = body
	switch {
	case err != nil:
		return nil, p.fallen(err)
	case kind == fault:
		return nil, fmt.Errorf("Python raised\n%s", last(string(bytes.ToValidUTF8(body, []byte("?")))))
	case kind != want:
		return nil, fmt.Errorf("a frame of kind %q, expected %q", kind, want)
	}
	return body, nil
}

// fallen is the error of a process that is gone.
func (p *process) fallen(err error) error {
	_ = p.in.Close()
	if end := p.ended(); end != nil {
		err = end
	} else if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
		err = errors.New("exit status 0")
	}
	text := fmt.Sprintf("%s -m tarry.actor ended: %v", p.cmd.Args[0], err)
	if said := p.said.String(); said != "" {
		text += "; its last output was\n" + said
	}
	if strings.Contains(text, "No module named") {
		text += "\nexpected a Python with the package tarry and the module, named by --python or TARRY_PYTHON"
	}
	return errors.New(text)
}

// end waits for a process whose context has ended.
func (p *process) end() {
	_ = p.in.Close()
	_ = p.ended()
}
