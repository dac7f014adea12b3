/**
 * Tests that take long and guard what others guard more quickly: `npm test` leaves them out, so that it stays under
 * twenty minutes on two cores; `npm run test:long` runs them alone.
 */
export const LONG_TESTS = [
  'test/e2e/agent-docs.test.ts',
  'test/e2e/peers-restarts.test.ts',
  'test/e2e/telemetry-trouble.test.ts',
  'test/e2e/tools.test.ts',
  'test/faults/store.test.ts',
]
