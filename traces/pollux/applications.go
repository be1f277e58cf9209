package pollux

// application is what the length of a job follows from.
type application struct {
	name string
	// progress is the progress of all epochs, in steps at the initial batch size; stepS the seconds
	// of such a step on one T4.
	progress, stepS float64
	// scales is set where step times on all numbers of GPUs were measured.
	scales bool
}

// applications are from Pollux' authors (github.com/petuum/adaptdl, branch osdi21-artifact,
// simulator/traces, Apache-2.0 licence): the least progress that any validated batch size had after
// the last epoch, and the step time measured on one GPU at the initial batch size: 12, 128, 20,
// 200, 256 and 8 samples.
func applications() []application {
	return []application{
		{"bert", 14774, 0.9215156733989716, true},
		{"cifar10", 39062.90816659533, 0.10311532334277504, true},
		{"deepspeech2", 28536, 0.6812043339014053, true},
		{"imagenet", 576525.594895604, 0.923530888557434, true},
		{"ncf", 194174, 0.007437026977539062, false},
		{"yolov3", 103443.97796253164, 0.3261484205722809, true},
	}
}
