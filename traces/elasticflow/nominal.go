package elasticflow

// nominal is the time of an iteration on one GPU in microseconds: 1e6 over the iterations per
// second that ElasticFlow's authors measured on one A100, or on one T4
// (github.com/pkusys/ElasticFlow, Apache-2.0 licence, ElasticFlow/scheduler/throughputs_*),
// rounded.
func nominal() map[string]int64 {
	return map[string]int64{
		// on an A100
		"bert (batch size 64)":              165_819,
		"bert (batch size 128)":             279_726,
		"deepspeech2 (batch size 32)":       330_780,
		"deepspeech2 (batch size 64)":       625_031,
		"gpt2 (batch size 128)":             136_821,
		"gpt2 (batch size 256)":             244_061,
		"inception3 (batch size 64)":        207_441,
		"inception3 (batch size 128)":       390_274,
		"resnet50 (batch size 64)":          146_135,
		"resnet50 (batch size 128)":         273_570,
		"resnet50 (batch size 256)":         542_483,
		"resnet50_cifar10 (batch size 64)":  34_959,
		"resnet50_cifar10 (batch size 128)": 37_880,
		"resnet50_cifar10 (batch size 256)": 50_897,
		"vgg16 (batch size 64)":             197_901,
		"vgg16 (batch size 128)":            380_985,
		"vgg16 (batch size 256)":            761_234,
		// on a T4
		"bert (batch size 384)":        29_063_933,
		"cifar10 (batch size 2048)":    1_403_638,
		"cifar10 (batch size 4096)":    2_806_729,
		"deepspeech2 (batch size 320)": 10_157_881,
		"deepspeech2 (batch size 640)": 20_314_225,
		"imagenet (batch size 3200)":   14_758_435,
		"imagenet (batch size 6400)":   29_515_665,
		"ncf (batch size 32768)":       21_316,
		"yolov3 (batch size 64)":       2_282_794,
	}
}
