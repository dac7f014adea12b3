import { expect, it, vi } from 'vitest'
import { LongWork } from '../../../admission/long-work.ts'
import type { Exchange } from '../../../exchange/exchange.ts'
import type { SearchDeps } from './finding-tools.ts'
import { SearchSurface } from './search-surface.ts'

const SCOPE = { permissions: ['retrieve_tools'], servers: ['*'] }

/** Creates a busy surface, and lets a caller ask it for an unknown tool. */
function ask() {
  const finder = { get: () => undefined, suggest: vi.fn(() => 'files:read') }
  const longWork = new LongWork()
  const parts = { catalog: { find: () => undefined }, recorder: { outcome: () => undefined } }
  const deps = { finder, longWork, servers: () => [], ...parts }
  const surface = new SearchSurface(deps as unknown as SearchDeps)
  let cancel = (): void => {}
  const exchange = {
    method: 'tools/call',
    params: { name: 'describe_tool', arguments: { name: 'files:raed' } },
    caller: { principal: { id: 'agent:a', scope: SCOPE }, era: 'modern' },
    onCancel(listener: () => void) {
      cancel = listener
    },
  }
  longWork.take('agent:b', () => {})
  return { finder, answer: surface.handle(exchange as unknown as Exchange), cancel: () => cancel() }
}

/** Waits until only work that waits for its turn is left. */
async function settle(): Promise<void> {
  for (let step = 0; step < 20; step++) await Promise.resolve()
}

it("suggests a tool when it is the caller's turn", async () => {
  const { finder, answer } = ask()
  await settle()
  expect(finder.suggest).not.toHaveBeenCalled()
  expect(JSON.stringify(await answer)).toContain('Did you mean')
})

it('suggests no tool after a cancellation', async () => {
  const { finder, answer, cancel } = ask()
  await settle()
  cancel()
  expect(await answer).toEqual({ cancelled: true })
  expect(finder.suggest).not.toHaveBeenCalled()
})
