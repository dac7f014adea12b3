/**
 * Tests that take long and guard what others guard more quickly: `npm test` leaves them out, so that it stays under
 * twenty minutes on two cores; `npm run test:long` runs them alone.
 */
export const LONG_TESTS = [
  'test/e2e/agent-docs.test.ts',
  'test/e2e/confirm-rules.test.ts',
  'test/e2e/connect.test.ts',
  'test/e2e/console-large.test.ts',
  'test/e2e/faults-store.test.ts',
  'test/e2e/gateway-limits.test.ts',
  'test/e2e/gateway-processes.test.ts',
  'test/e2e/gateway-reload.test.ts',
  'test/e2e/gateway-upstreams.test.ts',
  'test/e2e/lint.test.ts',
  'test/e2e/lint-live.test.ts',
  'test/e2e/lying-server-many.test.ts',
  'test/e2e/lying-server-odd.test.ts',
  'test/e2e/peers-clients.test.ts',
  'test/e2e/peers-restarts.test.ts',
  'test/e2e/policy-explain.test.ts',
  'test/e2e/retries-breaker.test.ts',
  'test/e2e/review.test.ts',
  'test/e2e/search-catalog.test.ts',
  'test/e2e/search-results.test.ts',
  'test/e2e/telemetry-logs.test.ts',
  'test/e2e/telemetry-trouble.test.ts',
  'test/e2e/toolkit-conformance.test.ts',
  'test/e2e/tools.test.ts',
]
