/** What gateways respond while the service behind them is away or starts. A service may respond so for reasons of its own. */
export const GATEWAY_STATUSES: ReadonlySet<number> = new Set([502, 503, 504]);
