"""A correct label page in Python: it asks for weight and priority in a form, makes the label, and calls the callback itself.

Start it with: PORT=5002 SERVICE_BASE=… API_KEY=… python3 label/correct.py
"""

import base64
import hashlib
import hmac
import html
import json
import os
import re
import secrets
import urllib.request
from email.parser import BytesParser
from http.client import HTTPException
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import parse_qsl, urlencode, urlsplit

PORT = int(os.environ.get("PORT", "5002"))
BASE = os.environ.get("SERVICE_BASE", "http://127.0.0.1:4010/v1/")
API_KEY = os.environ.get("API_KEY", "")
ORIGIN = f"http://127.0.0.1:{PORT}"
CALL_TIMEOUT_SECONDS = 5
# The limits of this carrier.
PARCEL_GRAMS_MAX = 31_500

# What is submitted to the provider setup portal.
MANIFEST = {
    "app_type": "DELIVERY_SERVICE",
    "app_title": "Example Parcels",
    "app_vendor": {
        "company_name": "Example Parcels Ltd",
        "support_email": "support@parcels.example",
        "support_phone": "+371 60000000",
        "developer_email": "developers@parcels.example",
    },
    "delivery_api_data_fields": [{"id": "client_id", "title": "Customer number", "type": "text", "required": True}],
}

# Requests that wait for their form, and labels that wait for their printer, by names that cannot be guessed.
waiting = {}
labels = {}


def signature(pairs):
    """Over all values except the signature, in field order, with nothing between them."""
    message = "".join(value for name, value in pairs if name != "signature")
    return base64.b64encode(hmac.new(API_KEY.encode(), message.encode(), hashlib.sha256).digest()).decode()


def is_authentic(pairs):
    received = dict(pairs).get("signature", "")
    return hmac.compare_digest(received.encode(), signature(pairs).encode())


def customer_number(order_uuid):
    """The number that the store's admin entered, or nothing if the service does not return it."""
    request = urllib.request.Request(
        BASE + "store/delivery_provider_settings/",
        data=json.dumps({"order_uuid": order_uuid}).encode(),
        headers={"Authorization": f"ApiKey {API_KEY}", "Content-Type": "application/json"},
    )
    try:
        with urllib.request.urlopen(request, timeout=CALL_TIMEOUT_SECONDS) as response:
            return str(json.load(response)["fields"].get("client_id", ""))
    except (OSError, ValueError, KeyError, AttributeError, HTTPException):
        return ""


def report(order, result):
    """Reports the result of a request to the service. True if it was accepted. Errors are not signed: nothing requires it."""
    pairs = [("label_request_id", order["label_request_id"]), *result]
    if result[0][0] != "error_msg":
        pairs.append(("signature", signature(pairs)))
    try:
        with urllib.request.urlopen(order["callback_url"] + "?" + urlencode(pairs), timeout=CALL_TIMEOUT_SECONDS):
            return True
    except (OSError, ValueError, HTTPException):
        return False


def pdf(lines):
    """A PDF of one page, 100 x 150 mm (283 x 425 points)."""
    shown = [re.sub(r"([\\()])", r"\\\1", re.sub(r"[^\x20-\x7e]", "?", line)) for line in lines]
    content = "BT /F1 12 Tf 16 TL 20 390 Td " + " ".join(f"({line}) Tj T*" for line in shown) + " ET"
    objects = [
        "<< /Type /Catalog /Pages 2 0 R >>",
        "<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
        "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 283 425] /Contents 4 0 R /Resources << /Font << /F1 5 0 R >> >> >>",
        f"<< /Length {len(content)} >>\nstream\n{content}\nendstream",
        "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>",
    ]
    text = "%PDF-1.4\n"
    table = "0000000000 65535 f \n"
    for number, thing in enumerate(objects, 1):
        table += f"{len(text):010d} 00000 n \n"
        text += f"{number} 0 obj\n{thing}\nendobj\n"
    return f"{text}xref\n0 6\n{table}trailer\n<< /Size 6 /Root 1 0 R >>\nstartxref\n{len(text)}\n%%EOF\n".encode()


