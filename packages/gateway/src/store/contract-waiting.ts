import { expect, vi } from 'vitest'
import type { Store } from './store.ts'

/** Whoever made a change sees it at once; for others it may take a moment, but never a second. */
export async function untilGrown(store: Store, version: number): Promise<void> {
  await vi.waitFor(() => expect(store.version()).toBeGreaterThan(version), { timeout: 10_000, interval: 5 })
}
