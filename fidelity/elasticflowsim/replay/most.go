package replay

// Most is the largest number of GPUs on which a job of a model with a batch size runs, under
// ElasticFlow's own schedules, by the table of the authors' program
// (ElasticFlow/scheduler/models.py).
func Most(gpu, model string, batch int32) int32 {
	if gpu == "T4" {
		switch {
		case model == "bert" || model == "cifar10":
			return 16
		case model == "deepspeech2" && batch == 320:
			return 32
		case model == "yolov3":
			return 4
		case model == "ncf":
			return 1
		}
		return 64
	}
	switch {
	case model == "deepspeech2":
		return batch
	case model == "gpt2" && batch == 128, model == "inception3" && batch == 64:
		return 16
	case model == "gpt2" && batch == 256, model == "inception3" && batch == 128, model == "resnet50" && batch == 64,
		model == "vgg16" && batch == 64:
		return 32
	case model == "bert" && batch == 64:
		return 8
	case model == "bert":
		return 16
	}
	return min(batch, 64)
}
