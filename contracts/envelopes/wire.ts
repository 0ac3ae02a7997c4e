// The names that all other code uses for what travels: each an alias of a generated type, none written by hand.
import type { components as Api } from '../generated/api.generated.ts';
import type { components as Integrator } from '../generated/integrator.generated.ts';
import type { components as V1 } from '../generated/v1.generated.ts';

type V1Schemas = V1['schemas'];
type ApiSchemas = Api['schemas'];
type IntegratorSchemas = Integrator['schemas'];

/** A contract document, `openapi/NAME.yaml`. */
export type DocumentName = 'v1' | 'api' | 'integrator';

// Shared by the three documents
export type Unset = V1Schemas['Unset'];
export type SuccessEnvelope = V1Schemas['SuccessEnvelope'];

// Delivery and Apps: envelopes and texts
export type V1ErrorEnvelope = V1Schemas['ErrorEnvelope'];
export type LanguageTexts = V1Schemas['LanguageTexts'];
export type MultilanguageText = V1Schemas['MultilanguageText'];
export type ReturnedText = V1Schemas['ReturnedText'];
export type NextPageUri = V1Schemas['NextPageUri'];

// Delivery
export type DeliveryMethod = V1Schemas['DeliveryMethod'];
export type DeliveryMethodInput = V1Schemas['DeliveryMethodInput'];
export type DeliveryMethodRequest = V1Schemas['DeliveryMethodRequest'];
export type DeliveryMethodResponse = V1Schemas['DeliveryMethodResponse'];
export type DeliveryMethodList = V1Schemas['DeliveryMethodList'];
export type WriteResponse = V1Schemas['WriteResponse'];
export type PickupPoint = V1Schemas['PickupPoint'];
export type PickupPointInput = V1Schemas['PickupPointInput'];
export type NewPickupPoint = V1Schemas['NewPickupPoint'];
export type PickupPointRequest = V1Schemas['PickupPointRequest'];
export type NewPickupPointRequest = V1Schemas['NewPickupPointRequest'];
export type PickupPointResponse = V1Schemas['PickupPointResponse'];
export type PickupPointList = V1Schemas['PickupPointList'];
export type BatchReplaceRequest = V1Schemas['BatchReplaceRequest'];
export type ProviderSettingsRequest = V1Schemas['ProviderSettingsRequest'];
export type ProviderSettings = V1Schemas['ProviderSettings'];

// Apps
export type Snippet = V1Schemas['Snippet'];
export type SnippetResponse = V1Schemas['SnippetResponse'];
export type SetSnippetRequest = V1Schemas['SetSnippetRequest'];
export type AppData = V1Schemas['AppData'];
export type SetDataRequest = V1Schemas['SetDataRequest'];
export type User = V1Schemas['User'];
export type UserResponse = V1Schemas['UserResponse'];
export type Website = V1Schemas['Website'];
export type WebsiteResponse = V1Schemas['WebsiteResponse'];
export type Languages = V1Schemas['Languages'];

// Reseller
export type ApiErrorEnvelope = ApiSchemas['ErrorEnvelope'];
export type Authorized = ApiSchemas['Authorized'];
export type WebsiteRecord = ApiSchemas['WebsiteRecord'];
export type WebsiteList = ApiSchemas['WebsiteList'];
export type DomainRecord = ApiSchemas['DomainRecord'];
export type DomainList = ApiSchemas['DomainList'];
export type LoginLink = ApiSchemas['LoginLink'];
export type AccountSettings = ApiSchemas['AccountSettings'];
export type AccountSettingsResponse = ApiSchemas['AccountSettingsResponse'];
export type AccountSettingsInput = ApiSchemas['AccountSettingsInput'];
export type Balance = ApiSchemas['Balance'];
export type BalanceResponse = ApiSchemas['BalanceResponse'];
export type TokenForm = ApiSchemas['TokenForm'];
export type CredentialsForm = ApiSchemas['CredentialsForm'];
export type NewDomainForm = ApiSchemas['NewDomainForm'];
export type SettingsForm = ApiSchemas['SettingsForm'];
export type NewPasswordForm = ApiSchemas['NewPasswordForm'];

// What integrators host and submit
export type LabelRequest = IntegratorSchemas['LabelRequest'];
export type LabelCallbackSuccess = IntegratorSchemas['LabelCallbackSuccess'];
export type LabelCallbackError = IntegratorSchemas['LabelCallbackError'];
export type CheckoutRequest = IntegratorSchemas['CheckoutRequest'];
export type InstallRequest = IntegratorSchemas['InstallRequest'];
export type SettingsRequest = IntegratorSchemas['SettingsRequest'];
export type DeliveryManifest = IntegratorSchemas['DeliveryManifest'];
export type DeliveryVendor = IntegratorSchemas['DeliveryVendor'];
export type DeliveryDataField = IntegratorSchemas['DeliveryDataField'];
export type AppManifest = IntegratorSchemas['AppManifest'];
export type AppVendor = IntegratorSchemas['AppVendor'];
export type ManifestText = IntegratorSchemas['ManifestText'];
export type ManifestTexts = IntegratorSchemas['ManifestTexts'];
export type ManifestLink = IntegratorSchemas['ManifestLink'];
