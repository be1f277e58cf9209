package pychild

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"
	"sync"
	"time"
)

// Config states what is launched.
type Config struct {
	// Python is the interpreter, Named how a user names another one, for errors.
	Python, Named string
	// Module is a module of the package tarry, Args its arguments, Env what is added to the environment.
	Module string
	Args   []string
	Env    []string
	// Stderr gets what it prints, from a goroutine of the process; nil = none.
	Stderr io.Writer
}

// Process is an interpreter. One goroutine sends to it and receives at a time.
type Process struct {
	cfg    Config
	cmd    *exec.Cmd
	in     io.WriteCloser
	out    *bufio.Reader
	said   *tail
	leave  func()       // has it end by itself
	unbind func() bool  // from the context that kills it
	ended  func() error // waits once
	read   []byte
}

// patience is how long a process has to end by itself when nothing is asked of it any more, and one
// that was killed may keep its pipes open: a child of its own holds them.
const patience = 2 * time.Second

// Start launches a process, which is killed when ctx ends.
func Start(ctx context.Context, c Config) (*Process, error) {
	p := &Process{cfg: c, said: &tail{to: c.Stderr}}
	asked, leave := context.WithCancel(context.Background())
	p.cmd = exec.CommandContext(asked, c.Python, append([]string{"-m", c.Module}, c.Args...)...)
	p.cmd.Cancel = func() error { return p.in.Close() } // and killed after WaitDelay
	p.cmd.Stderr, p.cmd.WaitDelay, p.leave = p.said, patience, leave
	if len(c.Env) > 0 {
		p.cmd.Env = append(os.Environ(), c.Env...)
	}
	var err error
	if p.in, err = p.cmd.StdinPipe(); err != nil {
		return nil, err
	}
	out, err := p.cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := p.cmd.Start(); err != nil {
		return nil, fmt.Errorf("%w: expected a Python with the package tarry, named by %s", err, c.Named)
	}
	p.out, p.ended = bufio.NewReader(out), sync.OnceValue(p.cmd.Wait)
	p.Until(ctx)
	return p, nil
}

// Send writes a frame.
func (p *Process) Send(frame []byte) error {
	if _, err := p.in.Write(frame); err != nil {
		return p.fallen(err)
	}
	return nil
}

// Next reads a frame, whose body lasts until the next one; what Python raised is an error, and so is
// its end.
func (p *Process) Next() (kind byte, body []byte, err error) {
	kind, body, err = ReadFrame(p.out, p.read)
	p.read = body
	switch {
	case err != nil:
		return 0, nil, p.fallen(err)
	case kind == Fault:
		return 0, nil, fmt.Errorf("Python raised\n%s", last(string(bytes.ToValidUTF8(body, []byte("?")))))
	}
	return kind, body, nil
}

// Receive reads a frame of a kind.
func (p *Process) Receive(want byte) ([]byte, error) {
	kind, body, err := p.Next()
	if err == nil && kind != want {
		err = fmt.Errorf("a frame of kind %q, expected %q", kind, want)
	}
	return body, err
}

// fallen is the error of a process that is gone.
func (p *Process) fallen(err error) error {
	_ = p.in.Close()
	if end := p.ended(); end != nil {
		err = end
	} else if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
		err = errors.New("exit status 0")
	}
	text := fmt.Sprintf("%s -m %s ended: %v", p.cfg.Python, p.cfg.Module, err)
	if said := p.said.String(); said != "" {
		text += "; its last output was\n" + said
	}
	if strings.Contains(text, "No module named") {
		text += "\nexpected a Python with the package tarry and the module, named by " + p.cfg.Named
	}
	return errors.New(text)
}

// Until has the process killed when ctx ends, in place of the context before.
func (p *Process) Until(ctx context.Context) {
	if p.unbind != nil {
		p.unbind()
	}
	p.unbind = context.AfterFunc(ctx, func() { _ = p.cmd.Process.Kill() })
}

// End lets the process end, as it does when nothing can be asked any more, and waits for it; one that
// does not is killed.
func (p *Process) End() {
	p.leave()
	_ = p.ended()
	p.unbind()
}

// Ended reports whether the process has ended and was waited for.
func (p *Process) Ended() bool { return p.cmd.ProcessState != nil }

// Shared gives a writer for many goroutines.
func Shared(w io.Writer) io.Writer { return &shared{to: w} }

type shared struct {
	mu sync.Mutex
	to io.Writer
}

func (s *shared) Write(b []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.to.Write(b)
}
