/** The suites of Delivery in the order of the report; lists and batch replace are registered beside them. */
import type { Suite } from '../../harness/check/check.ts';
import { checks as credentialsEveryCall } from './credentials/every-call.ts';
import { checks as everyForm } from './credentials/every-form.ts';
import { checks as otherOwners } from './credentials/other-owners.ts';
import { checks as providerKey } from './credentials/provider-key.ts';
import { checks as credentials } from './credentials/refusals.ts';
import { checks as existing } from './existing.ts';
import { checks as handles } from './handles/index.ts';
import { checks as methodDelete } from './method/delete.ts';
import { checks as echoedUpdates } from './method/echoed.ts';
import { checks as methodFields } from './method/fields.ts';
import { checks as noLabelAddress } from './method/no-label-address.ts';
import { checks as methodPoints } from './method/points.ts';
import { checks as methodStored } from './method/stored.ts';
import { checks as methodTexts } from './method/texts.ts';
import { checks as unknownHandles } from './method/unknown-handles.ts';
import { checks as unusualMethods } from './method/unusual.ts';
import { checks as methodUpdate } from './method/update.ts';
import { checks as observedTexts } from './multilanguage/observed.ts';
import { checks as multilanguage } from './multilanguage/texts.ts';
import { checks as observedKeysAndSettings } from './observations/keys-and-settings.ts';
import { checks as observedMethods } from './observations/methods.ts';
import { checks as observedPoints } from './observations/points.ts';
import { checks as ownershipAtOnce } from './owner/at-once.ts';
import { checks as ownership } from './owner/methods.ts';
import { checks as ownershipPoints } from './owner/points.ts';
import { checks as ownershipOfProviders } from './owner/provider-points.ts';
import { checks as pointAttributes } from './point/attributes.ts';
import { checks as pointDelete } from './point/delete.ts';
import { checks as pointFields } from './point/fields.ts';
import { checks as pointIds } from './point/ids.ts';
import { checks as pointIdsInPaths } from './point/ids-in-paths.ts';
import { checks as pointStored } from './point/stored.ts';
import { checks as pointTexts } from './point/texts.ts';
import { checks as unusualPoints } from './point/unusual.ts';
import { checks as pointUpdate } from './point/update.ts';
import { checks as providerSettings } from './settings.ts';

const serialGroup = 'delivery';

export const DELIVERY_SUITES: readonly Suite[] = [
  { name: 'delivery/credentials', serialGroup, checks: [...credentials, ...credentialsEveryCall] },
  {
    name: 'delivery/method',
    serialGroup,
    checks: [
      ...methodStored,
      ...methodFields,
      ...noLabelAddress,
      ...methodUpdate,
      ...methodPoints,
      ...methodTexts,
      ...methodDelete,
      ...unknownHandles,
      ...echoedUpdates,
      ...unusualMethods,
    ],
  },
  {
    name: 'delivery/point',
    serialGroup,
    checks: [
      ...pointStored,
      ...pointFields,
      ...pointAttributes,
      ...pointIds,
      ...pointIdsInPaths,
      ...pointUpdate,
      ...pointTexts,
      ...pointDelete,
      ...unusualPoints,
    ],
  },
  { name: 'delivery/handles', serialGroup, checks: handles },
  { name: 'delivery/multilanguage', serialGroup, checks: multilanguage },
  {
    name: 'delivery/owner',
    serialGroup,
    checks: [...ownership, ...ownershipPoints, ...ownershipOfProviders, ...ownershipAtOnce],
  },
  { name: 'delivery/existing', serialGroup, checks: existing },
  { name: 'delivery/provider-key', serialGroup, checks: [...providerKey, ...everyForm, ...otherOwners] },
  { name: 'delivery/settings', serialGroup, checks: providerSettings },
  {
    name: 'delivery/observations',
    serialGroup,
    checks: [...observedMethods, ...observedPoints, ...observedTexts, ...observedKeysAndSettings],
  },
];
