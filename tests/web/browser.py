"""Controls a headless Chromium over WebDriver (W3C), with Python's standard library alone. Needs Debian's
packages chromium and chromium-driver. WebGL is rendered by SwiftShader, on the CPU."""
import base64
import contextlib
import json
import os
import re
import shutil
import socket
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.request

# Tests run as root in containers, where Chromium's sandbox does not start.
ARGUMENTS = ["--headless=new", "--no-sandbox", "--use-gl=angle", "--use-angle=swiftshader", "--enable-unsafe-swiftshader",
             "--hide-scrollbars", "--allow-file-access-from-files"]
SKIPPED = 77


def free_port():
    with socket.socket() as s:
        s.bind(("127.0.0.1", 0))
        return s.getsockname()[1]


class Browser:
    """One browser window. Used as `with Browser() as b:`; the browser's processes end with the block."""

    def __init__(self, width=1280, height=900, dark=False):
        driver = shutil.which("chromedriver")
        binary = shutil.which("chromium")
        if not driver or not binary:
            print("no browser: needs the Debian packages chromium and chromium-driver")
            sys.exit(SKIPPED)
        self.folder = tempfile.TemporaryDirectory()
        port = free_port()
        self.base = f"http://127.0.0.1:{port}"
        self.log = open(os.path.join(self.folder.name, "log"), "w", encoding="utf-8")
        self.process = subprocess.Popen([driver, f"--port={port}"], stdout=self.log, stderr=self.log)
        self.session = None
        arguments = [*ARGUMENTS, f"--window-size={width},{height}", f"--user-data-dir={self.folder.name}/profile"]
        arguments += ["--force-dark-mode"] if dark else []
        wanted = {"browserName": "chrome", "goog:chromeOptions": {"binary": binary, "args": arguments},
                  "goog:loggingPrefs": {"browser": "ALL"}}
        self.wait_for_driver()
        self.session = self.call("POST", "/session", {"capabilities": {"alwaysMatch": wanted}})["sessionId"]
        self.path = f"/session/{self.session}"

    def wait_for_driver(self):
        for _ in range(100):
            try:
                if self.call("GET", "/status")["ready"]:
                    return
            except OSError:
                pass
            time.sleep(0.1)
        raise RuntimeError("chromedriver does not answer")

    def call(self, method, path, body=None):
        data = None if body is None else json.dumps(body).encode()
        request = urllib.request.Request(self.base + path, data, {"Content-Type": "application/json"}, method=method)
        try:
            with urllib.request.urlopen(request, timeout=120) as answer:
                return json.load(answer)["value"]
        except urllib.error.HTTPError as error:
            raise RuntimeError(error.read().decode()[:2000]) from error

    def open(self, path):
        address = path if re.match(r"\w+:", path) else "file://" + os.path.abspath(path)
        self.call("POST", self.path + "/url", {"url": address})

    def cdp(self, command, **parameters):
        return self.call("POST", self.path + "/goog/cdp/execute", {"cmd": command, "params": parameters})

    @contextlib.contextmanager
    def tab(self):
        """A context manager: opens a new tab, to which all calls in its block refer."""
        before = self.call("GET", self.path + "/window")
        made = self.call("POST", self.path + "/window/new", {"type": "tab"})["handle"]
        self.call("POST", self.path + "/window", {"handle": made})
        self.cdp("Page.bringToFront")
        yield
        self.call("DELETE", self.path + "/window")
        self.call("POST", self.path + "/window", {"handle": before})

    def run(self, script, *args):
        """Runs `script`, the body of a JavaScript function, and returns its value; waits for a promise."""
        return self.call("POST", self.path + "/execute/sync", {"script": script, "args": list(args)})

    def keys(self, text):
        """Types the text on the keyboard, into the element that has the focus."""
        actions = [a for c in text for a in ({"type": "keyDown", "value": c}, {"type": "keyUp", "value": c})]
        self.call("POST", self.path + "/actions", {"actions": [{"type": "key", "id": "keyboard", "actions": actions}]})

    def messages(self):
        """Returns the messages written to the browser's console since the last call."""
        return [f"{m['level']}: {m['message']}" for m in self.call("POST", self.path + "/se/log", {"type": "browser"})]

    def screenshot(self, path):
        with open(path, "wb") as f:
            f.write(base64.b64decode(self.call("GET", self.path + "/screenshot")))

    def close(self):
        if self.session:
            self.call("DELETE", self.path)
        self.process.terminate()
        self.process.wait()
        self.log.close()
        self.folder.cleanup()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()
