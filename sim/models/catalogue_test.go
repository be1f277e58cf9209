package models

import (
	"math"
	"slices"
	"strings"
	"testing"
)

// Parameter totals follow from the architectures; exact where the count of a reference
// implementation is known, within the stated tolerance of the paper's rounded figure otherwise.
func TestParametersMatchPublishedCounts(t *testing.T) {
	for _, c := range []struct {
		name string
		want float64
		tol  float64
	}{
		{"alexnet", 61100840, 0}, {"vgg11", 132863336, 0}, {"vgg16", 138357544, 0}, {"vgg19", 143667240, 0},
		{"resnet18", 11689512, 0}, {"resnet50", 25557032, 0}, {"resnet101", 44549160, 0}, {"resnet152", 60192808, 0},
		{"mobilenetv3-large", 5483032, 0}, {"mobilenetv3-small", 2542856, 0},
		{"inception3", 23834568, 0}, {"inception4", 42679816, 0}, {"googlenet", 6.8e6, .03},
		{"bert-large", 335141888, 0}, {"gpt2", 124439808, 0}, {"gpt2-xl", 1557611200, 0},
		{"transformer", 65e6, .04}, {"lstm", 66e6, .01}, {"deepspeech2", 38e6, .01}, {"dlrm", 540e6, .01},
	} {
		p, err := Lookup(c.name)
		if err != nil {
			t.Error(err)
			continue
		}
		if d := math.Abs(float64(p.Params)/c.want - 1); d > c.tol {
			t.Errorf("%s has %d parameters, published %.0f (tolerance %.0f %%)", c.name, p.Params, c.want, 100*c.tol)
		}
		if p.Name != "dlrm" && p.Bytes() != 4*p.Params {
			t.Errorf("%s reduces %d bytes, want 4 per parameter", c.name, p.Bytes())
		}
	}
}

func TestMultiplyAddsMatchPublishedCounts(t *testing.T) {
	// Giga multiply-adds per image as the papers give them: ResNet table 1, VGG-16 and Inception-v3
	// as usually counted.
	for name, want := range map[string]float64{"resnet18": 1.8, "resnet50": 4.1, "resnet101": 7.8, "resnet152": 11.5,
		"vgg16": 15.5, "inception3": 5.7} {
		p, err := Lookup(name)
		if err != nil {
			t.Fatal(err)
		}
		// Convolutions of these nets are compute-bound in sum: the roofline's time is at least the
		// arithmetic's.
		least := 2 * want * 1e9 * float64(p.Batch) / flopPerS * 1e9
		forward := 0.0
		for _, l := range p.Layers {
			forward += l.ForwardNS
		}
		if forward < 0.97*least || forward > 1.6*least {
			t.Errorf("%s: forward %.1f ms, arithmetic alone %.1f ms", name, forward/1e6, least/1e6)
		}
	}
}

// The derivation rests on one measured figure: it must come back.
func TestResNet50RunsAtTheMeasuredRate(t *testing.T) {
	p, err := Lookup("resnet50")
	if err != nil {
		t.Fatal(err)
	}
	if rate := float64(p.Batch) / (p.ComputeNS() / 1e9); math.Abs(rate/281-1) > 0.03 {
		t.Errorf("%.0f images/s, measured 281", rate)
	}
}

func TestCatalogueIsWhole(t *testing.T) {
	names := map[string]bool{}
	for _, p := range Catalogue() {
		if err := p.Validate(); err != nil {
			t.Errorf("%s: %v", p.Name, err)
		}
		if p.Doc == "" || len(p.Sources) < 2 || p.Batch < 1 || p.MemMiB < 1 || p.Reference == "" {
			t.Errorf("%s: doc, sources, batch, memory or reference missing", p.Name)
		}
		for _, n := range append([]string{p.Name}, p.Aliases...) {
			if names[Key(n)] {
				t.Errorf("name %q appears twice", n)
			}
			names[Key(n)] = true
		}
		for _, l := range p.Layers {
			if l.Name == "" {
				t.Errorf("%s: a layer without name", p.Name)
			}
		}
	}
	if len(Catalogue()) < 16 {
		t.Errorf("%d models, want at least 16", len(Catalogue()))
	}
}

func TestLookup(t *testing.T) {
	for in, want := range map[string]string{
		"AlexNet": "alexnet", "BERT": "bert-large", "MobileNetV3": "mobilenetv3-small", "ResNet18": "resnet18",
		"ResNet50": "resnet50", "VGG": "vgg16", "vgg11": "vgg11", "vgg19": "vgg19", "inception3": "inception3",
		"inception4": "inception4",
		"googlenet":  "googlenet", "resnet_101": "resnet101", "ResNet-152": "resnet152", "GPT-2": "gpt2",
		"Inception-v3": "inception3",
		"DeepSpeech2":  "deepspeech2", "LSTM": "lstm", "Transformer": "transformer", "DLRM": "dlrm",
		"ResNet-50 (batch size 64)": "resnet50", "LM (batch size 5)": "lstm",
	} {
		p, err := Lookup(in)
		if err != nil || p.Name != want {
			t.Errorf("Lookup(%q) = %v, %v, want %s", in, p, err, want)
		}
	}
	for in, want := range map[string]string{
		"resnet5O": `unknown model "resnet5O", did you mean "resnet50"?`,
		"alexnett": `unknown model "alexnett", did you mean "alexnet"?`,
		"burt":     `unknown model "burt", did you mean "bert-large"?`,
	} {
		if _, err := Lookup(in); err == nil || err.Error() != want {
			t.Errorf("Lookup(%q): %v, want %s", in, err, want)
		}
	}
	if _, err := Lookup("zzzzzzzz"); err == nil || !strings.Contains(err.Error(),
		"expected one of alexnet, bert-large") {
		t.Errorf("an unlike name: %v", err)
	}
}

func TestSetPrefersNamesToAliases(t *testing.T) {
	a := &Profile{Name: "a", Aliases: []string{"B"}}
	b := &Profile{Name: "b"}
	s := NewSet(b, a)
	if p, err := s.Lookup("b"); err != nil || p != b {
		t.Errorf("b is %v, %v", p, err)
	}
	newer := &Profile{Name: "a"}
	s = NewSet(a, newer)
	if p, err := s.Lookup("A"); err != nil || p != newer {
		t.Errorf("a later profile does not replace an earlier one: %v, %v", p, err)
	}
	if !slices.Equal(s.Names(), []string{"a"}) {
		t.Errorf("names %v", s.Names())
	}
}
