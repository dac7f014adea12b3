/**
 * Timeouts of tests. Tests wait for events that do come, however busy the machine is; a timeout only ends a wait for
 * one that never comes. A test with another timeout sets it in the gateway's config or in its own file.
 */
export const PATIENCE_MS = 60_000

/** For `vi.waitFor` in hooks; tests use `expect.poll`. */
export const PATIENTLY = { timeout: PATIENCE_MS, interval: 50 }

/** For a whole test or hook: long enough that a wait inside it fails first and says what for. */
export const TEST_MS = 300_000
