package scenario

import (
	"math"
	"slices"
	"strconv"

	"tarry/sim/cluster"
	"tarry/sim/network"
	"tarry/sim/param"
	"tarry/sim/preset"
)

// ClusterSpec is a cluster with its network and the relative speeds of its GPU types.
type ClusterSpec struct {
	preset.Cluster
	// Speeds are relative to the reference type; a type that is not listed has 1.
	Speeds map[string]float64
	// ModelSpeeds are the speeds of single models, by model and type; Speeds stands for what it
	// does not have.
	ModelSpeeds map[string]map[string]float64
}

// ReadCluster reads a cluster's YAML file:
//
//	name: lab
//	racks:
//	  - count: 2                       # equal racks; default 1
//	    machines:
//	      - {count: 4, gpus: 8, slots: 2, type: V100, cpu_milli: 96000, mem_mib: 524288}
//	fabric:                            # optional
//	  base: nvlink                     # what is not named below is of nvlink, paper or a named cluster
//	  convention: per-link             # or astra1
//	  scheme: hierarchical             # or baseline
//	  endpoint_ns: 0
//	  links:                           # from the inside out: slot, machine, rack, network
//	    rack: {kind: switch, algorithm: ring, gb_per_s: 25, latency_ns: 2500}
//	  spines: {count: 4, pod_racks: 0, cores: 0, rails: 1, gb_per_s: 25, core_gb_per_s: 0, seed: 0} # default: a tree
//	  domains: false                   # racks are NVLink domains: jobs share no machine's uplink
//	  schedule: {fifo: true, exposed: 0, drain: false, bucket_bytes: 26214400, op_ns: 0}
//	gpu_speed: {A100: 2.0}             # relative to the reference type; default 1. Or by model: {A100: {other: 2.0, vgg16: 3.0}}
//
// slots divides a machine's GPUs into tightly linked groups; type "" is the reference type;
// cpu_milli, mem_mib and gpu_mem_mib (of each GPU) 0 = not constrained; mig names the device of
// sim/mig whose instances a GPU may be cut into, default none. The error joins all faults.
func ReadCluster(path string) (*ClusterSpec, error) {
	s, err := param.ReadYAML(path)
	if err != nil {
		return nil, err
	}
	c := readCluster(s)
	if err := s.Err(); err != nil {
		return nil, err
	}
	return c, nil
}

// mostGPUs is the number of GPUs that a cluster may have at most. Racks are not even listed beyond
// it.
const mostGPUs = 1 << 24

// readCluster reads a cluster; faults are noted and a usable value is returned all the same.
func readCluster(s *param.Set) *ClusterSpec {
	c := &ClusterSpec{}
	c.Name = s.Text("name", "inline")
	c.Doc = s.Text("doc", "")
	readRacks(s, c)
	c.Fabric = preset.NVLinkFabric()
	if f := s.Child("fabric"); s.Has("fabric") {
		c.Fabric = readFabric(f)
	}
	if g := s.Child("gpu_speed"); s.Has("gpu_speed") {
		readSpeeds(g, c)
	}
	if s.Err() == nil {
		if err := c.Spec.Validate(); err != nil {
			s.Fault("cluster: %w", err)
		}
		if err := c.Fabric.Validate(); err != nil {
			s.Fault("%w", err)
		}
	}
	return c
}

func readRacks(s *param.Set, c *ClusterSpec) {
	gpus := int64(0)
	for _, r := range s.List("racks") {
		count := r.Int("count", 1, 1, 1<<24)
		var rack []cluster.Machines
		for _, m := range r.List("machines") {
			rack = append(rack, readMachines(m))
		}
		if !r.Has("machines") {
			r.Missing("machines", "a list of machines")
		}
		for _, k := range rack {
			gpus += int64(count) * int64(k.Count) * int64(k.GPUs)
		}
		if gpus > mostGPUs {
			r.Fault("cluster: more than %d GPUs, expected fewer", mostGPUs)
			break
		}
		for range count {
			c.Spec.Racks = append(c.Spec.Racks, rack)
		}
	}
	if !s.Has("racks") {
		s.Missing("racks", "a list of racks")
	}
}

