package report

import (
	"bufio"
	"bytes"
	"context"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"
)

// browser is a headless Chromium, spoken to by the WebDriver protocol (W3C) over HTTP.
type browser struct {
	t       *testing.T
	session string // address of the session
}

// startBrowser starts one, which ends with the test. Without chromedriver the test is skipped,
// unless TARRY_NEED_BROWSER states that it must be there.
func startBrowser(t *testing.T) *browser {
	t.Helper()
	if testing.Short() {
		t.Skip("the page is not tried in a browser: the tests are short")
	}
	driver, err := exec.LookPath("chromedriver")
	if err != nil {
		if os.Getenv("TARRY_NEED_BROWSER") != "" {
			t.Fatal("chromedriver is absent and TARRY_NEED_BROWSER is set (Debian: chromium chromium-driver)")
		}
		t.Skip("the page is not tried in a browser: chromedriver is absent (Debian: apt-get install chromium " +
			"chromium-driver)")
	}
	ctx, cancel := context.WithCancel(context.Background())
	cmd := exec.CommandContext(ctx, driver, "--port=0")
	out, err := cmd.StdoutPipe()
	if err == nil {
		err = cmd.Start()
	}
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { cancel(); cmd.Wait() }) // killed: its exit status shows nothing
	port := ""
	lines := bufio.NewScanner(out)
	started := regexp.MustCompile(`started successfully on port (\d+)`)
	for port == "" && lines.Scan() {
		if m := started.FindStringSubmatch(lines.Text()); m != nil {
			port = m[1]
		}
	}
	if port == "" {
		t.Fatal("chromedriver did not say its port")
	}
	go func() {
		for lines.Scan() { // so that it never waits for a reader
		}
	}()
	b := &browser{t: t, session: "http://127.0.0.1:" + port + "/session"}
	answer := b.call("POST", "", map[string]any{"capabilities": map[string]any{"alwaysMatch": map[string]any{
		"goog:chromeOptions": map[string]any{"args": []string{"--headless=new", "--no-sandbox", "--disable-gpu",
			"--disable-dev-shm-usage", "--hide-scrollbars", "--window-size=1280,900",
			"--user-data-dir=" + t.TempDir()}},
		"goog:loggingPrefs": map[string]any{"browser": "ALL", "performance": "ALL"},
	}}})
	b.session += "/" + answer.(map[string]any)["sessionId"].(string)
	t.Cleanup(func() { b.call("DELETE", "", map[string]any{}) })
	return b
}

