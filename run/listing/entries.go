package listing

import (
	"fmt"
	"strings"

	"tarry/env/schedenv"
	"tarry/run/config"
	"tarry/sim/entry"
	"tarry/sim/models"
	"tarry/sim/param"
	"tarry/sim/preset"
	"tarry/traces/columns"
	"tarry/traces/synth"
)

func (w with) traceEntries() []Entry {
	var out []Entry
	for _, f := range w.Traces {
		out = append(out, Entry{Name: f.Name + ":", Doc: f.Doc, More: f.Paper, Paper: f.Paper})
	}
	for _, p := range synth.Presets() {
		out = append(out, Entry{Name: "synth:" + p.Name, Doc: p.Doc})
	}
	return out
}

// columnEntries lists the columns of a table of jobs.
func columnEntries() (out []Entry) {
	for _, f := range columns.Fields() {
		c := Column{Unit: f.Unit, Spellings: f.Spellings(), Mapped: f.Mapped()}
		switch {
		case f.Needed:
			c.Needed = "yes"
		case f.Name == "work_s":
			c.Needed = "or duration_s"
		case f.Name == "duration_s":
			c.Needed = "or work_s"
		}
		out = append(out, Entry{Name: f.Name, Doc: f.Doc, Column: &c})
	}
	return out
}

func (w with) speedEntries() []Entry {
	var out []Entry
	for _, k := range w.Speeds {
		out = append(out, Entry{Name: k.Name, Doc: k.Doc, More: param.WithDefaults(k.Params, k.Settings())})
	}
	return out
}

func (w with) layerEntries() []Entry {
	var out []Entry
	for _, l := range w.Layers {
		out = append(out, Entry{Name: l.Name, Doc: l.Doc, More: param.WithDefaults(l.Params, l.Settings())})
	}
	return out
}

func (w with) predictorEntries() []Entry {
	var out []Entry
	for _, e := range w.Predictors {
		out = append(out, Entry{Name: e.Name, Doc: e.Doc, Paper: e.Paper, More: strings.TrimSpace(e.Paper + "\n" +
			param.WithDefaults(e.Params, e.Settings()))})
	}
	return out
}

func (w with) operatorEntries() []Entry {
	var out []Entry
	for _, e := range w.Operators {
		out = append(out, Entry{Name: e.Name, Doc: e.Doc, Paper: e.Paper, More: strings.TrimSpace(e.Paper + "\n" +
			param.WithDefaults(e.Params, e.Settings()))})
	}
	return out
}

func modelEntries() []Entry {
	var out []Entry
	for _, p := range models.Catalogue() {
		doc := fmt.Sprintf("%s (%s parameters, %.1f ms of compute per iteration at batch %d", p.Doc,
			counted(p.Params), p.ComputeNS()/1e6, p.Batch)
		if strings.Contains(p.Reference, "A100") { // the GPU of models up to GPT-2 is not shown
			doc += " on an A100"
		}
		doc += ")"
		out = append(out, Entry{Name: p.Name, Doc: doc, More: strings.Join(append(computed(p), p.Sources...), "\n")})
	}
	return out
}

// counted is a number of parameters in words.
func counted(params int64) string {
	const billion = 1_000_000_000
	if params >= 2*billion {
		return fmt.Sprintf("%.1f billion", float64(params)/billion)
	}
	return fmt.Sprintf("%.1f million", float64(params)/1e6)
}

// computed states what follows from the architecture of a profile.
func computed(p *models.Profile) []string {
	mem := fmt.Sprintf("%d MiB of GPU memory", p.MemMiB)
	if p.StatesMiB > 0 {
		mem += fmt.Sprintf(" on one GPU, %d on each of 8, %d on each of 64 (states divided between a job's GPUs)",
			p.NeedMiB(8), p.NeedMiB(64))
	}
	lines := []string{
		fmt.Sprintf("computed from its architecture, not measured: %d parameters, %.4g FLOP a sample (all passes), %d "+
			"bytes of gradients to reduce; %s", p.Params, p.FLOPs, p.Bytes(), mem),
		"times are of one " + p.Reference}
	if len(p.Aliases) > 0 {
		lines = append(lines, "also called "+strings.Join(p.Aliases, ", "))
	}
	return lines
}

func clusterEntry(p preset.Cluster) Entry {
	return Entry{Name: p.Name, Doc: p.Doc, More: strings.Join(p.Sources, "\n")}
}

