"""A correct app in Python: it puts a greeting on the websites that install it. The same app as correct.ts and correct.php.

Start it with: PORT=5001 SERVICE_BASE=… API_KEY=… APP_SECRET=… python3 app/correct.py
"""

import base64
import hashlib
import hmac
import html
import json
import os
import urllib.request
from http.client import HTTPException
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import parse_qsl, urlencode, urlsplit

PORT = int(os.environ.get("PORT", "5001"))
BASE = os.environ.get("SERVICE_BASE", "http://127.0.0.1:4010/v1/")
API_KEY = os.environ.get("API_KEY", "")
APP_SECRET = os.environ.get("APP_SECRET", "")
TAB_MODE = os.environ.get("TAB_MODE", "blank")
ORIGIN = f"http://127.0.0.1:{PORT}"
CALL_TIMEOUT_SECONDS = 5

# A white square of 80 x 80 pixels.
ICON_PNG = base64.b64decode(
    "iVBORw0KGgoAAAANSUhEUgAAAFAAAABQAQAAAACmas8AAAAAFElEQVR42mP4DwcMo8xR5iiTtkwA9KcdDlRXsv0AAAAASUVORK5CYII="
)

# What is submitted to the app setup portal. It contains the secret: a real app never serves it; this one does, on loopback.
MANIFEST = {
    "app_type": "APP",
    "app_title": "Greeting",
    "app_icon": f"{ORIGIN}/icon.png",
    "app_version": "1.0.0",
    "app_description_short": "Greets your visitors",
    "app_description_full": {"en": "Shows a friendly line on every page of your website."},
    "app_vendor": {
        "company_name": "Example Apps Ltd",
        "support_email": {"en": "support@apps.example"},
        "support_phone": "+371 60000000",
        "developer_email": "developers@apps.example",
        "company_url": f"{ORIGIN}/company",
        "support_url": f"{ORIGIN}/help",
        "privacy_url": f"{ORIGIN}/privacy",
        "tos_url": f"{ORIGIN}/terms",
    },
    "app_permissions": ["FULL"],
    "app_tab_mode": TAB_MODE,
    "app_install_url": f"{ORIGIN}/install",
    "app_settings_url": f"{ORIGIN}/settings",
    "app_secret": APP_SECRET,
}


def is_authentic(pairs):
    """Over all parameters except `hash`, in the order received, encoded as Python encodes them."""
    received = dict(pairs).get("hash", "")
    message = urlencode([(name, value) for name, value in pairs if name != "hash"])
    right = hmac.new(APP_SECRET.encode(), message.encode(), hashlib.sha256).hexdigest()
    return hmac.compare_digest(received.encode(), right.encode())


def return_redirect(pairs):
    """The address in `callback`, with everything that was received except `callback` and `hash`."""
    rest = [(name, value) for name, value in pairs if name not in ("callback", "hash")]
    return dict(pairs).get("callback", "") + "?" + urlencode(rest)


def call(method, path, auth_code, body=None):
    """The service's response, or None if it refused, failed or did not respond in time."""
    request = urllib.request.Request(
        BASE + path + "?" + urlencode({"authCode": auth_code}),
        method=method,
        headers={"Authorization": f"ApiKey {API_KEY}"},
    )
    if body is not None:
        request.data = json.dumps(body).encode()
        request.add_header("Content-Type", "application/json")
    try:
        with urllib.request.urlopen(request, timeout=CALL_TIMEOUT_SECONDS) as response:
            answer = json.load(response)
    except (OSError, ValueError, HTTPException):
        return None
    return answer if isinstance(answer, dict) and answer.get("error") is not True else None


def set_up(auth_code, language):
    """What each new installation gets: its own greeting, stored as data and shown on its pages."""
    greeting = "Sveiki!" if language == "lv" else "Hello!"
    call("POST", "apps/set_data/", auth_code, {"data": {"greeting": greeting}})
    call("POST", "apps/set_snippet/", auth_code, {"snippet": f'<p class="greeting">{html.escape(greeting)}</p>'})


class App(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_GET(self):
        address = urlsplit(self.path)
        pairs = parse_qsl(address.query, keep_blank_values=True)
        if address.path == "/install":
            self.install(pairs)
        elif address.path == "/settings":
            self.settings(pairs)
        elif address.path == "/manifest.json":
            self.answer(200, "application/json", json.dumps(MANIFEST).encode())
        elif address.path == "/icon.png":
            self.answer(200, "image/png", ICON_PNG)
        elif address.path in ("/company", "/help", "/privacy", "/terms"):
            self.page(200, "Greeting", "<p>Example Apps Ltd</p>")
        else:
            self.page(404, "Not found", "")

    def install(self, pairs):
        if not is_authentic(pairs):
            return self.refuse()
        query = dict(pairs)
        auth_code = query.get("authCode", "")
        if auth_code == "":
            return self.redirect(return_redirect(pairs))
        if call("POST", "apps/installed/", auth_code) is None:
            advice = "<p>The installation could not be finished. Please install the app once more.</p>"
            return self.page(502, "Greeting is not installed", advice)
        set_up(auth_code, query.get("language", ""))
        if TAB_MODE == "self":
            return self.redirect(return_redirect(pairs))
        return self.page(200, "Greeting is installed", "<p>Visitors of your website are greeted from now on.</p>")

    def settings(self, pairs):
        auth_code = dict(pairs).get("authCode", "")
        if auth_code == "" or not is_authentic(pairs):
            return self.refuse()
        data = (call("GET", "apps/get_data/", auth_code) or {}).get("data")
        greeting = data.get("greeting") if isinstance(data, dict) else "not set yet"
        return self.page(200, "Settings of Greeting", f"<p>Your greeting: {html.escape(str(greeting))}</p>")

    def refuse(self):
        self.page(403, "Forbidden", "<p>This request does not come from the website.</p>")

    def redirect(self, address):
        self.send_response(302)
        self.send_header("Location", address)
        self.send_header("Content-Length", "0")
        self.end_headers()

    def page(self, status, title, body):
        text = f'<!doctype html><html lang="en"><head><meta charset="utf-8"><title>{title}</title></head>\n<body><h1>{title}</h1>{body}</body></html>'
        self.answer(status, "text/html; charset=utf-8", text.encode())

    def answer(self, status, content_type, body):
        self.send_response(status)
        self.send_header("Content-Type", content_type)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, format, *args):
        pass


if __name__ == "__main__":
    ThreadingHTTPServer(("127.0.0.1", PORT), App).serve_forever()
