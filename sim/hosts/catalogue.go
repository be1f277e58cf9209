package hosts

import (
	"slices"

	"tarry/sim/param"
)

// catalogue has what classes of models need of a host. The form is ours, and so is every number
// that is not named here. Cores follow the published simulator of Synergy (msr-fiddle/synergy,
// simulator/jobs/model.py), which states how much faster jobs of one GPU are with enough cores than
// with three: AlexNet 2.94 times, ResNet-18 2.4, MobileNet 1.55, ResNet-50 1.15, Deep Speech 1 to
// 1.5, language models 1, with one core as well. A class needs three cores times that, in halves:
// 9, 7, 4.5, 3.5, 4.5 and 1; models like these have the same. Data sets have public sizes: the
// training images of ImageNet (ILSVRC 2012) are 138 GB, LibriSpeech's 960 hours about 60 GB, and
// the 16 GB of Wikipedia and BookCorpus are named by Liu et al. (RoBERTa, 2019). Its servers read
// 500 MB/s for 8 GPUs. What a job reads per second is ours.
//
// While cores are fewer than a class needs, pre-processing is slower in proportion; a job caches
// what its memory on a machine holds of the data set, and reads the rest from storage:
//
//	feed = min(cores / need, storage / (read x (1 - min(1, memory x GPUs / data))))
type catalogue struct {
	storage float64 // MiB/s for each GPU
	classes []class
}

// class is what models need of a host to keep one reference GPU busy without exchange.
type class struct {
	models []string
	cores  float64 // per GPU
	read   float64 // MiB/s per GPU
	data   float64 // GiB, the data set
}

// classes are the classes of the catalogue of models: light images in three, images, speech,
// language. What is in none (recommendation) is never held up.
func classes() []class {
	return []class{
		{[]string{"alexnet"}, 9, 96, 128},
		{[]string{"resnet18", "googlenet"}, 7, 96, 128},
		{[]string{"mobilenetv3-large", "mobilenetv3-small"}, 4.5, 96, 128},
		{[]string{"inception3", "inception4", "resnet50", "resnet101", "resnet152", "vgg11", "vgg16", "vgg19"}, 3.5,
			32, 128},
		{[]string{"deepspeech2"}, 4.5, 16, 56},
		{[]string{"bert-large", "gpt2", "gpt2-xl", "transformer", "lstm"}, 1, 1, 15},
	}
}

func catalogueKind() Kind {
	return Kind{Name: "catalogue", Form: "catalogue[:storage_mib_s=60,cpus=3,mem_gib=62.5,socket=0.9]",
		Doc: "classes of models (light images, images, speech, language), each with cores, reads and a data set " +
			"(cores from Synergy's simulator, OSDI 2022; the rest ours)",
		Params: "storage_mib_s  bandwidth at which a job reads what is not in its memory, MiB/s for each of its " +
			"GPUs",
		read: func(s *param.Set) (law, error) {
			return &catalogue{s.Float("storage_mib_s", 60, 1e-3, 1e9), classes()}, nil
		}}
}

// name implements law.
func (l *catalogue) name(model string) int32 {
	return int32(slices.IndexFunc(l.classes, func(c class) bool { return slices.Contains(c.models, model) }))
}

func (l *catalogue) feed(name int32, cores, memGiB float64, gpus int) float64 {
	c := &l.classes[name]
	feed := cores / c.cores
	if missing := 1 - float64(memGiB*float64(gpus))/c.data; missing > 0 {
		feed = min(feed, l.storage/float64(c.read*missing))
	}
	return feed
}
