// Package batsim reads the inputs of Batsim, a simulator of batch systems over SimGrid (Dutot et
// al., JSSPP 2016): its workloads as jobs, and its platforms as clusters.
//
// A workload (this file, profile.go) is a JSON object with nb_res, a list jobs (id, subtime, res,
// walltime, profile) and an object profiles. A resource is taken as a GPU. A job runs for as long
// as its profile takes: the delay of a delay profile, and the sum of a sequence, times its
// repetitions. Profiles of computations take cpu / speed where the option speed states how fast a
// host is, unless they transfer data; others need a simulated network, and their jobs are left out
// and counted. A walltime is the request, and ends a longer run, as Batsim does. nb_res is the
// machine's size, for --cluster log. Fields of one's own are not read; dependencies are counted.
//
// A platform (platform.go) is SimGrid's XML, versions 3 and 4: cluster, cabinet and host elements,
// in any depth of zones. Every host is a machine of one GPU; hosts for the master and for storage
// are left out. A cluster or cabinet is a rack, and so are the hosts of a zone.
package batsim

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"tarry/sim"
	"tarry/sim/origin"
	"tarry/sim/param"
	"tarry/sim/tabular"
	"tarry/traces/intake"
)

// Read reads the workload at path, plain or compressed; ",speed=1Gf" behind it states the speed of
// a host in flop per second.
func Read(path string, opt intake.Options) (*sim.Workload, *intake.Report, error) {
	speed := 0.0
	if at := strings.LastIndex(path, ",speed="); at >= 0 {
		if _, err := os.Stat(path); err != nil {
			s := param.Parse("batsim", path[at+1:])
			text := s.Text("speed", "")
			v, ok := quantity(text, "f", "flops")
			if !ok || v <= 0 {
				s.Wrong("speed", "flop per second, such as 1Gf or 16.6E9flops")
			}
			if err := s.Err(); err != nil {
				return nil, nil, err
			}
			path, speed = path[:at], v
		}
	}
	return intake.File(path, opt, func(name string, r io.Reader, opt intake.Options) (*sim.Workload, *intake.Report,
		error) {
		return parse(name, r, opt, speed)
	})
}

// Parse reads a workload from r; the name stands in errors.
func Parse(name string, r io.Reader, opt intake.Options) (*sim.Workload, *intake.Report, error) {
	return parse(name, r, opt, 0)
}

func parse(name string, r io.Reader, opt intake.Options, speed float64) (*sim.Workload, *intake.Report, error) {
	in, err := tabular.Decode(name, r)
	if err != nil {
		return nil, nil, err
	}
	defer in.Close()
	w := workload{c: intake.New(name, opt), name: name, profiles: profiles{of: map[string]profile{}, speed: speed}}
	if err := tabular.Document(name, in, w.visit); err != nil {
		return nil, nil, err
	}
	for i := range w.jobs {
		if err := w.keep(&w.jobs[i], i+1); err != nil {
			return nil, nil, err
		}
	}
	if w.dependent > 0 {
		w.c.Note("%d jobs have dependencies, which are not read: they are submitted at their subtime", w.dependent)
	}
	if w.cut > 0 {
		w.c.Note("%d jobs run longer than their walltime: they end there, as in Batsim", w.cut)
	}
	source := "run time of the profile x res: without communication cost"
	if speed > 0 {
		source += fmt.Sprintf("; computations take cpu / %g flop/s", speed)
	}
	return w.c.Finish("batsim", intake.FromFirst, origin.Origin{Field: "work", Source: source},
		origin.Origin{Field: "request", Source: "walltime"})
}

// job is a job as the file has it.
type job struct {
	ID           tabular.Text    `json:"id"`
	Subtime      tabular.Text    `json:"subtime"`
	Res          tabular.Text    `json:"res"`
	Walltime     tabular.Text    `json:"walltime"`
	Profile      tabular.Text    `json:"profile"`
	Dependencies json.RawMessage `json:"dependencies"`
	line         int
	fault        string
}

type workload struct {
	c              *intake.Collector
	name           string
	jobs           []job
	profiles       profiles
	cut, dependent int
}

// visit takes an element of the file.
func (w *workload) visit(key, member string, line int, value json.RawMessage) error {
	switch key {
	case "nb_res":
		var n tabular.Text
		if json.Unmarshal(value, &n) == nil {
			if v, ok := tabular.ParseWhole(string(n)); ok && v > 0 && v <= intake.MaxGPUs {
				w.c.Processors(int(v))
			}
		}
	case "jobs":
		j := job{}
		if err := json.Unmarshal(value, &j); err != nil {
			j = job{fault: "the job is no object of id, subtime, res, walltime and profile as text or numbers"}
		}
		if text := strings.TrimSpace(string(j.Dependencies)); text != "" && text != "null" && text != "[]" {
			w.dependent++
		}
		j.line, j.Dependencies = line, nil
		w.jobs = append(w.jobs, j)
	case "profiles":
		p := profile{}
		if err := json.Unmarshal(value, &p); err != nil {
			return fmt.Errorf("%s:%d: profile %q is no object of a profile: %w", w.name, line, member, err)
		}
		p.line = line
		w.profiles.of[member] = p
	}
	return nil
}

// keep keeps, leaves out or rejects a job.
func (w *workload) keep(j *job, number int) error {
	row := tabular.NewRow(w.name, j.line, number, []string{"id", "subtime", "res", "walltime", "profile"},
		[]string{string(j.ID), string(j.Subtime), string(j.Res), string(j.Walltime), string(j.Profile)})
	if j.fault != "" {
		row.Rejectf("%s", j.fault)
		return w.c.Reject(row.Faults()...)
	}
	out := sim.Job{ID: row.Text("id"), Submit: sim.Time(row.Micros("subtime")),
		GPUs: int32(row.Count("res", 1, intake.MaxGPUs))}
	if out.ID == "" {
		row.Reject("id", "a name")
	}
	walltime := int64(0)
	if row.Known("walltime") && row.Text("walltime") != "-1" {
		walltime = row.Positive("walltime")
	}
	profile := row.Text("profile")
	if _, ok := w.profiles.of[profile]; !ok {
		row.Reject("profile", "the name of one of the profiles")
	}
	if len(row.Faults()) > 0 {
		return w.c.Reject(row.Faults()...)
	}
	ran, err := w.profiles.run(profile, int64(out.GPUs))
	var left leftOut
	switch {
	case errors.As(err, &left):
		return w.c.Skip(row, string(left))
	case err != nil:
		row.Rejectf("%v", err)
		return w.c.Reject(row.Faults()...)
	case ran == 0:
		return w.c.Skip(row, "its profile takes 0 s")
	}
	out.State = "COMPLETED_SUCCESSFULLY"
	if w.profiles.of[profile].Ret != 0 {
		out.State = "COMPLETED_FAILED"
	}
	if walltime > 0 && ran > walltime {
		w.cut++
		ran, out.State = walltime, "COMPLETED_WALLTIME_REACHED"
	}
	out.Request = sim.Time(walltime)
	out.Work = intake.Work(ran, out.GPUs)
	return w.c.Keep(row, out)
}
