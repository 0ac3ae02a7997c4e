/** What the installation of a browser works on. */
export interface Machine {
  find(): Promise<unknown>;
  run(command: string, args: readonly string[], timeoutMs: number): boolean;
  say(line: string): void;
  readonly hasApt: boolean;
  readonly failedRecently: boolean;
  rememberFailure(): void;
}

export const ROOT_NOTICE: string;
export function installBrowser(machine: Machine, env?: Readonly<Record<string, string | undefined>>): Promise<void>;
