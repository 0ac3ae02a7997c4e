/** Names of buttons that cancel, go back, remove or sign out, in the languages of many pages: never the way on. */

// cspell:disable
/** Beginnings of words of what only goes back, which may be to the service. */
const BACK = [
  'back(?! ?up)|previous',
  'zurück|wstecz|wróć|powrót',
  'retour|précédent|volver|atrás|voltar|indietro',
  'terug|tillbaka|tilbage|tilbake|takaisin|tagasi',
  'atpakaļ|atgal|zpět|späť|vissza|înapoi',
  'назад|geri|πίσω',
];
/** Those of what gives up. */
const ABANDONING_WORDS = [
  'cancel|uninstall|remove|delete|log ?out|sign ?out|log ?off',
  'abbrech|abbruch|deinstall|entfern|lösch|abmeld',
  'anuluj|odinstaluj|usuń|wyloguj',
  'annul|désinstall|supprim|déconn',
  'cancel|desinstal|elimin|excluir|remover|cerrar sesión|sair',
  'disinstall|rimuov|esci',
  'verwijder|uitlog|afmeld|avbryt|avbryd|avinstall|afinstall|slett|slet|ta bort|logga ut|log ud|logg ut',
  'peruuta|poista|kirjaudu ulos|tühista|eemalda|kustuta|logi välja',
  'atcel|atinstal|noņem|dzēst|iziet|atšauk|pašalin|ištrin|atsijung',
  'zruš|odinstal|odstran|smazat|vymazať|odhlás|mégse|eltávol|töröl|kijelentkez|anulează|șterge|deconect',
  'отмен|отказ|удал|выйти|выход|скасу|видал|вийти|изтри|изход|iptal|vazgeç|kaldır|çıkış|ακύρωσ|διαγραφ|αποσύνδ',
];
/** Languages without spaces between words. */
const BACK_SIGNS = '返回|戻る|뒤로';
const ABANDONING_SIGNS =
  '取消|卸载|卸載|删除|刪除|移除|退出|登出|キャンセル|アンインストール|削除|ログアウト|취소|제거|삭제|로그아웃';
// cspell:enable

/** @example ABANDONING.test('Abbrechen') // true */
export const ABANDONING = new RegExp(`(?<!\\p{L})(?:${ABANDONING_WORDS.join('|')})|${ABANDONING_SIGNS}`, 'iu');

/** @example LEAVING.test('Zurück') // true */
export const LEAVING = new RegExp(
  `(?<!\\p{L})(?:${[...BACK, ...ABANDONING_WORDS].join('|')})|${BACK_SIGNS}|${ABANDONING_SIGNS}`,
  'iu',
);
