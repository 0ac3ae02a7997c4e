/** Names of what prints a label, in the languages of many pages: of several buttons the one that the user who wants a label presses. */

// cspell:disable
/** Beginnings of words. */
const WORDS = [
  'print|label|create|generate|make',
  'druck|etikett|erstell|erzeug',
  'imprim|étiquette|créer|générer|etiqueta|crear|generar|criar|gerar',
  'stamp|etichett|crea\\b|genera',
  'afdruk|etiket|skriv ut|udskriv|tulosta|trük|silt',
  'druk|etykiet|tisk|vytvoř|vytvor|štít|nyomtat|címke|tipăr|etichet',
  'печат|этикет|наклей|друк|етикет|yazdır|εκτύπωσ|ετικέτ',
  'drukāt|izdrukāt|uzlīm|spausdin|lipduk',
];
/** Languages without spaces between words. */
const SIGNS = '打印|列印|印刷|标签|標籤|ラベル|인쇄|라벨';
/** Something less than a label. */
const SAMPLES =
  'preview|sample|test|vorschau|muster|aperçu|vista previa|anteprima|podgląd|náhled|предпросмотр|プレビュー|预览';

/** Beginnings of words of what serves a site, and no parcel: another language, news, help, an account. */
const SERVING_WORDS = [
  'subscribe|newsletter|search|help|support|contact|feedback|log ?in|sign ?in|sign ?up|(?:change|switch|choose) (?:the )?(?:language|currency|theme)',
  'abonnier|such|hilfe|kontakt|sprache',
  "s'abonner|recherch|aide|connexion|langue|suscri|buscar|ayuda|iniciar sesión|idioma|assinar|entrar",
  'iscriv|cerca|aiuto|acced|lingua|inschrijv|zoek|inlog|taal|prenumerer|abonner|sök|søg|søk|språk|sprog|hae|kieli',
  'zapisz się|szukaj|pomoc|zaloguj|język|odebír|hledat|přihlás|jazyk|feliratkoz|keres|nyelv|abonează|caut|limb',
  'подпис|поиск|найти|помощь|войти|язык|мова|пошук|увійти|abone|ara\\b|dil\\b|εγγραφ|αναζήτ|γλώσσ',
  'abonē|meklē|palīdz|ieiet|valod|prenumeruo|ieško|kalb|otsi|keel',
];
// cspell:enable

/** @example SERVING.test('Change language') // true */
export const SERVING = new RegExp(`(?<!\\p{L})(?:${SERVING_WORDS.join('|')})`, 'iu');

/** Names of fields with which a user sets up a site; a form of nothing else prints nothing. */
export const SITE_FIELDS = /^_?(?:lang|language|locale|hl|currency|theme)$/i;

/** @example PRINTING.test('Print the label') // true */
export const PRINTING = new RegExp(`^(?!.*(?:${SAMPLES})).*(?:(?<!\\p{L})(?:${WORDS.join('|')})|${SIGNS})`, 'isu');

/** What is beside the contents of a page. */
export const ASIDE = 'header,footer,nav,aside,[role=banner],[role=contentinfo],[role=navigation],[role=complementary]';

/** Fields and forms with which a user searches a site, whose button prints nothing. */
export const SEARCHING =
  'search,[role=search],form:has(input[type=search]),form:has(input:is([name=q],[name=query],[name=search],[name=keyword]))';
