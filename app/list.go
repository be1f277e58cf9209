package app

import (
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strings"
	"text/tabwriter"

	"github.com/urfave/cli/v2"

	"tarry/env"
	"tarry/env/envs"
	"tarry/env/scenario"
	"tarry/env/schedenv"
	"tarry/internal/run/config"
	"tarry/output/knows"
	"tarry/sim"
	"tarry/sim/models"
	"tarry/sim/preset"
	"tarry/traces/synth"
)

// entry is one line of a list; more is shown indented below it.
type entry struct {
	Name string `json:"name"`
	Doc  string `json:"doc"`
	More string `json:"more,omitempty"`
	// Knows is what a policy, or an agent in an environment, knows of jobs beyond what they ask for; "" = that is no question.
	Knows string `json:"knows,omitempty"`
}

// lists names what can be listed.
func (from program) lists() []struct {
	name, usage string
	entries     func() []entry
} {
	return []struct {
		name, usage string
		entries     func() []entry
	}{
		{"policies", "the schedulers, their papers and parameters", from.policyEntries},
		{"traces", "the formats of traces and the generator's presets", from.traceEntries},
		{"speeds", "the speed models and their options", from.speedEntries},
		{"predictors", "the predictors of run times, their papers and settings", from.predictorEntries},
		{"models", "the catalogue of networks", modelEntries},
		{"clusters", "the named clusters and where their figures come from", clusterEntries},
		{"costs", "the keys of --cost", costEntries},
		{"presets", "the named settings of --preset", presetEntries},
		{"envs", "the environments that agents are trained on, and their options", from.envEntries},
		{"agents", "the agents, their papers and settings", from.agentEntries},
		{"rewards", "the rewards of the environments over the simulator", rewardEntries},
		{"optimisers", "the optimisers of tarry tune, their papers and settings", from.optimiserEntries},
		{"questions", "the shipped questions, what is expected, and how many cells they have", from.questionEntries},
	}
}

func (from program) listCommand() *cli.Command {
	k := &cli.Command{Name: "list", Usage: "list policies, traces, speeds, predictors, models, clusters, costs, presets, envs, agents, rewards, optimisers or questions, or all about one of them", OnUsageError: onUsageError, Action: unknownCommand}
	for _, l := range from.lists() {
		k.Subcommands = append(k.Subcommands, &cli.Command{Name: l.name, Usage: l.usage, ArgsUsage: "[NAME]", OnUsageError: onUsageError,
			Flags: []cli.Flag{&cli.StringFlag{Name: "format", Value: "table", Usage: "`FORMAT`: table or json (one object per line)"}},
			Action: anyOrder(func(c *cli.Context) error {
				if c.NArg() > 1 {
					return usageError{fmt.Errorf("%d names, expected one: tarry list %s NAME", c.NArg(), l.name)}
				}
				if c.NArg() == 1 {
					return from.printOne(c, l.name, l.entries())
				}
				return printEntries(c, l.entries())
			})})
	}
	return k
}

// knowsHelp explains the column KNOWS.
const knowsHelp = `KNOWS is what is read of jobs beyond what they ask for and the times that a cluster measures, with the default settings:
done, the work done so far; estimate, of all its work, which is the work itself unless --predict or --estimate-error says otherwise;
work, how much there is and is left; history, the work of earlier jobs; speed, what the speed model predicts`

// knowsText says what is known of jobs in one line.
func knowsText(k sim.Knowledge) string {
	if k.Clairvoyant() {
		return "knows of jobs: " + k.String() + " (clairvoyant: work is the work that is left)"
	}
	return "knows of jobs: " + k.String()
}

// envKnows is what an agent knows of jobs in an environment with some options; false = there are no jobs.
func (from program) envKnows(text string) (sim.Knowledge, bool) {
	e, err := from.Envs.Make(from.Catalogues.Catalogues, text)
	if err != nil {
		return 0, false
	}
	on, ok := env.Find[schedenv.Simulated](e)
	if !ok {
		return 0, false
	}
	return on.AsPolicy(nil).Knows(), true
}

func printEntries(c *cli.Context, all []entry) error {
	switch format := c.String("format"); format {
	case "json":
		out := json.NewEncoder(c.App.Writer)
		for _, e := range all {
			if err := out.Encode(e); err != nil {
				return err
			}
		}
		return nil
	case "table":
		return entryTable(c.App.Writer, all)
	default:
		return usageError{fmt.Errorf("--format: %q, expected table or json", format)}
	}
}

