/** Faults of the Delivery interface, one file per part. */

import type { Deviation } from '../../types/deviation.ts';
import { attributeMemberFaults } from './attribute-members.ts';
import { countryListFaults } from './batch/countries.ts';
import { batchMemoryFaults } from './batch/memory.ts';
import { otherUploadFaults } from './batch/other-uploads.ts';
import { portionFaults } from './batch/portions.ts';
import { batchFaults } from './batch/replace.ts';
import { cacheFaults } from './caches.ts';
import { credentialFaults } from './credentials.ts';
import { cutValueFaults } from './cut-values.ts';
import { deletedPointFaults } from './deleted-points.ts';
import { filteredTextFaults } from './filtered-texts.ts';
import { firstValueFaults } from './first-values.ts';
import { formerPointFaults } from './former-points.ts';
import { frameworkFaults } from './frameworks.ts';
import { handlePatternFaults } from './handle-patterns.ts';
import { handleFaults } from './handles.ts';
import { kinshipFaults } from './kinship.ts';
import { listLinkFaults } from './lists/links.ts';
import { listNamedItemFaults } from './lists/named-items.ts';
import { listOrderFaults } from './lists/order.ts';
import { listPageFaults } from './lists/pages.ts';
import { createdMethodFaults } from './methods/created.ts';
import { deletedMethodFaults } from './methods/deleted.ts';
import { methodFieldFaults } from './methods/fields.ts';
import { labelAddressFaults } from './methods/label-addresses.ts';
import { methodOfPointsFaults } from './methods/points.ts';
import { readMethodFaults } from './methods/read.ts';
import { multilanguageFaults } from './multilanguage.ts';
import { namedInBodyFaults } from './named-in-body.ts';
import { oddRequestFaults } from './odd-requests.ts';
import { omittedFieldFaults } from './omitted-fields.ts';
import { ownerFaults } from './owners.ts';
import { pointFieldFaults } from './point-fields.ts';
import { pointIdFaults } from './point-ids.ts';
import { pointFaults } from './points.ts';
import { restoredFaults } from './restored.ts';
import { similarIdFaults } from './similar-ids.ts';
import { similarUpdateFaults } from './similar-updates.ts';

export const deliveryFaults: readonly Deviation[] = [
  ...credentialFaults,
  ...ownerFaults,
  ...createdMethodFaults,
  ...readMethodFaults,
  ...deletedMethodFaults,
  ...kinshipFaults,
  ...methodFieldFaults,
  ...labelAddressFaults,
  ...methodOfPointsFaults,
  ...omittedFieldFaults,
  ...firstValueFaults,
  ...multilanguageFaults,
  ...pointFaults,
  ...deletedPointFaults,
  ...pointIdFaults,
  ...similarIdFaults,
  ...pointFieldFaults,
  ...similarUpdateFaults,
  ...attributeMemberFaults,
  ...handleFaults,
  ...handlePatternFaults,
  ...filteredTextFaults,
  ...cutValueFaults,
  ...frameworkFaults,
  ...oddRequestFaults,
  ...batchFaults,
  ...countryListFaults,
  ...portionFaults,
  ...batchMemoryFaults,
  ...formerPointFaults,
  ...cacheFaults,
  ...otherUploadFaults,
  ...restoredFaults,
  ...namedInBodyFaults,
  ...listPageFaults,
  ...listLinkFaults,
  ...listNamedItemFaults,
  ...listOrderFaults,
];
