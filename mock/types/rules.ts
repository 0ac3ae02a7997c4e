/** Every decision of the service: one small function each. */
import type { AppRules } from '../rules/apps.ts';
import type { CommonRules } from '../rules/common.ts';
import type { DeliveryRules } from '../rules/delivery.ts';
import type { LabelRules } from '../rules/labels.ts';
import type { ResellerRules } from '../rules/reseller.ts';

export interface Rules extends CommonRules, DeliveryRules, AppRules, LabelRules, ResellerRules {}
