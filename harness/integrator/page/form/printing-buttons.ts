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
// cspell:enable

/** @example PRINTING.test('Print the label') // true */
export const PRINTING = new RegExp(`^(?!.*(?:${SAMPLES})).*(?:(?<!\\p{L})(?:${WORDS.join('|')})|${SIGNS})`, 'isu');

/** What is beside the contents of a page. */
export const ASIDE = 'header,footer,nav,aside,[role=banner],[role=contentinfo],[role=navigation],[role=complementary]';

/** Fields and forms with which a user searches a site, whose button prints nothing. */
export const SEARCHING =
  'search,[role=search],form:has(input[type=search]),form:has(input:is([name=q],[name=query],[name=search],[name=keyword]))';
