package listing

import (
	"fmt"
	"strings"

	"tarry/env/envs"
	"tarry/env/scenario"
	"tarry/run/config"
	"tarry/sim/efficiency"
	"tarry/sim/hosts"
	"tarry/sim/interference"
	"tarry/sim/models"
	"tarry/sim/preset"
	"tarry/traces/deadline"
	"tarry/traces/elastic"
	"tarry/traces/quota"
	"tarry/traces/synth"
)

func (w with) traceEntries() []Entry {
	var out []Entry
	for _, f := range w.Traces {
		out = append(out, Entry{f.Name + ":", f.Doc, f.Paper, ""})
	}
	for _, p := range synth.Presets() {
		out = append(out, Entry{"synth:" + p.Name, p.Doc, "", ""})
	}
	return out
}

func (w with) speedEntries() []Entry {
	var out []Entry
	for _, k := range w.Speeds {
		out = append(out, Entry{k.Name, k.Doc, k.Params, ""})
	}
	return out
}

func (w with) predictorEntries() []Entry {
	var out []Entry
	for _, e := range w.Predictors {
		out = append(out, Entry{e.Name, e.Doc, strings.TrimSpace(e.Paper + "\n" + e.Params), ""})
	}
	return out
}

func modelEntries() []Entry {
	var out []Entry
	for _, p := range models.Catalogue() {
		doc := fmt.Sprintf("%s (%.1f million parameters, %.1f ms of compute per iteration at batch %d)", p.Doc, float64(p.Params)/1e6, p.ComputeNS()/1e6, p.Batch)
		out = append(out, Entry{p.Name, doc, strings.Join(p.Sources, "\n"), ""})
	}
	return out
}

func clusterEntries() []Entry {
	var out []Entry
	for _, p := range preset.Clusters() {
		out = append(out, Entry{p.Name, p.Doc, strings.Join(p.Sources, "\n"), ""})
	}
	return append(out, Entry{"RxMxG", "R racks x M machines x G GPUs with the network of the nvlink clusters", "", ""},
		Entry{"paper:RxMxG", "the same with the network and slots of the paper", "", ""},
		Entry{"ethernet:RxMxG", "the same behind 100 Gb/s of Ethernet per machine of 8 GPUs, core oversubscribed 4:1", "", ""},
		Entry{"TYPE:RxMxG+TYPE:RxMxG", "several GPU types, each with racks of its own, such as v100:8x1x1+k80:24x1x1; a network stands before all (see docs/types.md)", "", ""},
		Entry{"FILE.yaml", "racks, machines, GPU types and network from a file (see docs/configuration.md)", "", ""})
}

func costEntries() []Entry {
	var out []Entry
	for _, key := range scenario.CostKeys() {
		what := "seconds of a "
		switch {
		case strings.HasSuffix(key, "_bytes_per_s"):
			what = "storage bandwidth, bytes of the model's weights per second, of a "
		case strings.HasSuffix(key, "_per_gpu_s"):
			what = "seconds per GPU held of a "
		case key == "table":
			out = append(out, Entry{key, "FILE.csv with model, kind, gpus and seconds, before the costs below: see docs/elastic.md", "", ""})
			continue
		case key == "checkpoint_every_s":
			out = append(out, Entry{key, "running time between free periodic checkpoints, to which a fault returns a job; 0 = none", "", ""})
			continue
		}
		kind, _, _ := strings.Cut(key, "_")
		if kind == "oom" {
			kind = "failure for want of GPU memory"
		}
		out = append(out, Entry{key, what + kind, "", ""})
	}
	return out
}

func efficiencyEntries() []Entry { return keysOfDoc(efficiency.Doc) }

func interferenceEntries() []Entry {
	out := []Entry{{interference.None, "a share is a part of a GPU's time (the default)", "", ""}}
	for _, k := range interference.Laws() {
		out = append(out, Entry{k.Name, k.Doc, strings.TrimSpace(k.Params + "\n" + interference.SpillDoc), ""})
	}
	return out
}

func hostsEntries() []Entry {
	out := []Entry{{hosts.None, "speeds do not follow CPU and memory, which are room alone (the default)", "", ""}}
	for _, k := range hosts.Laws() {
		out = append(out, Entry{k.Name, k.Doc, strings.TrimSpace(k.Params + "\n" + hosts.CommonDoc), ""})
	}
	return out
}

func elasticEntries() []Entry { return keysOfDoc(elastic.Doc) }

func deadlineEntries() []Entry { return keysOfDoc(deadline.Doc) }

func quotaEntries() []Entry { return keysOfDoc(quota.Doc) }

// keysOfDoc has a key and what it means in each line.
func keysOfDoc(doc string) []Entry {
	var out []Entry
	for line := range strings.SplitSeq(doc, "\n") {
		key, what, _ := strings.Cut(line, " ")
		out = append(out, Entry{key, strings.TrimSpace(what), "", ""})
	}
	return out
}

func presetEntries() []Entry {
	var out []Entry
	for _, p := range config.Presets() {
		out = append(out, Entry{p[0], p[1], "", ""})
	}
	return out
}

func (w with) envEntries() []Entry {
	var out []Entry
	for _, e := range w.Envs {
		one := Entry{e.ID, e.Doc, e.Params, ""}
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
		out = append(out, Entry{a.Name, a.Doc, a.Paper + "\nsettings, with tarry list agents " + a.Name + " in full: " + strings.Join(a.Keys, ", "), ""})
	}
	return out
}

func rewardEntries() []Entry {
	var out []Entry
	for _, k := range envs.Rewards() {
		out = append(out, Entry{k.Name, k.Doc, "", ""})
	}
	return append(out, Entry{"", "N jobs in the system, L the lease, G the GPUs of the cluster; chosen by reward=NAME of an environment", "", ""})
}

func (w with) optimiserEntries() []Entry {
	var out []Entry
	for _, o := range w.Optimisers {
		out = append(out, Entry{o.Name, o.Doc, o.Paper + "\n" + o.Params, ""})
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
			more = append(more, p.Params)
		}
		out = append(out, Entry{p.Name, p.Doc, strings.Join(more, "\n"), p.Knows().String()})
	}
	return out
}
