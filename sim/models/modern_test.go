package models

import (
	"encoding/csv"
	"flag"
	"fmt"
	"math"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"

	"tarry/internal/pagetable"
	"tarry/internal/sharedata"
)

// overA100 is the speed of an H100 over the speed of an A100, bf16, from medians of measured rows
// of models with a billion parameters and more (TestConstantsOfMeasuredRows).
const overA100 = 2.3

func profile(t *testing.T, name string) *Profile {
	t.Helper()
	p, err := Lookup(name)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// Parameters follow from the architectures and equal the counts of the released weights.
func TestParametersOfModernModels(t *testing.T) {
	for name, want := range map[string]int64{
		"llama2-7b": 6738415616, "llama2-13b": 13015864320, "llama2-70b": 68976648192, "llama3-8b": 8030261248,
		"llama3-70b": 70553706496, "llama3-405b": 405853388800, "mistral-7b": 7241732096, "mixtral-8x7b": 46702792704,
		"vit-l16": 304326632, "vit-h14": 632045800, "whisper-large-v2": 1543304960, "whisper-large-v3": 1543490560,
		"t5-large": 737668096, "t5-3b": 2851598336, "t5-11b": 11307321344, "sdxl": 2567463684,
	} {
		p, fixed := profile(t, name), int64(0)
		if p.Params != want {
			t.Errorf("%s has %d parameters, released %d", name, p.Params, want)
		}
		for _, l := range p.Layers {
			if l.Name == "encoder positions (fixed)" {
				fixed = 1500 * 1280
			}
		}
		if p.Bytes() != 2*(p.Params-fixed) || p.StatesMiB != 16*p.Params>>20 {
			t.Errorf("%s reduces %d bytes and has states of %d MiB, want 2 and 16 bytes a parameter", name, p.Bytes(),
				p.StatesMiB)
		}
	}
	if p := profile(t, "gpt3-175b"); math.Abs(float64(p.Params)/175.0e9-1) > .005 {
		t.Errorf("GPT-3 has %d parameters, published 175.0 billion", p.Params)
	}
}

// FLOPs are six for each weight that a token meets and twelve times its attention: a closed form
// beside the layers.
func TestFLOPsOfDecoders(t *testing.T) {
	for _, d := range decoders() {
		p, h := profile(t, d.name), float64(d.width)
		dim := h / float64(d.heads)
		used := float64(max(d.used, 1))
		weights := float64(d.layers)*(2*h*(h+float64(d.kv)*dim)+3*h*float64(d.inner)*used) + h*float64(d.vocab)
		if d.experts > 0 {
			weights += float64(d.layers) * h * float64(d.experts)
			// "12.9 billion": all that a token meets, its row of the embedding counted with all others
			if active := weights + h*float64(d.vocab); math.Abs(active/12.9e9-1) > .005 {
				t.Errorf("%s uses %.4g parameters for a token, published 12.9 billion", d.name, active)
			}
		}
		want := float64(d.seq) * (6*weights + 12*float64(d.seq)*h*float64(d.layers))
		if math.Abs(p.FLOPs/want-1) > 1e-3 {
			t.Errorf("%s: %.4g FLOP a sample, want %.4g", d.name, p.FLOPs, want)
		}
		if ns := 1e9 * p.FLOPs / flopPerS16; p.ComputeNS() < 0.999*ns || p.ComputeNS() > 1.02*ns {
			t.Errorf("%s computes %.4g ns, its operations alone take %.4g", d.name, p.ComputeNS(), ns)
		}
	}
}

// States are divided between GPUs: 70 billion parameters need more than one GPU of 80 GiB, and fit
// 32; what is not divided stays.
func TestMemoryIsDivided(t *testing.T) {
	p := profile(t, "llama2-70b")
	if need := p.NeedMiB(1); need != p.MemMiB || need < 12*80<<10 {
		t.Errorf("alone it needs %d MiB", need)
	}
	if eight, many := p.NeedMiB(8), p.NeedMiB(32); eight < 80<<10 || many > 80<<10 {
		t.Errorf("on 8 GPUs it needs %d MiB of each, on 32 %d", eight, many)
	}
	if least := p.MemMiB - p.StatesMiB; p.NeedMiB(1<<30) != least+1 || p.NeedMiB(0) != p.MemMiB {
		t.Errorf("on very many GPUs it needs %d MiB, undivided are %d", p.NeedMiB(1<<30), least)
	}
	if v := profile(t, "vgg16"); v.NeedMiB(64) != v.MemMiB {
		t.Errorf("VGG-16 divides its memory: %d of %d", v.NeedMiB(64), v.MemMiB)
	}
}

func rowsOf(t *testing.T, path string) []map[string]string {
	t.Helper()
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	all, err := csv.NewReader(f).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	var out []map[string]string
	for _, row := range all[1:] {
		m := map[string]string{}
		for i, cell := range row {
			m[all[0][i]] = cell
		}
		out = append(out, m)
	}
	return out
}

func number(t *testing.T, text string) float64 {
	t.Helper()
	v, err := strconv.ParseFloat(text, 64)
	if err != nil {
		t.Fatal(err)
	}
	return v
}

// Published throughputs of models of the catalogue, and how much faster the profile is: whole runs of
// months are a quarter slower than the constant, which is of short runs.
func TestPublishedThroughputs(t *testing.T) {
	for _, r := range rowsOf(t, "testdata/throughput.csv") {
		p := profile(t, r["model"])
		perS := 1e9 * p.FLOPs / p.ComputeNS() / 1e12 // TFLOP/s
		if r["gpu"] == "h100" {
			perS *= overA100
		}
		measured := 0.0
		if r["tflops_gpu"] != "" {
			measured = number(t, r["tflops_gpu"])
		} else {
			seq := map[string]float64{"llama2-7b": 4096, "llama2-13b": 4096, "llama2-70b": 4096}[r["model"]]
			measured = number(t, r["tokens_s_gpu"]) * p.FLOPs / seq / 1e12
		}
		if got := perS / measured; math.Abs(got-number(t, r["ratio"])) > .011 {
			t.Errorf("%s on %s: %.3f of %.1f TFLOP/s measured, the file states %s", r["model"], r["gpu"], got, measured,
				r["ratio"])
		}
	}
}

// The constants are medians over measured rows of models with a billion parameters and more, on one
// machine or more: half of them are within 7 %, the worst within 26 % on A100 and 60 % on H100.
func TestConstantsOfMeasuredRows(t *testing.T) {
	all := rowsOf(t, sharedata.Path(t, "reference", "llm-throughput", "measured.csv"))
	rates := map[string][]float64{}
	for _, r := range all {
		large := slices.Contains([]string{"mpt-1b", "mpt-3b", "mpt-7b", "mpt-13b", "mpt-30b", "mpt-70b"}, r["model"])
		if r["family"] != "mpt" || r["precision"] != "bf16" || r["tokens_s_gpu"] == "" || !large {
			continue
		}
		whole := func(key string) int { return int(number(t, r[key])) }
		n, width, seq := &net{}, whole("hidden"), whole("seq")
		for range whole("layers") {
			n.attend("attention", attn{width: width, heads: whole("heads"), kv: whole("heads"),
				dim: width / whole("heads"), seq: seq}.self())
			n.mlp("mlp", width, whole("ffn"), 2, seq, 1, 1, 0)
		}
		n.linear("head", width, whole("vocab"), seq, false)
		p := n.on(half(), info{name: r["model"], batch: 1})
		rates[r["gpu"]] = append(rates[r["gpu"]], number(t, r["tokens_s_gpu"])*p.ComputeNS()/1e9/float64(seq))
	}
	for gpu, want := range map[string]struct{ speed, half, worst float64 }{
		"a100-80": {1, .07, .26}, "h100-80": {overA100, .07, .60},
	} {
		of := rates[gpu] // measured over predicted
		if len(of) < 20 {
			t.Errorf("%s: %d rows", gpu, len(of))
			continue
		}
		var errs []float64
		for _, v := range of {
			errs = append(errs, math.Abs(want.speed/v-1))
		}
		slices.Sort(of)
		slices.Sort(errs)
		t.Logf("%s: %d rows, median speed %.3f, errors: median %.3f, worst %.3f", gpu, len(of), of[len(of)/2],
			errs[len(errs)/2], errs[len(errs)-1])
		if median := of[len(of)/2]; math.Abs(median/want.speed-1) > .02 {
			t.Errorf("%s: measured rows have %.3f of the predicted speed in the median, want %v", gpu, median, want.speed)
		}
		if errs[len(errs)/2] > want.half || errs[len(errs)-1] > want.worst {
			t.Errorf("%s: errors of %.3f in the median and %.3f at worst", gpu, errs[len(errs)/2], errs[len(errs)-1])
		}
	}
}

// Names as hubs of models and papers have them.
func TestModernNames(t *testing.T) {
	for in, want := range map[string]string{
		"meta-llama/Llama-2-7b-hf": "llama2-7b", "Llama-2-70B": "llama2-70b", "Llama-3.1-405B": "llama3-405b",
		"llama3_8b": "llama3-8b", "meta-llama/Meta-Llama-3-8B": "llama3-8b", "Mixtral 8x7B": "mixtral-8x7b",
		"mistralai/Mistral-7B-v0.1": "mistral-7b", "ViT-L/16": "vit-l16", "ViT-H-14": "vit-h14",
		"stabilityai/stable-diffusion-xl-base-1.0": "sdxl", "Whisper-large-v3": "whisper-large-v3",
		"openai/whisper-large-v2": "whisper-large-v2", "T5-3B": "t5-3b", "google-t5/t5-large": "t5-large",
		"GPT-3": "gpt3-175b", "GPT3-175B": "gpt3-175b",
	} {
		if p, err := Lookup(in); err != nil || p.Name != want {
			t.Errorf("Lookup(%q): %v, want %s", in, err, want)
		}
	}
	for in, want := range map[string]string{
		"llama2-7":   `unknown model "llama2-7", did you mean "llama2-7b"?`,
		"lama3-70b":  `unknown model "lama3-70b", did you mean "llama3-70b"?`,
		"zzzzzzzzzz": `unknown model "zzzzzzzzzz", expected one of alexnet, bert-large, deepspeech2, dlrm, googlenet, gpt2, gpt2-xl, gpt3-175b and 29 more`,
	} {
		if _, err := Lookup(in); err == nil || err.Error() != want {
			t.Errorf("Lookup(%q): %v, want %s", in, err, want)
		}
	}
}

var update = flag.Bool("update", false, "rewrite the table of docs/howto/hardware.md")

// The table of docs/howto/hardware.md has every model whose states are divided, with its numbers.
func TestTableOfThePage(t *testing.T) {
	var b strings.Builder
	b.WriteString("| model | billion parameters | gradients, GB | GiB on each of 1, 8, 64 GPUs |\n|---|---:|---:|---|\n")
	for _, p := range Catalogue() {
		if p.StatesMiB == 0 {
			continue
		}
		gib := func(gpus int) float64 { return float64(p.NeedMiB(gpus)) / 1024 }
		fmt.Fprintf(&b, "| `%s` | %.1f | %.1f | %.1f, %.1f, %.1f |\n", p.Name, float64(p.Params)/1e9,
			float64(p.Bytes())/1e9, gib(1), gib(8), gib(64))
	}
	pagetable.Hold(t, "../../docs/howto/hardware.md", "models", b.String(), *update,
		"go test ./sim/models -run TestTableOfThePage -update")
}
