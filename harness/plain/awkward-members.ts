/** An object whose keys and values are changed by what changes texts: readers of forms, markup, numbers and templates. */

/** Characters that XML does not have, and a service may refuse. */
const CONTROLS = 'a\u0001b\u000bc\u001bd';

/** Each is a key, and its own value. The last one is long. */
const TEXTS: readonly string[] = [
  ...[' at both ends ', 'two  spaces', 'a\ttab', 'line\r\nbreak', 'C:\\new \\" \\\\', `"double" 'single' '' ""`],
  ...[
    '<b>bold</b>',
    '&amp; &lt; &nbsp; &#39;',
    '100%41 %20 %% %s %d',
    'caf%C3%A9',
    'a+b',
    '$1 $&',
    '{0} {{x}} #{x} ${x}',
  ],
  ...[
    'list[]',
    'map[key]',
    'end.',
    'a, b; c: d=e|f#g',
    '~^`_@',
    '<!-- c --> <script>d()</script> javascript:e()',
    'a, b,,',
  ],
  ...[
    '🐝 蜂蜜',
    'ﬁrst',
    'Straße/İnce/ılık',
    'cafe\u0301',
    '“curly” … — €',
    'a\u00a0b\u200bc\u2028d\u200ee\u00adf\ufeffg\u200dh',
    CONTROLS,
  ],
  ...[
    '007',
    '1e5',
    '1.50',
    '0x1F',
    'null',
    'undefined',
    'No',
    'true',
    '2026-03-01',
    '2026-03-01T10:20:30+02:00',
    '2026-03-01T10:20:30Z',
    '2026-03-01T10:20:30.500Z',
    '=1+1',
    '+371',
    'http://proofmark.example/a',
    '"both ends"',
    '[]',
  ],
  // The members of the interfaces' own responses and requests.
  ...['error_code', 'error_message', 'errorCode', 'errorMsg', 'snippet', 'fields'],
  ...['delivery_method', 'pickup_point', 'pickup_points', 'next_page_uri'],
  'k'.repeat(300),
];

export const AWKWARD_MEMBERS: Readonly<Record<string, string>> = Object.fromEntries(TEXTS.map((text) => [text, text]));

/** All of them in one text but the long one, and those that a service may well refuse for their characters: these are texts of their own. */
export const AWKWARD_TEXTS: readonly string[] = [
  TEXTS.slice(0, -1)
    .filter((text) => text !== CONTROLS)
    .join(' | '),
  CONTROLS,
];
