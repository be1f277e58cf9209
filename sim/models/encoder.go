package models

import (
	"fmt"
	"strconv"
)

// vit is a Vision Transformer on images of 224 x 224 with 1000 classes.
func vit(name, title string, patch, layers, width, heads, inner int, aliases ...string) *Profile {
	patches := (224 / patch) * (224 / patch)
	seq := patches + 1
	n := &net{}
	n.conv("patches", shape{3, 224, 224}, conv{out: width, kh: patch, kw: patch, stride: patch})
	n.add(op{name: "class and positions", params: int64(width + seq*width), in: int64(seq * width)})
	for i := range layers {
		at := "layer." + strconv.Itoa(i) + "."
		n.attend(at+"attention", attn{width: width, heads: heads, kv: heads, dim: width / heads, seq: seq,
			extra: 6 * width}.self())
		n.mlp(at+"mlp", width, inner, 2, seq, 1, 1, inner+3*width)
	}
	n.norm("norm", width, seq)
	n.linear("head", width, 1000, 1, true)
	return n.on(half(), info{name, append(aliases, title), title + ", images of 224 x 224", 64, []string{
		"architecture: Dosovitskiy et al., ICLR 2021, table 1 (307 and 632 million parameters with heads of their " +
			"own; 304,326,632 and 632,045,800 in torchvision)"}})
}

// whisper is the large model of a version, 30 s of sound and as many tokens as its decoder has.
func whisper(version, mels, vocab int) *Profile {
	const width, layers, frames, tokens = 1280, 32, 1500, 448
	n := &net{}
	at := func(part string, i int, what string) string { return part + "." + strconv.Itoa(i) + "." + what }
	block := attn{width: width, heads: 20, kv: 20, dim: 64, extra: 5 * width} // no bias of keys
	n.add(op{name: "conv.0", params: int64(3*mels*width + width), macs: int64(3*mels*width) * 2 * frames,
		in: int64(2 * mels * frames), out: 2 * width * frames})
	n.add(op{name: "conv.1", params: 3*width*width + width, macs: 3 * width * width * frames, in: 2 * width * frames,
		out: width * frames})
	n.add(op{name: "encoder positions (fixed)", params: frames * width, in: frames * width, noReduce: true})
	for i := range layers {
		self := block
		self.seq = frames
		n.attend(at("encoder", i, "attention"), self.self())
		n.mlp(at("encoder", i, "mlp"), width, 4*width, 2, frames, 1, 1, 7*width)
	}
	n.norm("encoder.norm", width, frames)
	n.embed("decoder.embed", vocab, width, tokens)
	n.embed("decoder.positions", tokens, width, tokens)
	for i := range layers {
		self, cross := block, block
		self.seq, cross.seq, cross.source, cross.sourceWidth = tokens, tokens, frames, width
		n.attend(at("decoder", i, "self"), self.self())
		n.attend(at("decoder", i, "cross"), cross)
		n.mlp(at("decoder", i, "mlp"), width, 4*width, 2, tokens, 1, 1, 7*width)
	}
	n.norm("decoder.norm", width, tokens)
	n.add(op{name: "head (tied)", macs: int64(vocab) * width * tokens, in: width * tokens, out: int64(vocab) * tokens})
	name := fmt.Sprintf("whisper-large-v%d", version)
	aliases := []string{"openai/" + name}
	if version == 3 {
		aliases = append(aliases, "whisper-large")
	}
	return n.on(half(), info{name, aliases, fmt.Sprintf("Whisper large-v%d, 30 s of sound and %d tokens", version,
		tokens), 8, []string{"architecture: Radford et al., ICML 2023, table 1 (1550 million parameters), released " +
		"weights (1,543,304,960 and 1,543,490,560 with the fixed positions)"}})
}

// t5 is a text-to-text transformer on 512 tokens and 114 of the spans that are left out.
func t5(name, title string, width, heads, dim, inner, batch int) *Profile {
	const vocab, layers, source, target, buckets = 32128, 24, 512, 114, 32
	n := &net{}
	n.embed("embed (shared)", vocab, width, source+target)
	block := attn{width: width, heads: heads, kv: heads, dim: dim, extra: width}
	for i := range layers {
		self := block
		self.seq = source
		if i == 0 {
			self.extra += buckets * heads // relative positions, which all layers share
		}
		n.attend("encoder."+strconv.Itoa(i)+".attention", self.self())
		n.mlp("encoder."+strconv.Itoa(i)+".mlp", width, inner, 2, source, 1, 1, width)
	}
	n.add(op{name: "encoder.norm", params: int64(width), in: int64(width * source)})
	for i := range layers {
		self, cross := block, block
		self.seq, cross.seq, cross.source, cross.sourceWidth = target, target, source, width
		if i == 0 {
			self.extra += buckets * heads
		}
		n.attend("decoder."+strconv.Itoa(i)+".self", self.self())
		n.attend("decoder."+strconv.Itoa(i)+".cross", cross)
		n.mlp("decoder."+strconv.Itoa(i)+".mlp", width, inner, 2, target, 1, 1, width)
	}
	n.add(op{name: "decoder.norm", params: int64(width), in: int64(width * target)})
	n.add(op{name: "head (tied)", macs: int64(vocab*width) * target, in: int64(width * target), out: vocab * target})
	return n.on(half(), info{name, []string{"google-t5/" + name}, fmt.Sprintf("%s, %d tokens to %d", title, source,
		target), batch, []string{"architecture: Raffel et al., JMLR 21(140), 2020, section 3.7 (770 million, 2.8 and 11 " +
		"billion parameters), released weights (737,668,096, 2,851,598,336 and 11,307,321,344)"}})
}