func entryTable(w io.Writer, all []entry) error {
	t := tabwriter.NewWriter(w, 0, 8, 2, ' ', 0)
	know := slices.ContainsFunc(all, func(e entry) bool { return e.Knows != "" })
	gap := "\t"
	if know {
		gap = "\t\t"
		fmt.Fprintln(t, "NAME\tKNOWS\tWHAT")
	}
	for _, e := range all {
		if know {
			fmt.Fprintf(t, "%s\t%s\t%s\n", e.Name, knows.Marked(cmp.Or(e.Knows, "-"), e.Knows), e.Doc)
		} else {
			fmt.Fprintf(t, "%s\t%s\n", e.Name, e.Doc)
		}
		for line := range strings.SplitSeq(strings.TrimSpace(e.More), "\n") {
			if line != "" {
				fmt.Fprintf(t, "%s    %s\n", gap, line)
			}
		}
	}
	if err := t.Flush(); err != nil || !know {
		return err
	}
	_, err := fmt.Fprintf(w, "\n%s\n%s\n", knows.Key, knowsHelp)
	return err
}

func (from program) traceEntries() []entry {
	var out []entry
	for _, f := range from.Traces {
		out = append(out, entry{f.Name + ":", f.Doc, f.Paper, ""})
	}
	for _, p := range synth.Presets() {
		out = append(out, entry{"synth:" + p.Name, p.Doc, "", ""})
	}
	return out
}

func (from program) speedEntries() []entry {
	var out []entry
	for _, k := range from.Speeds {
		out = append(out, entry{k.Name, k.Doc, k.Params, ""})
	}
	return out
}

func (from program) predictorEntries() []entry {
	var out []entry
	for _, e := range from.Predictors {
		out = append(out, entry{e.Name, e.Doc, strings.TrimSpace(e.Paper + "\n" + e.Params), ""})
	}
	return out
}

func modelEntries() []entry {
	var out []entry
	for _, p := range models.Catalogue() {
		doc := fmt.Sprintf("%s (%.1f million parameters, %.1f ms of compute per iteration at batch %d)", p.Doc, float64(p.Params)/1e6, p.ComputeNS()/1e6, p.Batch)
		out = append(out, entry{p.Name, doc, strings.Join(p.Sources, "\n"), ""})
	}
	return out
}

func clusterEntries() []entry {
	var out []entry
	for _, p := range preset.Clusters() {
		out = append(out, entry{p.Name, p.Doc, strings.Join(p.Sources, "\n"), ""})
	}
	return append(out, entry{"RxMxG", "R racks x M machines x G GPUs with the network of the nvlink clusters", "", ""},
		entry{"paper:RxMxG", "the same with the network and slots of the paper", "", ""},
		entry{"ethernet:RxMxG", "the same behind 100 Gb/s of Ethernet per machine of 8 GPUs, core oversubscribed 4:1", "", ""},
		entry{"FILE.yaml", "racks, machines, GPU types and network from a file (see docs/configuration.md)", "", ""})
}

func costEntries() []entry {
	var out []entry
	for _, key := range scenario.CostKeys() {
		what := "seconds of a "
		switch {
		case strings.HasSuffix(key, "_bytes_per_s"):
			what = "storage bandwidth, bytes of the model's weights per second, of a "
		case strings.HasSuffix(key, "_per_gpu_s"):
			what = "seconds per GPU held of a "
		case key == "checkpoint_every_s":
			out = append(out, entry{key, "running time between free periodic checkpoints, to which a fault returns a job; 0 = none", "", ""})
			continue
		}
		kind, _, _ := strings.Cut(key, "_")
		out = append(out, entry{key, what + kind, "", ""})
	}
	return out
}

func presetEntries() []entry {
	var out []entry
	for _, p := range config.Presets() {
		out = append(out, entry{p[0], p[1], "", ""})
	}
	return out
}

func (from program) envEntries() []entry {
	var out []entry
	for _, e := range from.Envs {
		one := entry{e.ID, e.Doc, e.Params, ""}
		if k, ok := from.envKnows(e.ID); ok {
			one.Knows = k.String()
		}
		out = append(out, one)
	}
	return out
}

func (from program) agentEntries() []entry {
	var out []entry
	for _, a := range from.Agents {
		out = append(out, entry{a.Name, a.Doc, a.Paper + "\nsettings, with tarry list agents " + a.Name + " in full: " + strings.Join(a.Keys, ", "), ""})
	}
	return out
}

func rewardEntries() []entry {
	var out []entry
	for _, k := range envs.Rewards() {
		out = append(out, entry{k.Name, k.Doc, "", ""})
	}
	return append(out, entry{"", "N jobs in the system, L the lease, G the GPUs of the cluster; chosen by reward=NAME of an environment", "", ""})
}

func (from program) optimiserEntries() []entry {
	var out []entry
	for _, o := range from.Optimisers {
		out = append(out, entry{o.Name, o.Doc, o.Paper + "\n" + o.Params, ""})
	}
	return out
}
