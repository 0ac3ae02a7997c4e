"""A complete app. Start it with: API_KEY=… APP_SECRET=… python3 app.py"""

import hashlib, hmac, os, urllib.request
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import parse_qsl, urlencode, urlsplit

BASE = os.environ.get("SERVICE_BASE", "http://127.0.0.1:4010/v1/")
ICON = '<svg xmlns="http://www.w3.org/2000/svg" width="80" height="80"><rect width="80" height="80"/></svg>'


def is_authentic(pairs):
    """The hash covers all received parameters except `hash`, in their order. Use urlencode: quote does not encode "/"."""
    message = urlencode([pair for pair in pairs if pair[0] != "hash"])
    right = hmac.new(os.environ["APP_SECRET"].encode(), message.encode(), hashlib.sha256).hexdigest()
    return hmac.compare_digest(dict(pairs).get("hash", "").encode(), right.encode())


def return_redirect(pairs):
    """The address in `callback`, with all received parameters except `callback` and `hash`."""
    return dict(pairs)["callback"] + "?" + urlencode([pair for pair in pairs if pair[0] not in ("callback", "hash")])


def finish(auth_code):
    """Tells the service that the installation is finished."""
    headers = {"Authorization": "ApiKey " + os.environ["API_KEY"]}
    address = BASE + "apps/installed/?" + urlencode({"authCode": auth_code})
    try:
        urllib.request.urlopen(urllib.request.Request(address, method="POST", headers=headers), timeout=10).close()
        return True
    except OSError:
        return False


class App(BaseHTTPRequestHandler):
    def do_GET(self):
        path, pairs = urlsplit(self.path).path, parse_qsl(urlsplit(self.path).query, keep_blank_values=True)
        if path == "/icon.svg": return self.page(200, ICON, "image/svg+xml")
        if path == "/about": return self.page(200, "<h1>About us</h1>")
        if path not in ("/install", "/settings"): return self.page(404, "<h1>Not found</h1>")
        if not is_authentic(pairs): return self.page(403, "<h1>This request does not come from the service</h1>")
        if path == "/settings": return self.page(200, "<h1>Settings</h1><p>There is nothing to set.</p>")
        auth_code = dict(pairs).get("authCode")
        if auth_code is None: return self.page(302, "", location=return_redirect(pairs))
        if finish(auth_code): return self.page(200, "<h1>Installed</h1>")
        self.page(502, "<h1>Please install it again</h1>")

    def page(self, status, text, kind="text/html; charset=utf-8", location=None):
        self.send_response(status)
        self.send_header("Content-Type", kind)
        if location is not None: self.send_header("Location", location)
        self.end_headers()
        self.wfile.write(text.encode())


ThreadingHTTPServer(("127.0.0.1", int(os.environ.get("PORT", "5001"))), App).serve_forever()
