/** Faults of the Delivery interface, one file per part. */

import type { Deviation } from '../../types/deviation.ts';
import { countryListFaults } from './batch/countries.ts';
import { endedUploadFaults } from './batch/ended-uploads.ts';
import { batchMemoryFaults } from './batch/memory.ts';
import { otherUploadFaults } from './batch/other-uploads.ts';
import { portionFaults } from './batch/portions.ts';
import { batchFaults } from './batch/replace.ts';
import { contentFaults } from './by-number-of-points.ts';
import { cacheFaults } from './caches.ts';
import { firstValueFaults } from './first-values.ts';
import { frameworkFaults } from './frameworks.ts';
import { handleFaults } from './handles/index.ts';
import { namedInBodyFaults } from './handles/named-in-body.ts';
import { handlePatternFaults } from './handles/patterns.ts';
import { listLinkFaults } from './lists/links.ts';
import { listNamedItemFaults } from './lists/named-items.ts';
import { onePlaceFaults } from './lists/one-place.ts';
import { listOrderFaults } from './lists/order.ts';
import { listPageFaults } from './lists/pages.ts';
import { countryFaults } from './methods/countries.ts';
import { createdMethodFaults } from './methods/created.ts';
import { deletedMethodFaults } from './methods/deleted.ts';
import { methodFieldFaults } from './methods/fields.ts';
import { forgottenFaults } from './methods/forgotten.ts';
import { labelAddressFaults } from './methods/label-addresses.ts';
import { methodOfPointsFaults } from './methods/points.ts';
import { readMethodFaults } from './methods/read.ts';
import { oddRequestFaults } from './odd-requests.ts';
import { omittedFieldFaults } from './omitted-fields.ts';
import { simultaneousOwnerFaults } from './owners/at-once.ts';
import { credentialFaults } from './owners/credentials.ts';
import { formOfOwnerFaults } from './owners/forms.ts';
import { ownerFaults } from './owners/index.ts';
import { kinshipFaults } from './owners/kinship.ts';
import { lostWriteFaults } from './owners/lost-writes.ts';
import { attributeMemberFaults } from './points/attribute-members.ts';
import { pointFaults } from './points/calls.ts';
import { deletedPointFaults } from './points/deleted.ts';
import { pointFieldFaults } from './points/fields.ts';
import { formerPointFaults } from './points/former.ts';
import { pointIdFaults } from './points/ids.ts';
import { similarIdFaults } from './points/similar-ids.ts';
import { pointUpdateFaults } from './points/updates.ts';
import { restoredFaults } from './restored.ts';
import { similarUpdateFaults } from './similar-updates.ts';
import { cutValueFaults } from './texts/cut-values.ts';
import { filteredTextFaults } from './texts/filtered-texts.ts';
import { foreignLanguageFaults } from './texts/foreign-languages.ts';
import { multilanguageFaults } from './texts/multilanguage.ts';

export const deliveryFaults: readonly Deviation[] = [
  ...credentialFaults,
  ...ownerFaults,
  ...createdMethodFaults,
  ...readMethodFaults,
  ...deletedMethodFaults,
  ...kinshipFaults,
  ...forgottenFaults,
  ...lostWriteFaults,
  ...simultaneousOwnerFaults,
  ...formOfOwnerFaults,
  ...methodFieldFaults,
  ...countryFaults,
  ...labelAddressFaults,
  ...methodOfPointsFaults,
  ...omittedFieldFaults,
  ...firstValueFaults,
  ...multilanguageFaults,
  ...foreignLanguageFaults,
  ...pointFaults,
  ...deletedPointFaults,
  ...pointIdFaults,
  ...similarIdFaults,
  ...pointFieldFaults,
  ...pointUpdateFaults,
  ...similarUpdateFaults,
  ...attributeMemberFaults,
  ...handleFaults,
  ...handlePatternFaults,
  ...filteredTextFaults,
  ...cutValueFaults,
  ...frameworkFaults,
  ...contentFaults,
  ...oddRequestFaults,
  ...batchFaults,
  ...countryListFaults,
  ...portionFaults,
  ...batchMemoryFaults,
  ...formerPointFaults,
  ...cacheFaults,
  ...otherUploadFaults,
  ...endedUploadFaults,
  ...restoredFaults,
  ...namedInBodyFaults,
  ...listPageFaults,
  ...listLinkFaults,
  ...listNamedItemFaults,
  ...listOrderFaults,
  ...onePlaceFaults,
];
