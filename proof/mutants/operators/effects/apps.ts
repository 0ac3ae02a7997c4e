/** Side effects of Apps calls: on snippets and data of this and of another installation. */
import type { World } from '../../world.ts';
import type { Effect, EffectRow } from './effect.ts';

type Installation = ReturnType<World['service']['state']['installations']['all']>[number];
const onInstallation =
  (isOwn: boolean, change: (one: Installation) => Partial<Installation>): Effect =>
  (world, sent) => {
    const { state } = world.service;
    const code = sent.query.find(([name]) => name === 'authCode')?.[1];
    const { authCode, otherAuthCode } = world.credentials;
    const meant = isOwn ? code : code === authCode ? otherAuthCode : authCode;
    const row = state.installations.get(meant ?? '');
    if (row === undefined) return false;
    const changes = change(row);
    if (JSON.stringify({ ...row, ...changes }) === JSON.stringify(row)) return false;
    state.installations.set(row.authCode, { ...row, ...changes });
    return true;
  };

const APPS_WRITES = /^apps\.(installed|snippet\.set|data\.set)$/;

export const APPS_EFFECTS: readonly EffectRow[] = [
  {
    id: 'own-data-lost',
    about: 'The data of the installation is lost.',
    on: /^apps\.(installed|snippet\.set)$/,
    effect: onInstallation(true, () => ({ data: '' })),
  },
  {
    id: 'own-snippets-lost',
    about: 'The snippets of the installation are lost.',
    on: /^apps\.(installed|data\.set)$/,
    effect: onInstallation(true, () => ({ snippets: {} })),
  },
  {
    id: 'other-data-lost',
    about: 'The data of another installation is lost.',
    on: APPS_WRITES,
    effect: onInstallation(false, () => ({ data: '' })),
  },
  {
    id: 'other-snippets-lost',
    about: 'The snippets of another installation are lost.',
    on: APPS_WRITES,
    effect: onInstallation(false, () => ({ snippets: {} })),
  },
  {
    id: 'other-languages-lost',
    about: 'The snippets of other languages are lost.',
    on: /^apps\.snippet\.set$/,
    effect: (world, sent) => {
      const slot = typeof sent.json?.language === 'string' ? sent.json.language : '';
      return onInstallation(true, ({ snippets }) => ({
        snippets: Object.fromEntries(Object.entries(snippets).filter(([name]) => name === slot)),
      }))(world, sent);
    },
  },
];