// call sends a command and gives its value.
func (b *browser) call(method, path string, body any) any {
	b.t.Helper()
	data, err := json.Marshal(body)
	if err != nil {
		b.t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	q, err := http.NewRequestWithContext(ctx, method, b.session+path, bytes.NewReader(data))
	if err != nil {
		b.t.Fatal(err)
	}
	answer, err := http.DefaultClient.Do(q)
	if err != nil {
		b.t.Fatal(err)
	}
	defer answer.Body.Close()
	var got struct{ Value any }
	if err := json.NewDecoder(answer.Body).Decode(&got); err != nil {
		b.t.Fatal(err)
	}
	if answer.StatusCode != http.StatusOK {
		b.t.Fatalf("%s %s: %s: %v", method, path, answer.Status, got.Value)
	}
	return got.Value
}

func (b *browser) open(url string) { b.t.Helper(); b.call("POST", "/url", map[string]any{"url": url}) }

// js runs the body of a function in the page.
func (b *browser) js(script string, args ...any) any {
	b.t.Helper()
	if args == nil {
		args = []any{}
	}
	return b.call("POST", "/execute/sync", map[string]any{"script": script, "args": args})
}

// text is the text of the first element of a selector.
func (b *browser) text(css string) string {
	b.t.Helper()
	s, _ := b.js("const e = document.querySelector(arguments[0]); return e && e.textContent", css).(string)
	return s
}

// count counts elements.
func (b *browser) count(css string) int {
	b.t.Helper()
	return int(b.js("return document.querySelectorAll(arguments[0]).length", css).(float64))
}

// at scrolls an element into sight and gives a place in it, as parts of its width and height.
func (b *browser) at(css string, fx, fy float64) (x, y int) {
	b.t.Helper()
	p, ok := b.js(`const e = document.querySelector(arguments[0]); if (!e) return null;
		e.scrollIntoView({ block: 'center', behavior: 'instant' }); const r = e.getBoundingClientRect();
		return [r.left + r.width * arguments[1], r.top + r.height * arguments[2]]`, css, fx, fy).([]any)
	if !ok {
		b.t.Fatalf("the page has no %s", css)
	}
	return int(p[0].(float64)), int(p[1].(float64))
}

// pointer plays actions of the mouse.
func (b *browser) pointer(actions ...map[string]any) {
	b.t.Helper()
	b.call("POST", "/actions", map[string]any{"actions": []any{map[string]any{"type": "pointer", "id": "mouse",
		"parameters": map[string]any{"pointerType": "mouse"}, "actions": actions}}})
}

func move(x, y int) map[string]any {
	return map[string]any{"type": "pointerMove", "duration": 20, "x": x, "y": y}
}
func press() map[string]any   { return map[string]any{"type": "pointerDown", "button": 0} }
func release() map[string]any { return map[string]any{"type": "pointerUp", "button": 0} }

func (b *browser) click(css string) {
	b.t.Helper()
	x, y := b.at(css, 0.5, 0.5)
	b.pointer(move(x, y), press(), release())
}

func (b *browser) hover(css string, fx, fy float64) {
	b.t.Helper()
	x, y := b.at(css, fx, fy)
	b.pointer(move(x-2, y), move(x, y))
}

func (b *browser) drag(css string, fx0, fy0, fx1, fy1 float64) {
	b.t.Helper()
	x0, y0 := b.at(css, fx0, fy0)
	x1, y1 := b.at(css, fx1, fy1)
	b.pointer(move(x0, y0), press(), move((x0+x1)/2, (y0+y1)/2), move(x1, y1), release())
}

func (b *browser) wheel(css string, fx, fy float64, down int) {
	b.t.Helper()
	x, y := b.at(css, fx, fy)
	b.call("POST", "/actions", map[string]any{"actions": []any{map[string]any{"type": "wheel", "id": "wheel",
		"actions": []any{map[string]any{"type": "scroll", "x": x, "y": y, "deltaX": 0, "deltaY": down,
			"duration": 0}}}}})
}

// keys types into what has the focus; \ue014 is the right arrow, \ue00c Escape.
func (b *browser) keys(text string) {
	b.t.Helper()
	var actions []any
	for _, r := range text {
		actions = append(actions, map[string]any{"type": "keyDown", "value": string(r)},
			map[string]any{"type": "keyUp", "value": string(r)})
	}
	b.call("POST", "/actions", map[string]any{"actions": []any{map[string]any{"type": "key", "id": "keys",
		"actions": actions}}})
}

// devtools sends a command of Chromium's own protocol.
func (b *browser) devtools(cmd string, params map[string]any) any {
	b.t.Helper()
	return b.call("POST", "/goog/cdp/execute", map[string]any{"cmd": cmd, "params": params})
}

// width makes the page as wide as a window or a telephone.
func (b *browser) width(px int) {
	b.t.Helper()
	b.devtools("Emulation.setDeviceMetricsOverride", map[string]any{"width": px, "height": 900, "deviceScaleFactor": 1,
		"mobile": false})
	b.settle()
}

// dark chooses the scheme that the system asks for; media is screen or print.
func (b *browser) dark(scheme, media string) {
	b.t.Helper()
	b.devtools("Emulation.setEmulatedMedia", map[string]any{"media": media,
		"features": []any{map[string]any{"name": "prefers-color-scheme", "value": scheme}}})
	b.settle()
}

// settle lets the page lay itself out.
func (b *browser) settle() {
	b.t.Helper()
	b.call("POST", "/execute/async", map[string]any{"script": "const done = arguments[0]; requestAnimationFrame(() " +
		"=> requestAnimationFrame(() => done()))", "args": []any{}})
}

// shoot keeps a picture of the whole page in TARRY_SCREENSHOTS, to be looked at.
func (b *browser) shoot(name string) {
	b.t.Helper()
	dir := os.Getenv("TARRY_SCREENSHOTS")
	if dir == "" {
		return
	}
	size := b.js("return [document.documentElement.clientWidth, document.documentElement.scrollHeight]").([]any)
	shot := b.devtools("Page.captureScreenshot", map[string]any{"captureBeyondViewport": true,
		"clip": map[string]any{"x": 0, "y": 0, "width": size[0], "height": size[1], "scale": 1}}).(map[string]any)
	data, err := base64.StdEncoding.DecodeString(shot["data"].(string))
	if err == nil {
		err = os.WriteFile(filepath.Join(dir, name+".png"), data, 0o600)
	}
	if err != nil {
		b.t.Fatal(err)
	}
}

// complaints lists what the page wrote to the console.
func (b *browser) complaints() []string {
	b.t.Helper()
	var out []string
	for _, e := range b.call("POST", "/se/log", map[string]any{"type": "browser"}).([]any) {
		out = append(out, fmt.Sprint(e.(map[string]any)["message"]))
	}
	return out
}

// requests lists the addresses that were asked for since the last call.
func (b *browser) requests() []string {
	b.t.Helper()
	var out []string
	for _, e := range b.call("POST", "/se/log", map[string]any{"type": "performance"}).([]any) {
		var m struct {
			Message struct {
				Method string
				Params struct{ Request struct{ URL string } }
			}
		}
		if json.Unmarshal([]byte(e.(map[string]any)["message"].(string)), &m) == nil &&
			m.Message.Method == "Network.requestWillBeSent" {
			if url := m.Message.Params.Request.URL; !strings.HasPrefix(url, "data:") {
				out = append(out, url)
			}
		}
	}
	return out
}

// wideParts names the elements that stand out to the right.
const wideParts = `return [...document.querySelectorAll('body *')].filter((e) => e.getBoundingClientRect().right > document.documentElement.clientWidth + 1 && !e.closest('.scroll > *'))
	.slice(0, 5).map((e) => e.tagName + '.' + e.className + ' ' + e.getBoundingClientRect().right).join('; ')`

// TestLookAtPages makes pages of the folders in TARRY_FOLDERS (with ":" between) and takes their
// pictures, to be looked at.
func TestLookAtPages(t *testing.T) {
	folders := os.Getenv("TARRY_FOLDERS")
	if folders == "" || os.Getenv("TARRY_SCREENSHOTS") == "" {
		t.Skip("no pages to look at: TARRY_FOLDERS and TARRY_SCREENSHOTS are not set")
	}
	b := startBrowser(t)
	for folder := range strings.SplitSeq(folders, ":") {
		name := filepath.Base(folder)
		b.open("file://" + pageFile(t, folder))
		for _, w := range [...]int{1280, 400} {
			b.dark("light", "screen")
			b.width(w)
			b.shoot(fmt.Sprintf("%s-%d", name, w))
			if over := b.js(tooWide).(float64); over > 0 {
				t.Errorf("%s is %v pixels too wide at %d: %v", folder, over, w, b.js(wideParts))
			}
		}
		b.width(1280)
		b.dark("dark", "screen")
		b.shoot(name + "-dark")
		if said := b.complaints(); len(said) > 0 {
			t.Errorf("%s: %q", folder, said)
		}
	}
}

const tooWide = "return document.documentElement.scrollWidth - document.documentElement.clientWidth"

// pageFile writes the page of a folder and gives its path.
func pageFile(t *testing.T, dir string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "page.html")
	if err := os.WriteFile(path, []byte(pageOf(t, dir)), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// pageOf is the page of a folder.
func pageOf(t *testing.T, dir string) string {
	t.Helper()
	p, err := NewReader(dir, Options{}).Read(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	var out strings.Builder
	if err := Write(&out, p); err != nil {
		t.Fatal(err)
	}
	return out.String()
}
