import { expect, vi } from 'vitest'
import type { Store } from './store.ts'

/** The process that made a change sees it at once; others see it within a second. */
export async function untilGrown(store: Store, version: number): Promise<void> {
  await vi.waitFor(() => expect(store.version()).toBeGreaterThan(version), { timeout: 10_000, interval: 5 })
}
