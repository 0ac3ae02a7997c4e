/** Which values of `--target` are the embedded mock. By itself: the mock takes longer to load than most mistakes take to find. */

/** Whether it is the mock, with a deviation or without; anything else is the path of a profile. */
export const isMockTarget = (target: string): boolean => target === 'mock' || target.startsWith('mock:');
