/**
 * How long a test waits. Whoever waits here waits for something that comes, however busy the machine is; these only end a
 * wait for what never will. A test that needs less has it in the gateway's config, one that needs more says so.
 */
export const PATIENCE_MS = 60_000

/** For `vi.waitFor`, which is for what is done before a test; in one there is `expect.poll`. */
export const PATIENTLY = { timeout: PATIENCE_MS, interval: 50 }

/** For a whole test, or what is done before it: a wait that is in vain then says what for. */
export const TEST_MS = 300_000