func readMachines(s *param.Set) cluster.Machines {
	if !s.Has("gpus") {
		s.Missing("gpus", "1..64")
	}
	k := cluster.Machines{Count: s.Int("count", 1, 1, 1<<24), GPUs: s.Int("gpus", 0, 1, 64),
		Slots: s.Int("slots", 0, 0, 64), Type: s.Text("type", ""),
		CPUMilli: s.Int64("cpu_milli", 0, 0, math.MaxInt64), MemMiB: s.Int64("mem_mib", 0, 0, math.MaxInt64),
		GPUMiB: s.Int64("gpu_mem_mib", 0, 0, math.MaxInt64), MIG: s.Text("mig", "")}
	if k.Slots > 1 && k.GPUs > 0 && k.GPUs%k.Slots != 0 {
		s.Wrong("slots", "a divisor of "+strconv.Itoa(k.GPUs))
	}
	return k
}

// kinds, algorithms, conventions and schemes by name, in the order of their numbers.
func kinds() []string { return []string{"ring", "switch", "full"} }
func algorithms() []string {
	return []string{"ring", "halving-doubling", "direct", "tree"}
}
func conventions() []string { return []string{"per-link", "astra1"} }
func schemes() []string     { return []string{"baseline", "hierarchical"} }

// choice reads one of the names as its number.
func choice[T ~uint8](s *param.Set, key string, to *T, names []string) {
	if text := s.Enum(key, append([]string{names[*to]}, names...)...); s.Has(key) {
		*to = T(slices.Index(names, text))
	}
}

func readFabric(s *param.Set) network.Fabric {
	f := preset.NVLinkFabric()
	bases := []string{"nvlink"}
	for _, c := range preset.Clusters() {
		bases = append(bases, c.Name)
	}
	if named, ok := preset.FabricOf(s.Enum("base", bases...)); ok {
		f = named
	}
	choice(s, "convention", &f.Convention, conventions())
	choice(s, "scheme", &f.Scheme, schemes())
	f.EndpointNS = s.Float("endpoint_ns", f.EndpointNS, 0, 1e12)
	links := s.Child("links")
	for level := range network.Levels {
		k := links.Child(level.String())
		if !links.Has(level.String()) {
			continue
		}
		link := &f.Links[level]
		choice(k, "kind", &link.Kind, kinds())
		choice(k, "algorithm", &link.Algorithm, algorithms())
		link.GBps = k.Float("gb_per_s", link.GBps, 1e-9, 1e9)
		link.LatencyNS = k.Float("latency_ns", link.LatencyNS, 0, 1e12)
	}
	if k := s.Child("spines"); s.Has("spines") {
		readSpines(k, &f.Spines)
	}
	f.Domains = s.Bool("domains", f.Domains)
	d := s.Child("schedule")
	f.Schedule.FIFO = d.Bool("fifo", f.Schedule.FIFO)
	f.Schedule.Exposed = d.Float("exposed", f.Schedule.Exposed, 0, 1)
	f.Schedule.Drain = d.Bool("drain", f.Schedule.Drain)
	f.Schedule.BucketBytes = d.Float("bucket_bytes", f.Schedule.BucketBytes, 0, 1e15)
	f.Schedule.OpNS = d.Float("op_ns", f.Schedule.OpNS, 0, 1e12)
	return f
}

// readSpines reads the paths between racks.
func readSpines(s *param.Set, to *network.Spines) {
	to.Count = s.Int("count", max(1, to.Count), 1, network.MaxPaths)
	to.PodRacks = s.Int("pod_racks", to.PodRacks, 0, mostGPUs)
	to.Cores = s.Int("cores", to.Cores, 0, network.MaxPaths)
	to.Rails = s.Int("rails", to.Rails, 0, network.MaxPaths)
	to.GBps = s.Float("gb_per_s", to.GBps, 0, 1e9)
	to.CoreGBps = s.Float("core_gb_per_s", to.CoreGBps, 0, 1e9)
	to.Seed = uint64(s.Int("seed", int(to.Seed), 0, math.MaxInt32))
}
