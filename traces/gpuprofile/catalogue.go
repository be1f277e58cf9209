package gpuprofile

import (
	"math"

	"tarry/sim/models"
)

// overheadMiB is what a process holds of a GPU for the driver and workspace, and hostNS the time of
// an iteration in which the GPU of a job waits for its host. Both are ours, the second from Muri's
// measurements: see the package comment.
const (
	overheadMiB = 1024
	hostNS      = 25e6
)

// measured are the GPU's stages over the iterations of jobs on one V100, ms, as Muri's authors
// measured them. ResNet-18 there waits for storage most of the time.
func measured() map[string]float64 {
	return map[string]float64{
		"bert-large": 160. / 178, // their BERT, whose size they do not state
		"gpt2":       410. / 426,
		"vgg16":      68. / 107,
		"vgg19":      80. / 109,
		"resnet18":   110. / 779,
	}
}

// ofProfile is what a model of the catalogue needs of each of a job's GPUs; nothing is known of nil.
func ofProfile(p *models.Profile, gpus int32) need {
	if p == nil {
		return need{}
	}
	n := need{util: measured()[p.Name]}
	if t := p.ComputeNS(); n.util == 0 && t > 0 {
		n.util = t / (t + hostNS)
	}
	switch {
	case p.StatesMiB > 0: // divided between the GPUs, outputs computed anew
		n.mib = int32(min(math.MaxInt32, p.NeedMiB(int(gpus))+overheadMiB))
	case p.MemMiB > 0:
		outputs := max(0, p.MemMiB-(16*p.Params)>>20)
		n.mib = int32(min(math.MaxInt32, p.MemMiB+outputs+overheadMiB))
	}
	return n
}
