package pyentry

import (
	"context"
	"errors"
	"fmt"
	"regexp"
	"strconv"
	"sync"

	"tarry/run/pychild"
	"tarry/run/pypolicy"
)

// child decides for the sessions of one trial: its run, and copies of it from snapshots. It is a
// pypolicy.Apart.
type child struct {
	of    *class
	start func() (*pychild.Process, error)

	mu       sync.Mutex // held while it is asked
	ctx      context.Context
	process  *pychild.Process
	fell     error // after which it is not asked any more
	sessions map[*pypolicy.Session]*session
	count    int64
	frame    []byte
}

// session is what both sides have of a run.
type session struct {
	number int64
	words  []int64 // the buffer of operations; nil = it never decided
}

// Until implements pypolicy.Apart.
func (c *child) Until(ctx context.Context) { c.ctx = ctx }

// begun gives the process, which is started at the first question.
func (c *child) begun() (*pychild.Process, error) {
	if c.process == nil && c.fell == nil {
		p, err := c.start()
		if err != nil {
			return nil, c.failed(err)
		}
		c.process, c.sessions = p, map[*pypolicy.Session]*session{}
		if c.ctx != nil {
			p.Until(c.ctx)
		}
	}
	return c.process, c.fell
}

// failed notes an error; the end of the run comes before what follows from it.
func (c *child) failed(err error) error {
	if c.ctx != nil && c.ctx.Err() != nil {
		err = c.ctx.Err()
	}
	c.fell = err
	return err
}

func (c *child) session(of *pypolicy.Session) *session {
	found, ok := c.sessions[of]
	if !ok {
		found = &session{number: c.count}
		c.sessions[of] = found
		c.count++
	}
	return found
}

// Decide implements pypolicy.Asker.
func (c *child) Decide(of *pypolicy.Session) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	p, err := c.begun()
	if err != nil {
		return err
	}
	s := c.session(of)
	if n := of.Room(); len(s.words) < n {
		s.words = make([]int64, n)
	}
	head := of.DoApart(pypolicy.OpHeader, s.words)
	c.frame = words(c.frame, decide, []int64{s.number, int64(len(s.words))}, s.words[:head])
	if err := p.Send(c.frame); err != nil {
		return c.failed(err)
	}
	for {
		kind, body, err := p.Next()
		switch {
		case err != nil:
			return c.failed(err)
		case kind == done:
			return nil
		case kind != operation:
			return c.failed(fmt.Errorf("a frame of kind %q, expected an operation", kind))
		}
		op, err := request(s.words, body)
		if err != nil {
			return c.failed(err)
		}
		n := of.DoApart(op, s.words)
		c.frame = words(c.frame, answer, s.words[:n])
		if err := p.Send(c.frame); err != nil {
			return c.failed(err)
		}
	}
}

// Clone implements pypolicy.Asker.
func (c *child) Clone(of, to *pypolicy.Session) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.process == nil || c.fell != nil {
		return c.fell // nothing was decided: the copy begins as the run does
	}
	if _, ok := c.sessions[of]; !ok {
		return nil
	}
	_, err := c.ask(clone, done, c.session(of).number, c.session(to).number)
	return err
}

// ask sends a frame of words and waits for one of a kind.
func (c *child) ask(kind, want byte, w ...int64) ([]byte, error) {
	c.frame = words(c.frame, kind, w)
	if err := c.process.Send(c.frame); err != nil {
		return nil, c.failed(err)
	}
	body, err := c.process.Receive(want)
	if err != nil {
		return nil, c.failed(err)
	}
	return body, nil
}

// End implements pypolicy.Asker: the process ends with its last session.
func (c *child) End(of *pypolicy.Session) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.process == nil {
		return
	}
	s, ok := c.sessions[of]
	delete(c.sessions, of)
	if len(c.sessions) > 0 {
		if ok && c.fell == nil {
			c.frame = words(c.frame, drop, []int64{s.number})
			if err := c.process.Send(c.frame); err != nil {
				_ = c.failed(err)
			}
		}
		return
	}
	c.process.End()
	c.process, c.fell = nil, errors.New("its run has ended")
}

// refusal is how the kernel names a decision that breaks a rule.
var refusal = regexp.MustCompile(`\bdecision (\d+), [a-z-]+ of `)

// Explain implements pypolicy.Apart.
func (c *child) Explain(of *pypolicy.Session, err error) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	found := refusal.FindStringSubmatch(err.Error())
	if found == nil || c.process == nil || c.fell != nil || c.sessions[of] == nil {
		return err
	}
	n, _ := strconv.ParseInt(found[1], 10, 64)
	if line, fault := c.ask(where, where, c.sessions[of].number, n); fault == nil && len(line) > 0 {
		return fmt.Errorf("%w; decided at %s", err, line)
	}
	return err
}
