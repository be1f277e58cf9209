package abi

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"tarry/run/parts"
	"tarry/run/pypolicy"
	"tarry/run/trial"
	"tarry/sim"
	"tarry/sim/cluster"
	"tarry/sim/entry"
	"tarry/sim/know"
)

// ownPolicy is a scheduler of the caller's.
type ownPolicy struct {
	// Name is NAME or NAME:key=value,... in settings and tables.
	Name string `json:"name"`
	// Knows are the permissions that it declares, by name.
	Knows []string `json:"knows"`
	// Source is the hash of what it is made of; results of another one are not taken again.
	Source string `json:"source"`
}

// isOwn reports whether a policy of the settings is the caller's.
func isOwn(own []ownPolicy, policy string) bool {
	return slices.ContainsFunc(own, func(o ownPolicy) bool { return o.Name == policy })
}

// withOwn gives catalogues in which the caller's schedulers stand beside the others.
func withOwn(from *parts.Catalogues, own []ownPolicy, caller *Caller) (*parts.Catalogues, error) {
	if len(own) == 0 {
		return from, nil
	}
	if caller == nil || caller.Decider == nil {
		return nil, errors.New("schedulers of the caller's, and nothing that decides for them")
	}
	out := *from
	out.Policies = slices.Clone(from.Policies)
	var errs []error
	for _, o := range own {
		name, _, _ := strings.Cut(o.Name, ":")
		if _, err := know.Parse(o.Knows); err != nil {
			errs = append(errs, fmt.Errorf("policy %s: %w", name, err))
		}
		i := slices.IndexFunc(out.Policies, func(p entry.Policy) bool { return p.Name == name })
		switch {
		case i < 0:
			out.Policies = append(out.Policies, ownEntry(name, own, caller.Decider))
		case i < len(from.Policies) && name == entry.Python: // this process runs its classes
			out.Policies[i] = ownEntry(name, own, caller.Decider)
		case i < len(from.Policies):
			errs = append(errs, fmt.Errorf("policy %s: a scheduler that tarry ships has that name, expected another: "+
				"the attribute name of the class, or {NAME: policy}", name))
		}
	}
	return &out, errors.Join(errs...)
}

// ownEntry is the row of all schedulers of one name.
func ownEntry(name string, own []ownPolicy, asker pypolicy.Asker) entry.Policy {
	find := func(text string) (int, error) {
		spec := name
		if text != "" {
			spec += ":" + text
		}
		i := slices.IndexFunc(own, func(o ownPolicy) bool { return o.Name == spec })
		if i < 0 {
			return 0, fmt.Errorf("policy %q: unknown, expected a scheduler that was handed over", spec)
		}
		return i, nil
	}
	return entry.Policy{Name: name, Doc: "a scheduler of the caller's",
		Open: func(text string, rule cluster.Rule) (sim.Policy, error) {
			i, err := find(text)
			if err != nil {
				return nil, err
			}
			knows, err := know.Parse(own[i].Knows)
			if err != nil {
				return nil, err
			}
			return pypolicy.New(i, knows, rule, asker), nil
		},
		Source: func(text string) string {
			if i, err := find(text); err == nil {
				return own[i].Source
			}
			return ""
		}}
}

// run runs trials, the caller's own ones one by one on this goroutine, the others on goroutines of
// their own. The number of workers changes no result.
func (c *Caller) run(ctx context.Context, all []trial.Trial, own func(*trial.Trial) bool,
	opt trial.Options) ([]*trial.Result, error) {
	var mine, others []int
	for i := range all {
		if own(&all[i]) {
			mine = append(mine, i)
		} else {
			others = append(others, i)
		}
	}
	if len(mine) == 0 && c == nil {
		return trial.Run(ctx, all, opt)
	}
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	out := make([]*trial.Result, len(all))
	var wrong error
	ended := make(chan struct{})
	start := func(workers int) {
		rest, options := make([]trial.Trial, len(others)), opt
		for k, i := range others {
			rest[k] = all[i]
		}
		options.Workers = workers
		go func() {
			defer close(ended)
			wrong = kept(func() error {
				found, err := trial.Run(ctx, rest, options)
				for k, i := range others {
					if err == nil {
						out[i] = found[k]
					}
				}
				return err
			})
		}()
	}
	if opt.Workers > 1 {
		start(opt.Workers - 1)
	}
	err := c.runOwn(ctx, all, mine, out, opt)
	if err != nil {
		stop()
	}
	if opt.Workers <= 1 {
		start(1)
	}
	if !c.Wait(ended) {
		stop()
		<-ended
		return nil, ErrStopped
	}
	if err != nil {
		return nil, err
	}
	return out, wrong
}

// runOwn runs the caller's trials; the first that fails ends them.
func (c *Caller) runOwn(ctx context.Context, all []trial.Trial, mine []int, out []*trial.Result,
	opt trial.Options) error {
	opt.Workers = 1
	for _, i := range mine {
		found, err := trial.Run(ctx, all[i:i+1], opt)
		if err != nil {
			return err
		}
		out[i] = found[0]
	}
	return nil
}
