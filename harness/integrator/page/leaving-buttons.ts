/** Names of buttons that cancel, go back, remove or sign out, in the languages of many pages: never the way on. */

// cspell:disable
/** Beginnings of words. */
const WORDS = [
  'cancel|back(?! ?up)|previous|uninstall|remove|delete|log ?out|sign ?out|log ?off',
  'abbrech|abbruch|zurück|deinstall|entfern|lösch|abmeld',
  'anuluj|wstecz|wróć|powrót|odinstaluj|usuń|wyloguj',
  'annul|retour|précédent|désinstall|supprim|déconn',
  'cancel|volver|atrás|voltar|desinstal|elimin|excluir|remover|cerrar sesión|sair',
  'indietro|disinstall|rimuov|esci',
  'terug|verwijder|uitlog|afmeld|avbryt|avbryd|tillbaka|tilbage|tilbake|avinstall|afinstall|slett|slet|ta bort|logga ut|log ud|logg ut',
  'peruuta|takaisin|poista|kirjaudu ulos|tühista|tagasi|eemalda|kustuta|logi välja',
  'atcel|atpakaļ|atinstal|noņem|dzēst|iziet|atšauk|atgal|pašalin|ištrin|atsijung',
  'zruš|zpět|späť|odinstal|odstran|smazat|vymazať|odhlás|mégse|vissza|eltávol|töröl|kijelentkez|anulează|înapoi|șterge|deconect',
  'отмен|отказ|назад|удал|выйти|выход|скасу|видал|вийти|изтри|изход|iptal|vazgeç|geri|kaldır|çıkış|ακύρωσ|πίσω|διαγραφ|αποσύνδ',
];
/** Languages without spaces between words. */
const SIGNS =
  '取消|返回|卸载|卸載|删除|刪除|移除|退出|登出|キャンセル|戻る|アンインストール|削除|ログアウト|취소|뒤로|제거|삭제|로그아웃';
// cspell:enable

/** @example LEAVING.test('Abbrechen') // true */
export const LEAVING = new RegExp(`(?<!\\p{L})(?:${WORDS.join('|')})|${SIGNS}`, 'iu');
