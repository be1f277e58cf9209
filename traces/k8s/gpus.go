package k8s

import (
	"slices"
	"strings"

	"tarry/traces/nodes"
)

// whole lists the resources that count whole GPUs.
func whole() []string {
	return []string{"nvidia.com/gpu", "amd.com/gpu", "gpu.intel.com/i915", "gpu.intel.com/xe", "habana.ai/gaudi",
		"nvidia.com/gpu.shared", "alibabacloud.com/gpu-count"}
}

// productLabels lists the labels and selectors that name the type of a GPU.
func productLabels() []string {
	return []string{"nvidia.com/gpu.product", "amd.com/gpu.product-name", "beta.amd.com/gpu.product-name",
		"cloud.google.com/gke-accelerator", "k8s.amazonaws.com/accelerator", "alibabacloud.com/gpu-card-model",
		"aliyun.accelerator/nvidia_name", "gpu.nvidia.com/class"}
}

// migResource is what stands before the profile of a MIG resource.
const migResource = "nvidia.com/mig-"

// product gives the GPU type of labels.
func product(labels map[string]string) string {
	for _, name := range productLabels() {
		if v := labels[name]; v != "" {
			return strings.TrimSuffix(v, "-SHARED")
		}
	}
	return ""
}

// sortedMIG lists the profiles of MIG resources, in order.
func (r resources) sortedMIG() []string {
	var out []string
	for name := range r {
		if p, ok := strings.CutPrefix(name, migResource); ok {
			out = append(out, p)
		}
	}
	slices.Sort(out)
	return out
}

// gpus counts the whole GPUs of resources; false where an amount is none, with the resource's name.
func (r resources) gpus() (count int64, wrong string) {
	for _, name := range whole() {
		n, ok := r.amount(name, 1)
		if !ok {
			return 0, name
		}
		count += n
	}
	return count, ""
}

// ofNode gives the GPUs of a node: of its resources, corrected by the labels that state how GPUs
// are shared or cut.
func (r resources) ofNode(labels map[string]string) (out []nodes.GPUs, wrong string) {
	count, wrong := r.gpus()
	if wrong != "" {
		return nil, wrong
	}
	typ := product(labels)
	var instances []nodes.Instances
	if prefix, profile, ok := nodes.Profile(typ); ok { // every GPU is cut alike, and an instance is counted as a GPU
		typ = prefix
		instances = append(instances, nodes.Instances{Type: prefix, Profile: profile, Count: int(min(count, maxInstances))})
		count = 0
	} else if have := physical(labels); have > 0 && have < count {
		count = have // time slices: each GPU is counted several times
	}
	if count > 0 {
		out = append(out, nodes.GPUs{Type: typ, Count: int(min(count, nodes.MaxPerNode+1))})
	}
	for _, profile := range r.sortedMIG() {
		n, ok := r.amount(migResource+profile, 1)
		_, name, known := nodes.Profile(profile)
		if !ok || !known {
			return nil, migResource + profile
		}
		if n > 0 {
			instances = append(instances, nodes.Instances{Type: typ, Profile: name, Count: int(min(n, maxInstances))})
		}
	}
	return append(out, nodes.Whole(instances, out)...), ""
}

// physical is how many GPUs a label states; 0 = none does.
func physical(labels map[string]string) int64 {
	stated := resources{"count": text(labels["nvidia.com/gpu.count"])}
	n, _ := stated.amount("count", 1)
	return n
}

// maxInstances bounds the instances of a node.
const maxInstances = 7 * (nodes.MaxPerNode + 1)
