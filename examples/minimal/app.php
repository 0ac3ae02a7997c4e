<?php
// A complete app. Start it with: API_KEY=… APP_SECRET=… php -S 127.0.0.1:5001 app.php

/** The hash covers all received parameters except `hash`, in their order. */
function is_authentic(array $query): bool
{
    $received = $query['hash'] ?? '';
    unset($query['hash']);
    $right = hash_hmac('sha256', http_build_query($query), getenv('APP_SECRET'));
    return is_string($received) && hash_equals($right, $received);
}

/** The address in `callback`, with all received parameters except `callback` and `hash`. */
function return_redirect(array $query): string
{
    $callback = $query['callback'];
    unset($query['callback'], $query['hash']);
    return $callback . '?' . http_build_query($query);
}

/** Tells the service that the installation is finished. */
function finish(string $auth_code): bool
{
    $base = getenv('SERVICE_BASE') ?: 'http://127.0.0.1:4010/v1/';
    $header = 'Authorization: ApiKey ' . getenv('API_KEY');
    $context = stream_context_create(['http' => ['method' => 'POST', 'header' => $header, 'timeout' => 10]]);
    return @file_get_contents($base . 'apps/installed/?authCode=' . urlencode($auth_code), false, $context) !== false;
}

function page(int $status, string $text, string $type = 'text/html; charset=utf-8'): void
{
    http_response_code($status);
    header("Content-Type: $type");
    exit($text);
}

$path = parse_url($_SERVER['REQUEST_URI'], PHP_URL_PATH);
if ($path === '/icon.svg') page(200, '<svg xmlns="http://www.w3.org/2000/svg" width="80" height="80"/>', 'image/svg+xml');
if ($path === '/about') page(200, '<h1>About us</h1>');
if ($path !== '/install' && $path !== '/settings') page(404, '<h1>Not found</h1>');
if (!is_authentic($_GET)) page(403, '<h1>This request does not come from the service</h1>');
if ($path === '/settings') page(200, '<h1>Settings</h1><p>There is nothing to set.</p>');
if (!isset($_GET['authCode'])) {
    header('Location: ' . return_redirect($_GET), true, 302);
    exit;
}
finish($_GET['authCode']) ? page(200, '<h1>Installed</h1>') : page(502, '<h1>Please install it again</h1>');
