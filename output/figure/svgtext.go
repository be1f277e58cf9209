package figure

import (
	"bytes"
	"fmt"
	"html"
	"image/color"
	"regexp"
	"strconv"

	"gonum.org/v1/plot/vg"
)

// svgFonts names fonts of the same widths for systems without Liberation Sans.
const svgFonts = "font-family:Liberation Sans,Arimo,Arial,Helvetica,sans-serif;"

// svgText is the end of a text's style, and the text.
var svgText = regexp.MustCompile(`font-size:([0-9.]+)px([^">]*)">([^<]+)</text>`)

// withFonts has the texts of an SVG drawn by other fonts where Liberation Sans is missing, at the
// width that the layout counts with.
func withFonts(svg []byte) []byte {
	svg = bytes.ReplaceAll(svg, []byte("font-family:Liberation Sans;"), []byte(svgFonts))
	return svgText.ReplaceAllFunc(svg, func(found []byte) []byte {
		m := svgText.FindSubmatch(found)
		size, err := strconv.ParseFloat(string(m[1]), 64)
		if err != nil {
			return found
		}
		width := textStyle(vg.Length(size), color.Black).Width(html.UnescapeString(string(m[3])))
		return fmt.Appendf(nil, `font-size:%spx%s" textLength="%.2f" lengthAdjust="spacingAndGlyphs">%s</text>`, m[1],
			m[2], width.Points(), m[3])
	})
}
