package artistref

import (
	"context"
	"fmt"
	"io"
	"math"
	"path/filepath"
	"slices"
	"strings"

	"tarry/fidelity/reference"
	"tarry/run/config"
)

// habit is one thing that the authors' simulator does, and how to leave it out.
type habit struct {
	// what it does; whose it is: the paper's or the program's.
	what, whose string
	// dally and tiresias are the settings of the policy that leave it out; "" = it is not theirs,
	// "-" = without changes the policy's settings, only what change does.
	dally, tiresias string
	// change changes the configuration; nil = nothing.
	change func(c *config.Config, table string)
}

// habits lists what artist-dally and artist-tiresias do, the published algorithm first.
func habits() []habit {
	const paper, program = "paper", "program"
	return []habit{
		{"who is slowed most by the network goes first (else first come)", paper, "order=fifo", "", nil},
		{"delay timers (else the best place at once)", paper, "delay=false", "", nil},
		{"timers tuned by past waits (else 6 and 12 leases)", paper, "t_rack=6,t_net=12", "", nil},
		{"leases end (else jobs run to their end)", paper, "preempt=false", "", nil},
		{"floors of 6 and 12 leases under tuned timers", program, "min_rack=0,min_net=0", "", nil},
		{"old waits are forgotten late", program, "forget=age", "", nil},
		{"timers are looked at when something else happens", program, "wake=timers", "", nil},
		{"leases end only between chunks of 1000 iterations", program, "chunk=0", "chunk=0", nil},
		{"work is rounded up to whole chunks", program, "-", "-",
			func(c *config.Config, _ string) { c.ChunkIterations = 0 }},
		{"a lease that ends soon is given up early", program, "early=never", "early=never", nil},
		{"and contested at once, others 1 s per GPU later", program, "early=settle", "early=settle", nil},
		{"no contest for 1 s per GPU that came free", program, "settle=0", "settle=0", nil},
		{"rounding orders jobs that are equal on paper", program, "digits=nine", "", nil},
		{"the first unit in a hash map's order (else best fit)", program, "-", "-",
			func(c *config.Config, _ string) { c.Placement = "best-fit" }},
		{"speeds to the last digit (else nine digits)", program, "-", "-", func(c *config.Config, table string) {
			c.Speed = "table:" + filepath.Join(filepath.Dir(table), "speed_table.csv") + ",fallback=collective"
		}},
		{"its Tiresias: racks are open when a machine's worth is free", program, "", "relax=large", nil},
		{"its Tiresias: three models take any place, by name", program, "", "insensitive=false", nil},
	}
}

// Habits writes a table of the effect of each habit of the authors' simulator: by how much the mean
// completion time of the runs with auto-tuned timers and with its Tiresias changes, in percent,
// when that habit alone is left out. dir is a folder of its results.
func Habits(ctx context.Context, with reference.Setup, dir string, out io.Writer) error {
	f, err := with.Folder(dir)
	if err != nil {
		return err
	}
	runs, err := reference.ReadRows(filepath.Join(dir, artistRuns), "file", "list", "cluster", "policy")
	if err != nil {
		return err
	}
	table, err := tableOf(f)
	if err != nil {
		return err
	}
	var cases []config.Config
	head, line, base := "| habit, left out alone | whose |", "|---|---|", "| nothing left out, mean JCT in s | |"
	var means []float64
	for i := range runs.Cells {
		if strings.Contains(runs.Text(i, "policy"), "t_rack") { // nothing to tune
			continue
		}
		c, err := configOf(f, runs, i, table)
		if err != nil {
			return err
		}
		mean, err := meanJCT(ctx, f, c)
		if err != nil {
			return fmt.Errorf("%s: %w", runs.Text(i, "file"), err)
		}
		cases, means = append(cases, c), append(means, mean)
		name, _, _ := strings.Cut(strings.ReplaceAll(strings.Replace(runs.Text(i, "file"), "__", " ", 1), "_auto", ""),
			"__")
		head, line, base = head+" "+name+" |", line+"---|", base+fmt.Sprintf(" %.0f |", mean)
	}
	fmt.Fprintf(out, "%s\n%s\n%s\n", head, line, base)
	for _, h := range habits() {
		row := fmt.Sprintf("| %s | %s |", h.what, h.whose)
		for i := range cases {
			cell, err := h.cell(ctx, f, cases[i], means[i], table)
			if err != nil {
				return fmt.Errorf("%s: %w", h.what, err)
			}
			row += " " + cell + " |"
		}
		fmt.Fprintln(out, row)
	}
	return nil
}

// cell is the change of the mean without a habit.
func (h *habit) cell(ctx context.Context, f *reference.Folder, c config.Config, mean float64, table string) (string,
	error) {
	policy := c.Policies[0]
	set := h.dally
	if strings.HasPrefix(policy, "tiresias") {
		set = h.tiresias
	}
	switch set {
	case "":
		return "", nil
	case "-":
	default:
		glue := ","
		if !strings.Contains(policy, ":") {
			glue = ":"
		}
		policy += glue + set
	}
	c.Policies = []string{policy}
	if h.change != nil {
		h.change(&c, table)
	}
	got, err := meanJCT(ctx, f, c)
	if err != nil {
		return "", err
	}
	text := fmt.Sprintf("%+.1f", 100*(got/mean-1))
	if text == "-0.0" || text == "+0.0" {
		text = "0"
	}
	return text, nil
}

// meanJCT is the mean completion time of a run in seconds.
func meanJCT(ctx context.Context, f *reference.Folder, c config.Config) (float64, error) {
	lives, err := f.Simulate(ctx, c)
	if err != nil {
		return 0, err
	}
	var all []float64
	for id, l := range lives {
		if math.IsNaN(l.End) {
			return 0, fmt.Errorf("job %s has not ended", id)
		}
		all = append(all, l.End-l.Submit)
	}
	slices.Sort(all) // a map has no order, and sums depend on it
	sum := 0.0
	for _, x := range all {
		sum += x
	}
	return sum / float64(len(all)), nil
}
