// Package k8s reads what kubectl prints as JSON: pods as jobs (kubectl get pods -A -o json), and
// nodes as a cluster (kubectl get nodes -o json), by the API v1 of Kubernetes.
//
// Pods (this file, job.go). A pod counts if it asks for GPUs: nvidia.com/gpu, amd.com/gpu and like
// resources, instances of MIG (nvidia.com/mig-3g.20gb), or a part of one GPU by the annotations
// alibabacloud.com/gpu-milli and gpu-fraction. It runs from the first start of its containers, or
// from status.startTime where a container was restarted, to their last end. Pods of one job are
// joined, by the labels of Kubeflow, Job, Volcano, Ray and pod groups, or by the controller that
// owns them unless that is a ReplicaSet, a StatefulSet or a DaemonSet. Such a job asks for the most
// GPUs that its pods have at once, and its work is the sum of theirs; so a pod that was started
// again does not make it larger. It is submitted when its first pod is created.
//
// A pod that never started is left out. One that has no end was running when the list was made: it
// is cut at the latest time in the file, and counted. The namespace is the virtual cluster.
//
// Nodes (nodes.go, gpus.go). GPUs are counted from status.allocatable; labels state their type,
// memory, how they are cut and shared, the rack, and the zone, which no rack crosses. Nodes that
// are cordoned or not ready take no pods; taints are counted.
package k8s

import (
	"encoding/json"
	"io"
	"strings"

	"tarry/sim"
	"tarry/sim/entry"
	"tarry/sim/origin"
	"tarry/sim/tabular"
	"tarry/traces/intake"
)

// pod is what is read of a pod.
type pod struct {
	Kind     string `json:"kind"`
	Metadata struct {
		Name        string            `json:"name"`
		Namespace   string            `json:"namespace"`
		Labels      map[string]string `json:"labels"`
		Annotations map[string]string `json:"annotations"`
		Created     string            `json:"creationTimestamp"`
		Owners      []struct {
			Kind       string `json:"kind"`
			Name       string `json:"name"`
			Controller bool   `json:"controller"`
		} `json:"ownerReferences"`
	} `json:"metadata"`
	Spec struct {
		Containers   []container       `json:"containers"`
		Init         []container       `json:"initContainers"`
		Priority     int64             `json:"priority"`
		Node         string            `json:"nodeName"`
		NodeSelector map[string]string `json:"nodeSelector"`
		Affinity     struct {
			Node struct {
				Required struct {
					Terms []struct {
						Expressions []struct {
							Key      string   `json:"key"`
							Operator string   `json:"operator"`
							Values   []string `json:"values"`
						} `json:"matchExpressions"`
					} `json:"nodeSelectorTerms"`
				} `json:"requiredDuringSchedulingIgnoredDuringExecution"`
			} `json:"nodeAffinity"`
		} `json:"affinity"`
	} `json:"spec"`
	Status struct {
		Phase      string   `json:"phase"`
		Start      string   `json:"startTime"`
		Containers []status `json:"containerStatuses"`
	} `json:"status"`
}

type container struct {
	Resources struct {
		Requests resources `json:"requests"`
		Limits   resources `json:"limits"`
	} `json:"resources"`
}

type status struct {
	Restarts int64 `json:"restartCount"`
	State    struct {
		Running    span `json:"running"`
		Terminated span `json:"terminated"`
	} `json:"state"`
}

type span struct {
	Started  string `json:"startedAt"`
	Finished string `json:"finishedAt"`
}

// Read reads the pods at path, plain or compressed.
func Read(path string, opt intake.Options) (*sim.Workload, *intake.Report, error) {
	return intake.File(path, opt, Parse)
}

// FitsPods recognises a list of pods.
func FitsPods(h *entry.Head) bool {
	return h.Lists("items", "apiVersion", "containers") && !FitsNodes(h)
}

// Parse reads pods from r; the name stands in errors.
func Parse(name string, r io.Reader, opt intake.Options) (*sim.Workload, *intake.Report, error) {
	in, err := tabular.Decode(name, r)
	if err != nil {
		return nil, nil, err
	}
	defer in.Close()
	p := pods{c: intake.New(name, opt), name: name, seen: map[string]bool{}, at: map[string]int{}}
	if err := tabular.Document(name, in, p.visit); err != nil {
		return nil, nil, err
	}
	for i := range p.jobs {
		if err := p.keep(&p.jobs[i]); err != nil {
			return nil, nil, err
		}
	}
	p.notes()
	return p.c.Finish("k8s", intake.FromFirst,
		origin.Origin{Field: "work", Source: "sum over the job's pods of run time x GPUs: the run is taken to be " +
			"without communication cost"},
		origin.Origin{Field: "cpu and memory", Source: "the requests of the first pod, divided by its GPUs"})
}