FORM = """<form method="post" action="/print">
<input type="hidden" name="ticket" value="{ticket}">
<p><label>Weight in grams <input type="number" name="grams" min="0" required value="{grams}"></label></p>
<p><input type="radio" id="economy" name="priority" value="economy" required><label for="economy">Economy</label>
<input type="radio" id="express" name="priority" value="express"><label for="express">Express</label></p>
<p><label><input type="checkbox" name="correct" value="yes" required> The address is complete</label></p>
<p><input type="submit" value="Print the label"></p>
</form>"""


class LabelPage(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_POST(self):
        pairs = self.form()
        path = urlsplit(self.path).path
        if path == "/label":
            self.ask(pairs)
        elif path == "/print":
            self.print_label(dict(pairs))
        elif path == "/checkout" and is_authentic(pairs):
            self.page(200, "Delivery", "<p>Example Parcels brings it tomorrow for 4.90 EUR.</p>")
        else:
            self.refuse()

    def do_GET(self):
        path = urlsplit(self.path).path
        if path == "/manifest.json":
            self.answer(200, "application/json", json.dumps(MANIFEST).encode())
        elif path in labels:
            self.answer(200, "application/pdf", labels[path])
        elif path.startswith("/track/"):
            self.page(200, "Your parcel", "<p>It is being packed.</p>")
        else:
            self.page(404, "Not found", "")

    def form(self):
        """The fields of a posted form in their order, urlencoded or multipart."""
        body = self.rfile.read(int(self.headers.get("Content-Length", "0")))
        content_type = self.headers.get("Content-Type", "")
        if not content_type.startswith("multipart/form-data"):
            return parse_qsl(body.decode(), keep_blank_values=True)
        message = BytesParser().parsebytes(f"Content-Type: {content_type}\r\n\r\n".encode() + body)
        return [
            (part.get_param("name", header="content-disposition"), part.get_payload(decode=True).decode())
            for part in message.get_payload()
        ]

    def ask(self, pairs):
        """The store's service posts an order: shows the form for what the order does not contain."""
        if not is_authentic(pairs):
            return self.refuse()
        ticket = secrets.token_hex(16)
        waiting[ticket] = dict(pairs)
        grams = html.escape(dict(pairs).get("weight", ""))
        return self.page(200, "Print a label", FORM.format(ticket=ticket, grams=grams))

    def print_label(self, form):
        """The submitted form: makes the label or explains why not, and reports."""
        order = waiting.pop(form.get("ticket", ""), None)
        if order is None:
            return self.refuse()
        if int(form.get("grams") or 0) > PARCEL_GRAMS_MAX:
            reported = report(order, [("error_msg", "A parcel may weigh 31.5 kg at most.")])
            note = "The parcel is too heavy." if reported else "The store could not be reached."
            return self.page(200, "No label", f"<p>{note}</p>")
        name = order.get("shipping_first_name", "") + " " + order.get("shipping_last_name", "")
        place = order.get("shipping_zip", "") + " " + order.get("shipping_city", "")
        customer = customer_number(order.get("order_uuid", ""))
        path = f"/label/{secrets.token_hex(16)}.pdf"
        labels[path] = pdf([name, order.get("shipping_street", ""), place, customer, form.get("priority", "")])
        code = secrets.token_hex(4).upper()
        if report(order, [("label_url", ORIGIN + path), ("tracking_url", f"{ORIGIN}/track/{code}"), ("tracking_code", code)]):
            return self.page(200, "Label printed", f'<p><a href="{path}">The label</a></p>')
        return self.page(502, "Not reported", "<p>The store could not be told of the label. Please print it once more.</p>")

    def refuse(self):
        self.page(403, "Forbidden", "<p>This request is not signed by the store’s service.</p>")

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
    ThreadingHTTPServer(("127.0.0.1", PORT), LabelPage).serve_forever()
