"""A page in headless Chromium, driven through its debugging pipe: in real time, for workers."""

import base64
import json
import os
import shutil
import subprocess
import tempfile
import time


def find():
    names = ("chromium", "chromium-browser", "google-chrome")
    return next(filter(None, map(shutil.which, names)), None)


class Page:
    """with Page(path, "selftest=1", 1280, 900) as page: page.evaluate("document.title")"""

    def __init__(self, path, fragment="", width=1280, height=900, dark=False,
                 fonts=None):
        """fonts: a configuration of fontconfig, instead of the machine's."""
        self.profile = tempfile.TemporaryDirectory(ignore_cleanup_errors=True)
        to_child, self.write_end = os.pipe()
        self.read_end, from_child = os.pipe()
        self.process = subprocess.Popen(
            ["/bin/sh", "-c", f'exec "$0" "$@" 3<&{to_child} 4>&{from_child}', find(), "--headless",
             "--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-background-networking",
             "--host-resolver-rules=MAP * ~NOTFOUND", f"--user-data-dir={self.profile.name}",
             "--remote-debugging-pipe",
             f"--blink-settings=preferredColorScheme={0 if dark else 1}"],
            pass_fds=(to_child, from_child), stderr=subprocess.DEVNULL,
            env={**os.environ, "FONTCONFIG_FILE": fonts} if fonts else None)
        os.close(to_child)
        os.close(from_child)
        self.buffer, self.number, self.session, self.console = b"", 0, None, []
        target = self.call("Target.createTarget", url="about:blank")
        attached = self.call("Target.attachToTarget", targetId=target["targetId"], flatten=True)
        self.session = attached["sessionId"]
        for domain in ("Page", "Runtime", "Log"):
            self.call(domain + ".enable")
        self.resize(width, height)
        self.open(path, fragment)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.session = None
        self.call("Browser.close")
        self.process.wait()
        os.close(self.write_end)
        os.close(self.read_end)
        self.profile.cleanup()

    def receive(self):
        while b"\0" not in self.buffer:
            some = os.read(self.read_end, 1 << 20)
            if not some:
                raise RuntimeError("Chromium has ended")
            self.buffer += some
        message, self.buffer = self.buffer.split(b"\0", 1)
        return json.loads(message)

    def call(self, method, **parameters):
        self.number += 1
        message = {"id": self.number, "method": method, "params": parameters}
        if self.session:
            message["sessionId"] = self.session
        data = json.dumps(message).encode() + b"\0"
        while data:
            data = data[os.write(self.write_end, data):]
        while True:
            answer = self.receive()
            if answer.get("id") == self.number:
                if "error" in answer:
                    raise RuntimeError(f"{method}: {answer['error']['message']}")
                return answer["result"]
            if answer.get("method") in ("Runtime.consoleAPICalled", "Log.entryAdded",
                                        "Runtime.exceptionThrown"):
                self.console.append(json.dumps(answer["params"])[:300])

    def open(self, path, fragment=""):
        self.call("Page.navigate", url=f"file://{os.path.abspath(path)}#{fragment}")

    def resize(self, width, height):
        self.call("Emulation.setDeviceMetricsOverride", width=width, height=height,
                  deviceScaleFactor=1, mobile=False)

    def screenshot(self, x, y, width, height, scale=1):
        """The PNG of a part of the page."""
        clip = {"x": x, "y": y, "width": width, "height": height, "scale": scale}
        shot = self.call("Page.captureScreenshot", format="png", captureBeyondViewport=True, clip=clip)
        return base64.b64decode(shot["data"])

    def evaluate(self, expression):
        return self.call("Runtime.evaluate", expression=expression, returnByValue=True,
                         awaitPromise=True)["result"].get("value")

    def wait_for(self, expression, seconds):
        """Its value, as soon as it is true; None after so many seconds."""
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            value = self.evaluate(expression)
            if value:
                return value
            time.sleep(0.1)
        return None
