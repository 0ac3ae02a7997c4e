/** The driver as checks use it: all members, each of which decides nothing where the user's driver lacks it or fails. */
import type { TargetDriver } from '../../target/driver/target-driver.ts';
import { Inconclusive } from '../failures.ts';

export type RequiredDriver = Required<TargetDriver>;

interface DriverUse {
  /** Throws for a member that the driver does not have. */
  readonly configured: <T>(member: T | undefined, name: string) => T;
  /** Called before each call: a driver may change anything. */
  readonly before: () => void;
}

/** A missing member makes the check inconclusive when it is called for, as does one that throws. */
export function requiredDriver(given: TargetDriver, { configured, before }: DriverUse): RequiredDriver {
  return new Proxy(given, {
    get: (driver, name) => {
      const member = configured(driver[name as keyof TargetDriver], `driver.${String(name)}`);
      return async (...args: unknown[]) => {
        before();
        try {
          return await (member as (...all: unknown[]) => Promise<unknown>).apply(driver, args);
        } catch (error) {
          // The guard around the driver has said it already.
          if (error instanceof Inconclusive) throw error;
          // Whether the driver or the target's page is wrong cannot be known here; the driver is inspected first.
          const sentence = (error instanceof Error ? error.message : String(error)).split('\n', 1)[0];
          throw new Inconclusive(`the driver's ${String(name)}() failed: ${sentence}`, 'configuration');
        }
      };
    },
  }) as RequiredDriver;
}
