package efficiency

import (
	"slices"
	"strings"
)

// law is how a model learns: noise in samples, and the limits of its batches.
type law struct {
	name string
	// models are the catalogue's models that have it; the first was measured, the others are like
	// it.
	models []string
	// first and last are the noise scale in the first and in the last epoch, samples.
	first, last float64
	epochs      int
	// most is the largest batch, in samples; least and fill are the least and the most of a GPU,
	// times what one GPU takes of the model's own batch.
	most        float64
	least, fill float64
}

// laws are the laws of the applications that Pollux' authors validated on T4 GPUs (petuum/adaptdl,
// branch osdi21-artifact, simulator/traces, Apache-2.0). first and last are the medians of M0
// grad_var/grad_sqr over the first and the last tenth of the epochs at the smallest validated batch
// M0 = init_batch_size; epochs without a gradient (deepspeech2 has 12) are left out. most is
// max_batch_size, least and fill are min_local_bsz and max_local_bsz over M0.
//
// Measured are ResNet-18 on CIFAR-10, ResNet-50 on ImageNet, BERT on SQuAD, Deep Speech 2 on
// CMU-ARCTIC, YOLOv3 on PASCAL-VOC and NeuMF on MovieLens. What is not measured borrows: networks
// of images the law of ResNet-50, language models the law of BERT, Whisper the law of Deep Speech 2,
// DLRM the law of NeuMF.
func laws() []law {
	return []law{
		{name: "imagenet", first: 4579.86, last: 14352.1, epochs: 90, most: 12800, least: 0.1, fill: 1,
			models: []string{"resnet50", "resnet18", "resnet101", "resnet152", "vgg11", "vgg16", "vgg19", "alexnet",
				"googlenet", "inception3", "inception4", "mobilenetv3-large", "mobilenetv3-small", "vit-l16", "vit-h14",
				"sdxl"}},
		{name: "bert", first: 422.966, last: 1124.3, epochs: 2, most: 384, least: 1. / 3, fill: 1,
			models: []string{"bert-large", "gpt2", "gpt2-xl", "transformer", "lstm", "gpt3-175b", "llama2-7b",
				"llama2-13b", "llama2-70b", "llama3-8b", "llama3-70b", "llama3-405b", "mistral-7b", "mixtral-8x7b",
				"t5-large", "t5-3b", "t5-11b"}},
		{name: "deepspeech2", first: 44.2621, last: 210581, epochs: 80, most: 640, least: 0.5, fill: 4,
			models: []string{"deepspeech2", "whisper-large-v2", "whisper-large-v3"}},
		{name: "ncf", first: 18565.3, last: 5.91315e+07, epochs: 10, most: 32768, least: 0.125, fill: 128,
			models: []string{"dlrm"}},
		{name: "cifar10", first: 287.444, last: 28865.3, epochs: 100, most: 4096, least: 0.25, fill: 8},
		{name: "yolov3", first: 212.038, last: 5229.87, epochs: 50, most: 512, least: 0.5, fill: 1},
	}
}

// plain is the law of a model that no row names: of ours, near ImageNet's for a job of 8 GPUs. Its
// noise is times the own batch.
const (
	plainNoise  = 8
	plainGrowth = 4
	plainEpochs = 30
	plainMost   = 32
	plainLeast  = 0.25
	plainFill   = 2
)

// lawOf finds the law of a model by the catalogue's name, or by an application's.
func lawOf(name string) (law, bool) {
	name, _, _ = strings.Cut(strings.ToLower(name), " (batch size ")
	for _, l := range laws() {
		if l.name == name || slices.Contains(l.models, name) {
			return l, true
		}
	}
	return law{}, false
}
