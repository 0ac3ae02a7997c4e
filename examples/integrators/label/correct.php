<?php

/**
 * A correct label page in PHP: it asks for weight and priority in a form, makes the label, and sends the browser to the callback.
 * Start it with: PORT=5002 API_KEY=… DATA_DIR=… php -S 127.0.0.1:5002 label/correct.php
 */

declare(strict_types=1);

// The limits of this carrier.
const PARCEL_GRAMS_MAX = 31500;

function setting(string $name, string $default = ''): string
{
    $value = getenv($name);
    return $value === false || $value === '' ? $default : $value;
}

function origin(): string
{
    return 'http://127.0.0.1:' . setting('PORT');
}

/** Where requests wait for their form and labels for their printer, under names that cannot be guessed. */
function file_of(string $name): string
{
    $folder = setting('DATA_DIR', sys_get_temp_dir() . '/example-parcels');
    is_dir($folder) || mkdir($folder, 0700, true);
    return "$folder/$name";
}

// --- Signatures ---

/** Over all values except the signature, in field order, with nothing between them. */
function signature(array $fields): string
{
    unset($fields['signature']);
    return base64_encode(hash_hmac('sha256', implode('', $fields), setting('API_KEY'), true));
}

function is_authentic(array $fields): bool
{
    return is_string($fields['signature'] ?? null) && hash_equals(signature($fields), $fields['signature']);
}

// --- The label request: first a form, then the label ---

/** The store's service posts an order: shows the form for what the order does not contain. */
function ask(array $fields): void
{
    if (!is_authentic($fields)) {
        refuse();
        return;
    }
    $ticket = bin2hex(random_bytes(16));
    file_put_contents(file_of("$ticket.json"), json_encode($fields));
    $grams = htmlspecialchars($fields['weight'] ?? '');
    page('Print a label', <<<HTML
        <form method="post" action="/print">
        <input type="hidden" name="ticket" value="$ticket">
        <p><label>Weight in grams <input type="number" name="grams" min="0" required value="$grams"></label></p>
        <p><label>Priority <select name="priority" required>
        <option value="">Please choose</option><option value="economy">Economy</option><option value="express">Express</option>
        </select></label></p>
        <p><button>Print the label</button></p>
        </form>
        HTML);
}

/** The submitted form: makes the label or explains why not, and reports by redirecting the browser to the callback. */
function print_label(array $form): void
{
    $ticket = $form['ticket'] ?? '';
    if (!preg_match('/^[0-9a-f]{32}$/', $ticket) || !is_file(file_of("$ticket.json"))) {
        refuse();
        return;
    }
    $order = json_decode(file_get_contents(file_of("$ticket.json")), true);
    if ((int) $form['grams'] > PARCEL_GRAMS_MAX) {
        report($order, ['error_msg' => 'A parcel may weigh 31.5 kg at most.']);
        return;
    }
    $label = bin2hex(random_bytes(16));
    $name = ($order['shipping_first_name'] ?? '') . ' ' . ($order['shipping_last_name'] ?? '');
    $place = ($order['shipping_zip'] ?? '') . ' ' . ($order['shipping_city'] ?? '');
    file_put_contents(file_of("$label.pdf"), pdf([$name, $order['shipping_street'] ?? '', $place, strtoupper($form['priority'])]));
    report($order, ['label_url' => origin() . "/label/$label.pdf"]);
}

/** An error needs no signature, but is signed here anyway: one function for both. */
function report(array $order, array $result): void
{
    $parameters = ['label_request_id' => $order['label_request_id'], ...$result];
    $parameters['signature'] = signature($parameters);
    header('Location: ' . $order['callback_url'] . '?' . http_build_query($parameters), true, 302);
}

// --- Pages and documents ---

/** A PDF of one page, 100 x 150 mm (283 x 425 points). */
function pdf(array $lines): string
{
    $content = 'BT /F1 12 Tf 16 TL 20 390 Td';
    foreach ($lines as $line) {
        $content .= ' (' . addcslashes(preg_replace('/[^\x20-\x7e]/u', '?', $line) ?? '', '\\()') . ') Tj T*';
    }
    $content .= ' ET';
    $objects = [
        '<< /Type /Catalog /Pages 2 0 R >>',
        '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
        '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 283 425] /Contents 4 0 R /Resources << /Font << /F1 5 0 R >> >> >>',
        '<< /Length ' . strlen($content) . " >>\nstream\n$content\nendstream",
        '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>',
    ];
    $text = "%PDF-1.4\n";
    $table = "0000000000 65535 f \n";
    foreach ($objects as $at => $object) {
        $table .= sprintf("%010d 00000 n \n", strlen($text));
        $text .= ($at + 1) . " 0 obj\n$object\nendobj\n";
    }
    return $text . "xref\n0 6\n$table" . "trailer\n<< /Size 6 /Root 1 0 R >>\nstartxref\n" . strlen($text) . "\n%%EOF\n";
}

function page(string $title, string $body): void
{
    header('Content-Type: text/html; charset=utf-8');
    echo "<!doctype html><html lang=\"en\"><head><meta charset=\"utf-8\"><title>$title</title></head>\n<body><h1>$title</h1>\n$body</body></html>";
}

function refuse(): void
{
    http_response_code(403);
    page('Forbidden', '<p>This request is not signed by the store’s service.</p>');
}

/** What is submitted to the provider setup portal. */
function manifest(): array
{
    return [
        'app_type' => 'DELIVERY_SERVICE',
        'app_title' => 'Example Parcels',
        'app_vendor' => [
            'company_name' => 'Example Parcels Ltd',
            'support_email' => 'support@parcels.example',
            'support_phone' => '+371 60000000',
            'developer_email' => 'developers@parcels.example',
        ],
    ];
}

$path = parse_url($_SERVER['REQUEST_URI'], PHP_URL_PATH);
$is_post = $_SERVER['REQUEST_METHOD'] === 'POST';
if ($path === '/label' && $is_post) {
    ask($_POST);
} elseif ($path === '/print' && $is_post) {
    print_label($_POST);
} elseif ($path === '/checkout' && $is_post) {
    is_authentic($_POST) ? page('Delivery', '<p>Example Parcels brings it tomorrow for 4.90 EUR.</p>') : refuse();
} elseif ($path === '/manifest.json') {
    header('Content-Type: application/json');
    echo json_encode(manifest());
} elseif (preg_match('#^/label/([0-9a-f]{32}\.pdf)$#', $path, $found) && is_file(file_of($found[1]))) {
    header('Content-Type: application/pdf');
    readfile(file_of($found[1]));
} else {
    http_response_code(404);
    page('Not found', '');
}