type pods struct {
	c    *intake.Collector
	name string
	seen map[string]bool
	jobs []job
	at   map[string]int
	rows int
	// latest is the latest time in the file; the others count pods and jobs for notes.
	latest                           int64
	joined, cut, choices, cores, mix int
}

// visit takes an element of the file.
func (p *pods) visit(key, _ string, line int, value json.RawMessage) error {
	if key != "items" {
		return nil
	}
	p.rows++
	row := tabular.NewRow(p.name, line, p.rows, nil, nil)
	var one pod
	if err := json.Unmarshal(value, &one); err != nil {
		row.Rejectf("the element is no Pod: %v", err)
		return p.c.Reject(row.Faults()...)
	}
	if one.Kind != "" && one.Kind != "Pod" {
		row.Rejectf("the element is a %s, expected a Pod as kubectl get pods -o json prints it", one.Kind)
		return p.c.Reject(row.Faults()...)
	}
	m := p.measure(&one, row)
	id := one.Metadata.Namespace + "/" + one.Metadata.Name
	switch {
	case one.Metadata.Name == "":
		row.Rejectf("the pod has no name")
	case p.seen[id]:
		row.Rejectf("job id %q appears twice, expected unique ids", id)
	}
	p.seen[id] = true
	switch {
	case len(row.Faults()) > 0:
		return p.c.Reject(row.Faults()...)
	case m.gpus == 0:
		return p.c.Skip(row, "the pod asks for no GPU")
	case m.from == 0:
		return p.c.Skip(row, "the pod never started: its run time is unknown")
	}
	p.put(&one, m, line)
	return nil
}

// service reports whether the pods of a controller are services, each of which is a job of its own.
func service(kind string) bool {
	return kind == "ReplicaSet" || kind == "StatefulSet" || kind == "DaemonSet" || kind == "ReplicationController" ||
		kind == "Node"
}

// group names the job of a pod.
func (p *pod) group() string {
	for _, label := range []string{"training.kubeflow.org/job-name", "batch.kubernetes.io/job-name", "job-name",
		"volcano.sh/job-name", "ray.io/cluster", "leaderworkerset.sigs.k8s.io/name", "jobset.sigs.k8s.io/jobset-name",
		"scheduling.x-k8s.io/pod-group"} {
		if v := p.Metadata.Labels[label]; v != "" {
			return v
		}
	}
	if v := p.Metadata.Annotations["scheduling.k8s.io/group-name"]; v != "" {
		return v
	}
	for _, o := range p.Metadata.Owners {
		if !service(o.Kind) && o.Name != "" {
			return o.Name
		}
	}
	return ""
}

// put adds a pod to its job.
func (p *pods) put(one *pod, m measured, line int) {
	name := one.group()
	key := one.Metadata.Namespace + "/" + name
	if name == "" {
		key = one.Metadata.Namespace + "/" + one.Metadata.Name
	}
	i, ok := p.at[key]
	if !ok {
		i = len(p.jobs)
		p.at[key] = i
		p.jobs = append(p.jobs, job{id: key, vc: strings.Clone(one.Metadata.Namespace), line: line})
	} else {
		p.joined++
	}
	p.jobs[i].pods = append(p.jobs[i].pods, m)
}

func (p *pods) notes() {
	if p.joined > 0 {
		p.c.Note("%d pods are joined to jobs of other pods: a job has the most GPUs that its pods have at once",
			p.joined)
	}
	if p.cut > 0 {
		p.c.Note("%d jobs were still running when the list was made: their runs are cut at the latest time in it, "+
			"which is a lower bound", p.cut)
	}
	if p.choices > 0 {
		p.c.Note("%d pods accept several GPU types: taken as any type", p.choices)
	}
	if p.cores > 0 {
		p.c.Note("%d pods ask for cores or memory of a GPU (gpucores, gpumem), which are not read: taken as whole GPUs",
			p.cores)
	}
	if p.mix > 0 {
		p.c.Note("%d jobs have pods with other parts of a GPU, or other GPU types, than their first: that one's are taken",
			p.mix)
	}
}
