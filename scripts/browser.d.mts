export function findBrowser(): Promise<{ path: string; version: string } | undefined>;