// Cluster is the entry of a cluster that is built from its name, such as dgx-h100-64; false where
// the name stands for none.
func Cluster(name string) (Entry, bool) {
	p, err := preset.Lookup(name)
	return clusterEntry(p), err == nil
}

func (w with) clusterEntries() []Entry {
	var out []Entry
	for _, p := range preset.Clusters() {
		out = append(out, clusterEntry(p))
	}
	out = append(out, Entry{Name: "NAME-N", Doc: "hardware of a name above that states its GPUs' type, with N GPUs in " +
		"all (dgx-h100-64), or as NAME:RxM in R racks of M machines (dgx-h100:2x4)"},
		Entry{Name: "RxMxG", Doc: "R racks x M machines x G GPUs with the network of the nvlink " +
			"clusters"},
		Entry{Name: "paper:RxMxG", Doc: "the same with the network and slots of the paper"},
		Entry{Name: "ethernet:RxMxG", Doc: "the same behind 100 Gb/s of Ethernet per machine of 8 GPUs, core " +
			"oversubscribed 4:1"})
	out = append(append(out, topologies()...),
		Entry{Name: "TYPE:RxMxG+TYPE:RxMxG", Doc: "several GPU types, each with racks of its own, such as " +
			"v100:8x1x1+k80:24x1x1; a network stands before all (see docs/reference/speed.md)"},
		Entry{Name: "FILE.yaml", Doc: "racks, machines, GPU types and network from a file (see " +
			"docs/howto/configuration.md)"})
	for _, f := range w.Clusters {
		out = append(out, Entry{Name: f.Name + ":", Doc: f.Doc, More: "nodes as a cluster; options behind the path:\n" +
			entry.ClusterOptionsHelp})
	}
	return out
}

// topologies are the networks with paths between racks.
func topologies() (out []Entry) {
	for _, t := range preset.Topologies() {
		out = append(out, Entry{Name: t.Name + ":" + t.Form, Doc: t.Doc, More: "options behind a comma:\n" +
			preset.TopologyHelp})
	}
	return out
}

func presetEntries() []Entry {
	var out []Entry
	for _, p := range config.Presets() {
		out = append(out, Entry{Name: p[0], Doc: p[1]})
	}
	return out
}

func (w with) envEntries() []Entry {
	var out []Entry
	for _, e := range w.Envs {
		one := Entry{Name: e.ID, Doc: e.Doc, More: param.WithDefaults(e.Help(), e.Settings(w.Catalogues.Catalogues))}
		if k, ok := EnvKnows(w.Catalogues, e.ID); ok {
			one.Knows = k.String()
		}
		out = append(out, one)
	}
	return out
}

func (w with) agentEntries() []Entry {
	var out []Entry
	for _, a := range w.Agents {
		out = append(out, Entry{Name: a.Name, Doc: a.Doc, Paper: a.Paper,
			More: a.Paper + "\nsettings, with tarry list agents " +
				"" + a.Name + " in full: " + strings.Join(a.Keys, ", ")})
	}
	return out
}

func rewardEntries() []Entry {
	var out []Entry
	for _, k := range schedenv.Rewards() {
		out = append(out, Entry{Name: k.Name, Doc: k.Doc})
	}
	return append(out, Entry{Doc: "N jobs in the system, L the lease, G the GPUs of the cluster; chosen by " +
		"reward=NAME of an environment"})
}

func (w with) optimiserEntries() []Entry {
	var out []Entry
	for _, o := range w.Optimisers {
		out = append(out, Entry{Name: o.Name, Doc: o.Doc, Paper: o.Paper, More: o.Paper + "\n" +
			param.WithDefaults(o.Params, o.Settings())})
	}
	return out
}

// policyEntries lists the catalogue with papers, what a policy knows, and parameters.
func (w with) policyEntries() []Entry {
	var out []Entry
	first := map[string]string{} // parameters -> the policy that showed them
	for _, p := range w.Policies {
		more := []string{p.Paper}
		switch {
		case p.Params == "":
		case first[p.Params] != "":
			more = append(more, "parameters: as "+first[p.Params])
		default:
			first[p.Params] = p.Name
			more = append(more, param.WithDefaults(p.Params, p.Settings()))
		}
		out = append(out, Entry{Name: p.Name, Doc: p.Doc, Paper: p.Paper, More: strings.Join(more, "\n"),
			Knows: p.Knows().String(), Decides: p.Decides})
	}
	return out
}
