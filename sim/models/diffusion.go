package models

import "fmt"

// unet collects the layers of the UNet of Stable Diffusion XL; at is the tensor that stands.
type unet struct {
	net
	at     shape
	blocks int
}

// The widths of SDXL's time embedding and of the text that it attends to, and the length of the text.
const (
	timeWidth = 1280
	textWidth = 2048
	textLen   = 77
)

// resnet is two convolutions with norms, the time embedding added between, and a shortcut.
func (u *unet) resnet(out int) {
	in := u.at
	u.blocks++
	name := fmt.Sprintf("block.%d.", u.blocks)
	mid := u.conv(name+"conv.0", in, conv{out: out, kh: 3, kw: 3, stride: 1, padH: 1, padW: 1})
	u.linear(name+"time", timeWidth, out, 1, true)
	u.at = u.conv(name+"conv.1", mid, conv{out: out, kh: 3, kw: 3, stride: 1, padH: 1, padW: 1})
	if in.c != out {
		u.conv(name+"shortcut", in, conv{out: out, kh: 1, kw: 1, stride: 1})
	}
	u.add(op{name: name + "norms", params: int64(2*in.c + 2*out), in: in.size() + u.at.size()})
}

// transform is a stack of transformer blocks over the pixels: self-attention, attention to the text
// and a gated perceptron.
func (u *unet) transform(layers int) {
	c, seq := u.at.c, u.at.h*u.at.w
	u.blocks++
	for i := range layers {
		at := fmt.Sprintf("block.%d.layer.%d.", u.blocks, i)
		a := attn{width: c, heads: c / 64, kv: c / 64, dim: 64, seq: seq, extra: 3 * c} // norm, bias of the output
		u.attend(at+"self", a.self())
		a.source, a.sourceWidth = textLen, textWidth
		u.attend(at+"text", a)
		u.mlp(at+"mlp", c, 4*c, 3, seq, 1, 1, 11*c) // biases of 8c and c, norm
	}
	u.linear(fmt.Sprintf("block.%d.in", u.blocks), c, c, seq, true)
	u.linear(fmt.Sprintf("block.%d.out", u.blocks), c, c, seq, true)
	u.add(op{name: fmt.Sprintf("block.%d.norm", u.blocks), params: int64(2 * c), in: u.at.size()})
}

// sdxl is the UNet alone: text encoders and autoencoder are frozen, their outputs stored beforehand.
func sdxl() *Profile {
	u := &unet{at: shape{4, 128, 128}}
	u.linear("time.0", 320, timeWidth, 1, true)
	u.linear("time.1", timeWidth, timeWidth, 1, true)
	u.linear("added.0", 2816, timeWidth, 1, true)
	u.linear("added.1", timeWidth, timeWidth, 1, true)
	u.at = u.conv("conv.in", u.at, sq(320, 3, 1, 1))
	skips := []shape{u.at}
	widths, depths := [3]int{320, 640, 1280}, [3]int{0, 2, 10}
	for i, width := range widths {
		for range 2 {
			u.resnet(width)
			u.transformAt(depths[i])
			skips = append(skips, u.at)
		}
		if i < 2 {
			u.at = u.conv(fmt.Sprintf("down.%d", i), u.at, sq(width, 3, 2, 1))
			skips = append(skips, u.at)
		}
	}
	u.resnet(1280)
	u.transform(10)
	u.resnet(1280)
	for i := 2; i >= 0; i-- {
		for range 3 {
			u.at.c += skips[len(skips)-1].c
			skips = skips[:len(skips)-1]
			u.resnet(widths[i])
			u.transformAt(depths[i])
		}
		if i > 0 {
			u.at.h, u.at.w = 2*u.at.h, 2*u.at.w
			u.at = u.conv(fmt.Sprintf("up.%d", i), u.at, sq(widths[i], 3, 1, 1))
		}
	}
	u.add(op{name: "norm", params: 640, in: u.at.size()})
	u.conv("conv.out", u.at, sq(4, 3, 1, 1))
	return u.on(half(), info{"sdxl", []string{"stabilityai/stable-diffusion-xl-base-1.0", "stable-diffusion-xl"},
		"Stable Diffusion XL, the UNet on images of 1024 x 1024", 4, []string{
			"architecture: Podell et al., ICLR 2024, table 1 (2.6 billion parameters), released weights " +
				"(2,567,463,684); text encoders and autoencoder are frozen, their outputs stored beforehand"}})
}

// transformAt is transform where the level has transformer blocks.
func (u *unet) transformAt(layers int) {
	if layers > 0 {
		u.transform(layers)
	}
}
