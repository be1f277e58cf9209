// Package openb reads the pod lists of Alibaba's GPU cluster trace of 2023 (Weng et al., "Beware of
// fragmentation: scheduling GPU-sharing workloads with fragmentation gradient descent", USENIX ATC
// 2023): CSV with the columns name, cpu_milli, memory_mib, num_gpu, gpu_milli, gpu_spec, qos,
// pod_phase, creation_time, deletion_time and scheduled_time, times in seconds on the trace's own
// clock.
//
// A pod is a job that runs from scheduled_time to deletion_time. Pods without a GPU, and pods that
// were never scheduled and so show no run time, are left out and counted. A pod that asks for a
// part of one GPU keeps its share; its work is its run time x that share, so that it runs as long
// as it did when it gets its share. The list gives pods that were Running when it was made an end
// at that time: their run is a lower bound, and a note counts them.
package openb

import (
	"io"
	"strings"

	"tarry/sim"
	"tarry/sim/origin"
	"tarry/sim/tabular"
	"tarry/traces/intake"
)

// Read reads the list at path, plain or compressed.
func Read(path string, opt intake.Options) (*sim.Workload, *intake.Report, error) {
	return intake.File(path, opt, Parse)
}

// Parse reads a list from r; the name stands in errors.
func Parse(name string, r io.Reader, opt intake.Options) (*sim.Workload, *intake.Report, error) {
	in, err := tabular.Decode(name, r)
	if err != nil {
		return nil, nil, err
	}
	defer in.Close()
	rows := tabular.NewReader(name, in)
	rows.Optional = []string{"gpu_spec", "pod_phase"}
	if err := rows.Header("name", "cpu_milli", "memory_mib", "num_gpu", "gpu_milli", "creation_time", "deletion_time",
		"scheduled_time"); err != nil {
		return nil, nil, err
	}
	p := pods{c: intake.New(name, opt)}
	if err := intake.Rows(rows, p.keep); err != nil {
		return nil, nil, err
	}
	if p.choices > 0 {
		p.c.Note("%d pods accept several GPU types: taken as any type", p.choices)
	}
	if p.running > 0 {
		p.c.Note("%d of %d pods were still Running when the trace ends: their runs are cut there, which is a "+
			"lower bound", p.running, p.kept)
	}
	return p.c.Finish("openb", intake.FromFirst,
		origin.Origin{Field: "work", Source: "(deletion_time - scheduled_time) x num_gpu x gpu_milli / 1000: the " +
			"traced run is taken to be without communication cost"},
		origin.Origin{Field: "cpu and memory", Source: "the pod's, divided by num_gpu"})
}

type pods struct {
	c       *intake.Collector
	choices int
	running int // of jobs with a run time
	kept    int
}

func (p *pods) keep(row *tabular.Row) error {
	if len(row.Faults()) > 0 {
		return p.c.Reject(row.Faults()...)
	}
	gpus := row.Count("num_gpu", 0, intake.MaxGPUs)
	j := sim.Job{ID: row.Name("name"), State: row.Name("pod_phase"), GPUs: int32(gpus),
		Submit: sim.Time(row.Micros("creation_time"))}
	j.CPUMilli = int32(row.Count("cpu_milli", 0, 1_000_000_000) / max(1, gpus))
	j.MemMiB = int32(row.Count("memory_mib", 0, 1_000_000_000) / max(1, gpus))
	if share := row.Count("gpu_milli", 0, 1000); share < 1000 && gpus > 0 {
		if share == 0 && len(row.Faults()) == 0 {
			row.Reject("gpu_milli", "a whole number from 1 to 1000 for a pod with GPUs")
		}
		j.ShareMilli = int32(share)
	}
	scheduled := row.Known("scheduled_time")
	var ran int64
	if end := row.Micros("deletion_time"); scheduled {
		ran = end - row.Micros("scheduled_time")
	}
	if len(row.Faults()) == 0 && ran < 0 {
		row.Reject("deletion_time", "seconds not before scheduled_time "+row.Text("scheduled_time"))
	}
	switch {
	case len(row.Faults()) > 0:
		return p.c.Reject(row.Faults()...)
	case gpus == 0:
		return p.c.Skip(row, "the pod asks for no GPU")
	case !scheduled:
		return p.c.Skip(row, "the pod was never scheduled: its run time is unknown")
	case ran == 0:
		return p.c.Skip(row, "the pod ran for 0 s")
	}
	p.c.Ends(sim.Time(row.Micros("deletion_time")))
	p.kept++
	if j.State == "Running" {
		p.running++
	}
	if spec := row.Name("gpu_spec"); strings.Contains(spec, "|") {
		p.choices++
	} else {
		j.GPUType = spec
	}
	j.Work = intake.Work(ran, j.GPUs)
	if j.ShareMilli > 0 && j.GPUs == 1 {
		j.Work = intake.ShareWork(ran, j.ShareMilli)
	}
	j.Record = intake.Recorded(int64(j.Submit), row.Micros("scheduled_time"))
	return p.c.Keep(row, j)
}
