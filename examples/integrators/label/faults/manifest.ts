/** What a faulty provider submits to the setup portal. The label page itself is correct. */
import { examplesOver } from '../../support/example.ts';
import LabelPage from '../correct.ts';

export default examplesOver(LabelPage, {
  'label.manifest.app-type': {
    clauses: ['provider.manifest.app-type'],
    about: 'The manifest is of another type.',
    manifest: { app_type: 'APP' },
  },
  'label.manifest.empty-title': {
    clauses: ['provider.manifest.texts-not-empty'],
    about: 'A data field has an empty title.',
    manifest: { delivery_api_data_fields: [{ id: 'depot', title: '', type: 'text' }] },
  },
  'label.manifest.duplicate-field-id': {
    clauses: ['provider.manifest.data-field-ids-distinct'],
    about: 'Two data fields have the same id.',
    manifest: {
      delivery_api_data_fields: [
        { id: 'depot', title: 'Depot', type: 'text' },
        { id: 'depot', title: 'Second depot', type: 'text' },
      ],
    },
  },
  'label.manifest.field-type': {
    clauses: ['provider.manifest.data-field-type'],
    about: 'A data field is of a type that the contract does not have.',
    manifest: { delivery_api_data_fields: [{ id: 'depot', title: 'Depot', type: 'number' }] },
  },
  'label.manifest.field-without-id': {
    clauses: ['provider.manifest.data-field-id'],
    about: 'A data field has no id.',
    manifest: { delivery_api_data_fields: [{ title: 'Depot', type: 'text' }] },
  },
  'label.manifest.field-without-title': {
    clauses: ['provider.manifest.data-field-title'],
    about: 'A data field has no title.',
    manifest: { delivery_api_data_fields: [{ id: 'depot', type: 'text' }] },
  },
  'label.manifest.fields-by-id': {
    clauses: ['provider.manifest.data-fields'],
    about: 'The data fields are an object by id instead of a list.',
    manifest: { delivery_api_data_fields: { depot: { title: 'Depot', type: 'text' } } },
  },
  'label.manifest.info-as-url': {
    clauses: ['provider.manifest.service-info'],
    about: 'The service info is the address itself instead of an object.',
    manifest: (origin) => ({ delivery_service_info: `${origin}/stores` }),
  },
  'label.manifest.info-url-as-list': {
    clauses: ['provider.manifest.info-url'],
    about: 'The info address is a list.',
    manifest: (origin) => ({ delivery_service_info: { info_url: [`${origin}/stores`] } }),
  },
  'label.manifest.info-url-not-found': {
    clauses: ['provider.manifest.info-url-https'],
    about: 'Nothing is at the info address.',
    manifest: (origin) => ({ delivery_service_info: { info_url: `${origin}/nowhere` } }),
  },
  'label.manifest.no-company-name': {
    clauses: ['provider.manifest.vendor-company-name'],
    about: 'The vendor has no company name.',
    manifest: { app_vendor: { company_name: undefined } },
  },
  'label.manifest.no-developer-email': {
    clauses: ['provider.manifest.vendor-developer-email'],
    about: 'The vendor has no developer_email.',
    manifest: { app_vendor: { developer_email: null } },
  },
  'label.manifest.no-support-email': {
    clauses: ['provider.manifest.vendor-support-email'],
    about: 'The vendor has no e-mail address for support.',
    manifest: { app_vendor: { support_email: undefined } },
  },
  'label.manifest.phone-as-number': {
    clauses: ['provider.manifest.vendor-support-phone'],
    about: 'The phone number for support is a number.',
    manifest: { app_vendor: { support_phone: 37160000000 } },
  },
  'label.manifest.required-as-string': {
    clauses: ['provider.manifest.data-field-required'],
    about: 'The required flag of a data field is a string.',
    manifest: { delivery_api_data_fields: [{ id: 'depot', title: 'Depot', type: 'text', required: 'yes' }] },
  },
  'label.manifest.title-by-language': {
    clauses: ['provider.manifest.app-title'],
    about: 'The title, which is not localizable, is given by language.',
    manifest: { app_title: { en: 'Example Parcels' } },
  },
  'label.manifest.vendor-as-string': {
    clauses: ['provider.manifest.vendor'],
    about: 'The vendor is a string instead of an object.',
    manifest: { app_vendor: 'Example Parcels Ltd' },
  },
});
