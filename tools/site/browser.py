"""A headless Chromium by the WebDriver protocol (W3C), for the checks of the site."""
import contextlib
import functools
import http.server
import json
import re
import subprocess
import tempfile
import threading
import urllib.request


class Quiet(http.server.SimpleHTTPRequestHandler):
    def log_message(self, *of):
        pass


@contextlib.contextmanager
def served(folder):
    """A folder at a local address."""
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(Quiet, directory=folder))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield f"http://127.0.0.1:{server.server_port}/"
    finally:
        server.shutdown()


class Browser:
    """One session of chromedriver; use it in a with statement."""

    def __init__(self, width=1280, height=900, arguments=()):
        self.profile = tempfile.TemporaryDirectory(ignore_cleanup_errors=True)
        self.driver = subprocess.Popen(["chromedriver", "--port=0"], stdout=subprocess.PIPE, text=True)
        port = next(m.group(1) for line in self.driver.stdout if (m := re.search(r"started successfully on port (\d+)", line)))
        self.session = f"http://127.0.0.1:{port}/session"
        options = ["--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--hide-scrollbars",
                   f"--window-size={width},{height}", f"--user-data-dir={self.profile.name}", *arguments]
        answer = self.call("POST", "", {"capabilities": {"alwaysMatch": {
            "goog:chromeOptions": {"args": options}, "goog:loggingPrefs": {"browser": "ALL", "performance": "ALL"}}}})
        self.session += "/" + answer["sessionId"]
        self.call("POST", "/timeouts", {"script": 60000})

    def __enter__(self):
        return self

    def __exit__(self, *fault):
        try:
            self.call("DELETE", "", {})
        finally:
            self.driver.kill()
            self.driver.wait()
            self.profile.cleanup()

    def call(self, method, path, body=None):
        """Sends a command and gives its value."""
        data = None if body is None else json.dumps(body).encode()
        request = urllib.request.Request(self.session + path, data, {"Content-Type": "application/json"}, method=method)
        with urllib.request.urlopen(request, timeout=90) as answer:
            return json.load(answer)["value"]

    def open(self, url):
        self.call("POST", "/url", {"url": url})

    def js(self, script, *arguments):
        """Runs the body of a function in the page; a promise is awaited."""
        return self.call("POST", "/execute/sync", {"script": script, "args": list(arguments)})

    def key(self, text):
        """Presses keys in the element that has the focus."""
        actions = [{"type": kind, "value": c} for c in text for kind in ("keyDown", "keyUp")]
        self.call("POST", "/actions", {"actions": [{"type": "key", "id": "keyboard", "actions": actions}]})

    def picture(self, path):
        """Writes what is seen as PNG."""
        import base64
        with open(path, "wb") as f:
            f.write(base64.b64decode(self.call("GET", "/screenshot")))

    def log(self, kind):
        return self.call("POST", "/se/log", {"type": kind})
