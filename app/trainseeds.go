package app

import (
	"context"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/urfave/cli/v2"

	"tarry/run/train"
)

// trainRun is one of the runs of tarry train: what it is given, and how it ended.
type trainRun struct {
	cfg       train.Config
	out, plot string // plot = "" draws nothing
	outcome   train.Outcome
	err       error
}

// mostSeeds bounds --seeds: all its runs are in memory at once.
const mostSeeds = 100

// trainRuns resolves the runs that the command line asks for: one, or one for each of --seeds.
func (from program) trainRuns(c *cli.Context) ([]trainRun, error) {
	out, plot := c.String("out"), c.String("plot")
	if !c.IsSet("seeds") {
		var seed *uint64
		if c.IsSet("seed") {
			v := c.Uint64("seed")
			seed = &v
		}
		cfg, err := from.trainConfig(c, out, seed)
		return []trainRun{{cfg: cfg, out: out, plot: plot}}, err
	}
	seeds, err := parseSeeds(c.String("seeds"))
	if c.IsSet("seed") {
		err = errors.Join(err, errors.New("--seed and --seeds are both given, expected one of them"))
	}
	if err != nil {
		return nil, err
	}
	var runs []trainRun
	for _, seed := range seeds {
		r := trainRun{out: filepath.Join(out, fmt.Sprint(seed))}
		if plot != "" {
			r.plot = filepath.Join(plot, fmt.Sprint(seed))
		}
		if r.cfg, err = from.trainConfig(c, r.out, &seed); err != nil {
			if len(runs) == 0 { // what is wrong with the settings is so for every seed
				return nil, err
			}
			return nil, fmt.Errorf("seed %d: %w", seed, err)
		}
		runs = append(runs, r)
	}
	return runs, nil
}

// unused refuses folders that hold runs already, before the first of several runs begins.
func (from program) unused(c *cli.Context, runs []trainRun) error {
	if c.Bool("resume") || !c.IsSet("seeds") {
		return nil
	}
	var errs []error
	for _, r := range runs {
		if _, err := train.Recorded(&from.Catalogues, r.out); !errors.Is(err, os.ErrNotExist) {
			errs = append(errs, fmt.Errorf("%s holds a run already; --resume continues it, another folder starts anew",
				r.out))
		}
	}
	return errors.Join(errs...)
}

// parseSeeds reads seeds and ranges of seeds, separated by commas.
func parseSeeds(text string) ([]uint64, error) {
	wrong := func() ([]uint64, error) {
		return nil, fmt.Errorf("--seeds: %q, expected up to %d different seeds in 0..%d, such as 1-3 or 1,4,9", text,
			mostSeeds, math.MaxInt64)
	}
	var all []uint64
	for part := range strings.SplitSeq(text, ",") {
		first, last, isRange := strings.Cut(strings.TrimSpace(part), "-")
		if !isRange {
			last = first
		}
		lo, err := strconv.ParseUint(first, 10, 63) // seeds are columns of signed integers
		hi, bad := strconv.ParseUint(last, 10, 63)
		if err != nil || bad != nil || hi < lo || hi-lo >= mostSeeds {
			return wrong()
		}
		for n := range hi - lo + 1 {
			if len(all) == mostSeeds || slices.Contains(all, lo+n) {
				return wrong()
			}
			all = append(all, lo+n)
		}
	}
	return all, nil
}

// trainAll trains the runs side by side, at most workers goroutines at work at once. The runs take
// turns, an update each, so that they end at about the same time and no processor is idle while
// several are left. What one writes does not depend on the others.
func trainAll(ctx context.Context, runs []trainRun, opt train.Options, workers int, p *trainProgress) {
	turns := make(chan struct{}, workers)
	opt.Workers = max(1, workers/len(runs))
	var all sync.WaitGroup
	for i := range runs {
		all.Go(func() {
			r, opt := &runs[i], opt
			opt.Out = r.out
			opt.Watch = func(u train.Progress) {
				p.update(i, u)
				<-turns
				turns <- struct{}{}
			}
			turns <- struct{}{}
			defer func() { <-turns }()
			r.outcome, r.err = train.Run(ctx, r.cfg, opt)
			p.over(i, r.outcome)
		})
	}
	all.Wait()
}
