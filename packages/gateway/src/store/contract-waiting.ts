import { expect, vi } from 'vitest'
import type { Store } from './store.ts'

/**
 * Waits until the store reports a change. The process that made the change sees it immediately; others see it within a
 * second.
 */
export async function untilGrown(store: Store, version: number): Promise<void> {
  await vi.waitFor(() => expect(store.version()).toBeGreaterThan(version), { timeout: 10_000, interval: 5 })
}
