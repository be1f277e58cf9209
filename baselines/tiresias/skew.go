package tiresias

import "strings"

// skewOf is the part of a model's bytes that lies in its largest tensor, and whether the model was
// profiled. Figures: tensor sizes that the authors' simulator ships (SymbioticLab/Tiresias,
// simulator/models.py), largest over total in MB, rounded to 3 digits: vgg19 392.0/547.1, vgg16
// 392.0/526.8, vgg11 392.0/506.5, alexnet 144.0/235.8, resnet152 9.0/149.6, resnet101 9.0/119.7,
// resnet50 9.0/80.6, inception4 5.9/132.8, inception3 7.8/56.6.
func skewOf(model string) (float64, bool) {
	switch plain(model) {
	case "vgg19":
		return 0.717, true
	case "vgg16":
		return 0.744, true
	case "vgg11":
		return 0.774, true
	case "alexnet":
		return 0.611, true
	case "resnet152":
		return 0.060, true
	case "resnet101":
		return 0.075, true
	case "resnet50":
		return 0.112, true
	case "inception4", "inceptionv4":
		return 0.044, true
	case "inception3", "inceptionv3":
		return 0.138, true
	}
	return 0, false
}

// plain folds the spellings of a name: "VGG-16", "vgg_16" and "vgg16" are one model.
func plain(model string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case r >= 'A' && r <= 'Z':
			return r + 'a' - 'A'
		case r >= 'a' && r <= 'z' || r >= '0' && r <= '9':
			return r
		}
		return -1
	}, model)
}
