// Loaded first in each process of the test runner. Node's test runner follows every promise with an async hook, so that it knows the
// test of an error that nothing catches. Checks in the same process make millions of promises, and following them takes a fifth of
// the processor time. With this it follows only what is called back (timers, sockets, processes): an error after an `await` may
// fail the process instead of its test.
import asyncHooks from 'node:async_hooks';

const { createHook } = asyncHooks;
asyncHooks.createHook = (callbacks) => createHook({ ...callbacks, trackPromises: false });
// It keeps the function that it finds under this name when it is loaded.
await import('node:test');
asyncHooks.createHook = createHook;
