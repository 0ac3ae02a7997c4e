/**
 * What gateways respond while the service behind them is away or starts; from 520 on those of content delivery networks. A service
 * may respond so for reasons of its own.
 */
export const GATEWAY_STATUSES: ReadonlySet<number> = new Set([502, 503, 504, 520, 521, 522, 523, 524, 525, 526, 530]);
