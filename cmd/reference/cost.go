package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"tarry/catalogue/schedulers"
	"tarry/catalogue/shipped"
	"tarry/run/cost"
)

// costChild is the argument with which this program runs one simulation for cost and growth.
const costChild = "cost-child"

// writeCost measures the named schedulers on Philly, all if there are none, and writes docs/cost.csv.
func writeCost(ctx context.Context, shared string, args []string) error {
	path := filepath.Join(shared, "traces", "philly", "philly.csv")
	if _, err := os.Stat(path); err != nil {
		return fmt.Errorf("the trace of Philly: %w", err)
	}
	m, err := newMeasurements(filepath.Join("docs", "cost.csv"), args, catalogued())
	if err != nil {
		return err
	}
	for _, scheduler := range m.only {
		if err := m.one(ctx, cost.Philly(scheduler, path)); err != nil {
			return err
		}
	}
	return nil
}

// writeGrowth measures schedulers on clusters of 512 to 80 000 GPUs and writes docs/cost-growth.csv.
func writeGrowth(ctx context.Context, _ string, args []string) error {
	m, err := newMeasurements(filepath.Join("docs", "cost-growth.csv"), args, cost.Growing())
	if err != nil {
		return err
	}
	for _, scheduler := range m.only {
		for _, size := range [][2]int{{8, 100_000}, {80, 200_000}, {1250, 1_000_000}} {
			if err := m.one(ctx, cost.Generated(scheduler, size[0], size[1])); err != nil {
				return err
			}
		}
	}
	return nil
}

// runCostChild is the process of one simulation.
func runCostChild(ctx context.Context, _ string, args []string) error {
	if len(args) != 4 {
		return fmt.Errorf("%d arguments, expected LIMIT SCHEDULER TRACE CLUSTER", len(args))
	}
	limit, err := strconv.Atoi(args[0])
	if err != nil {
		return err
	}
	c := cost.Case{Scheduler: args[1], Trace: args[2], Cluster: args[3]}
	return cost.Child(ctx, shipped.All().Catalogues, c, limit, time.Tick(50*time.Millisecond), os.Stdout)
}

// measurements are the rows of a file, some of which are measured again.
type measurements struct {
	path, command string
	limit         int
	order, only   []string
	rows          []cost.Run
}

// newMeasurements reads the file and the arguments LIMIT [SCHEDULER...]. Names may be joined by
// commas; a policy with settings is measured and printed, and has no row. The file
// has rows of the schedulers in order alone.
func newMeasurements(path string, args, order []string) (*measurements, error) {
	m := measurements{path: path, order: order}
	var err error
	if m.limit, err = strconv.Atoi(first(args)); err != nil || m.limit < 1 {
		return nil, fmt.Errorf("the limit is %q, expected whole seconds from 1 on", first(args))
	}
	for _, arg := range args[1:] {
		specs := []string{arg}
		if !strings.Contains(arg, ":") {
			specs = strings.Split(arg, ",")
		}
		m.only = append(m.only, specs...)
	}
	if len(m.only) == 0 {
		m.only = order
	}
	if m.command, err = os.Executable(); err != nil {
		return nil, err
	}
	if m.rows, err = cost.Read(path); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	m.rows = slices.DeleteFunc(m.rows, func(r cost.Run) bool { return !slices.Contains(order, r.Scheduler) })
	return &m, nil
}

// one measures a case and writes the file anew, so that what is done is kept when the next one is
// stopped.
func (m *measurements) one(ctx context.Context, c cost.Case) error {
	r, err := cost.Steady(func() (cost.Run, error) {
		return cost.Measure(ctx, c.Scheduler, m.limit, m.command, costChild, strconv.Itoa(m.limit), c.Scheduler, c.Trace,
			c.Cluster)
	})
	if err != nil {
		return err
	}
	fmt.Fprintf(os.Stderr, "%s on %d GPUs: %.2f CPU-s, %d of %d jobs\n", r.Scheduler, r.GPUs, r.Seconds, r.Done, r.Jobs)
	if !slices.Contains(m.order, r.Scheduler) {
		return nil
	}
	m.rows = slices.DeleteFunc(m.rows, func(old cost.Run) bool {
		return old.Scheduler == r.Scheduler && old.GPUs == r.GPUs
	})
	m.rows = append(m.rows, r)
	slices.SortFunc(m.rows, func(a, b cost.Run) int {
		if a.Scheduler != b.Scheduler {
			return slices.Index(m.order, a.Scheduler) - slices.Index(m.order, b.Scheduler)
		}
		return a.GPUs - b.GPUs
	})
	return cost.Write(m.path, m.rows)
}

// catalogued lists the schedulers of the catalogue.
func catalogued() (names []string) {
	for _, e := range schedulers.All() {
		names = append(names, e.Name)
	}
	return names
}
