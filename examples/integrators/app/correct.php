<?php

/**
 * A correct app in PHP: it puts a greeting on the websites that install it. The same app as correct.ts and correct.py.
 * Start it with: PORT=5001 SERVICE_BASE=… API_KEY=… APP_SECRET=… php -S 127.0.0.1:5001 app/correct.php
 */

declare(strict_types=1);

const CALL_TIMEOUT_SECONDS = 5;
// A white square of 80 x 80 pixels.
const ICON_PNG = 'iVBORw0KGgoAAAANSUhEUgAAAFAAAABQAQAAAACmas8AAAAAFElEQVR42mP4DwcMo8xR5iiTtkwA9KcdDlRXsv0AAAAASUVORK5CYII=';

function setting(string $name, string $default = ''): string
{
    $value = getenv($name);
    return $value === false || $value === '' ? $default : $value;
}

// --- Whether a request comes from the service ---

/** Over all parameters except `hash`, in the order received, encoded as PHP encodes them. */
function is_authentic(array $query): bool
{
    $received = $query['hash'] ?? null;
    unset($query['hash']);
    $right = hash_hmac('sha256', http_build_query($query), setting('APP_SECRET'));
    return is_string($received) && hash_equals($right, $received);
}

// --- The two loads of the install address, and the settings address ---

function install(array $query): void
{
    if (!is_authentic($query)) {
        return; // An empty page: a forger learns nothing.
    }
    $auth_code = $query['authCode'] ?? '';
    if ($auth_code === '') {
        go_back($query);
        return;
    }
    if (call('POST', 'apps/installed/', $auth_code) === null) {
        http_response_code(502);
        page('Greeting is not installed', '<p>The installation could not be finished. Please install the app once more.</p>');
        return;
    }
    set_up($auth_code, $query['language'] ?? '');
    if (setting('TAB_MODE', 'blank') === 'self') {
        go_back($query);
        return;
    }
    page('Greeting is installed', '<p>Visitors of your website are greeted from now on.</p>');
}

function settings(array $query): void
{
    $auth_code = $query['authCode'] ?? '';
    if ($auth_code === '' || !is_authentic($query)) {
        return;
    }
    $stored = call('GET', 'apps/get_data/', $auth_code);
    $greeting = $stored['data']['greeting'] ?? 'not set yet';
    page('Settings of Greeting', '<p>Your greeting: ' . htmlspecialchars((string) $greeting) . '</p>');
}

/** To the address in `callback`, with everything that was received except `callback` and `hash`. */
function go_back(array $query): void
{
    $callback = $query['callback'] ?? '';
    unset($query['callback'], $query['hash']);
    header('Location: ' . $callback . '?' . http_build_query($query), true, 302);
}

// --- Calls to the service ---

/** What each new installation gets: its own greeting, stored as data and shown on its pages. */
function set_up(string $auth_code, string $language): void
{
    $greeting = $language === 'lv' ? 'Sveiki!' : 'Hello!';
    call('POST', 'apps/set_data/', $auth_code, ['data' => ['greeting' => $greeting]]);
    call('POST', 'apps/set_snippet/', $auth_code, ['snippet' => '<p class="greeting">' . htmlspecialchars($greeting) . '</p>']);
}

/** The service's response, or null if it refused, failed or did not respond in time. */
function call(string $method, string $path, string $auth_code, ?array $body = null): ?array
{
    $address = setting('SERVICE_BASE', 'http://127.0.0.1:4010/v1/') . $path . '?' . http_build_query(['authCode' => $auth_code]);
    $context = stream_context_create(['http' => [
        'method' => $method,
        'header' => ['Authorization: ApiKey ' . setting('API_KEY'), 'Content-Type: application/json'],
        'content' => $body === null ? '' : json_encode($body),
        'timeout' => CALL_TIMEOUT_SECONDS,
    ]]);
    // False for a status of 4XX and 5XX as well.
    $text = @file_get_contents($address, false, $context);
    $answer = $text === false ? null : json_decode($text, true);
    return is_array($answer) && ($answer['error'] ?? false) !== true ? $answer : null;
}

// --- Pages ---

function page(string $title, string $body): void
{
    header('Content-Type: text/html; charset=utf-8');
    echo "<!doctype html><html lang=\"en\"><head><meta charset=\"utf-8\"><title>$title</title></head>\n<body><h1>$title</h1>$body</body></html>";
}

/** What is submitted to the app setup portal. It contains the secret: a real app never serves it; this one does, on loopback. */
function manifest(): array
{
    $origin = 'http://127.0.0.1:' . setting('PORT');
    return [
        'app_type' => 'APP',
        'app_title' => 'Greeting',
        'app_icon' => "$origin/icon.png",
        'app_version' => '1.0.0',
        'app_description_short' => ['en' => 'Greets your visitors', 'lv' => 'Sveicina jūsu apmeklētājus'],
        'app_description_full' => 'Shows a friendly line on every page of your website.',
        'app_vendor' => [
            'company_name' => 'Example Apps Ltd',
            'support_email' => 'support@apps.example',
            'support_phone' => '+371 60000000',
            'developer_email' => 'developers@apps.example',
            'company_url' => "$origin/company",
            'support_url' => "$origin/help",
            'privacy_url' => "$origin/privacy",
            'tos_url' => ['en' => "$origin/terms"],
        ],
        'app_permissions' => ['FULL'],
        'app_tab_mode' => setting('TAB_MODE', 'blank'),
        'app_install_url' => "$origin/install",
        'app_settings_url' => "$origin/settings",
        'app_secret' => setting('APP_SECRET'),
    ];
}

switch (parse_url($_SERVER['REQUEST_URI'], PHP_URL_PATH)) {
    case '/install':
        install($_GET);
        break;
    case '/settings':
        settings($_GET);
        break;
    case '/manifest.json':
        header('Content-Type: application/json');
        echo json_encode(manifest());
        break;
    case '/icon.png':
        header('Content-Type: image/png');
        echo base64_decode(ICON_PNG);
        break;
    case '/company':
    case '/help':
    case '/privacy':
    case '/terms':
        page('Greeting', '<p>Example Apps Ltd</p>');
        break;
    default:
        http_response_code(404);
        page('Not found', '');
}
