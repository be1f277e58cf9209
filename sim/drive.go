package sim

import "context"

// Run drives a policy to the end of the run, or until ctx is cancelled.
func Run(ctx context.Context, cfg Config, p Policy, obs ...Observer) (*Engine, error) {
	e, err := New(cfg, obs...)
	if err != nil {
		return nil, err
	}
	e.Permit(p.Knows())
	return e, e.Drive(ctx, p, nil)
}

// Drive lets p decide every instant from the next one on, to the end of the run or until ctx is
// cancelled. look, if it is not nil, gets the view of each instant before p; when it returns
// false, Drive ends there and the decision of that instant is pending.
func (e *Engine) Drive(ctx context.Context, p Policy, look func(*View) (bool, error)) error {
	var out []Decision
	e.ctx = ctx
	defer func() { e.ctx = nil }()
	for {
		if err := ctx.Err(); err != nil {
			return err
		}
		v, ok, err := e.Next()
		if err != nil || !ok {
			return err
		}
		if look != nil {
			if ok, err := look(v); err != nil || !ok {
				return err
			}
		}
		out = p.Decide(v, out[:0])
		if e.cancelled { // the decision may be half made
			e.cancelled = false
			return ctx.Err()
		}
		if err := e.Apply(out); err != nil {
			return err
		}
	}
}
