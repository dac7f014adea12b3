import { expect, it } from 'vitest'
import type { Catalog } from '../../catalog/catalog.ts'
import type { UpstreamServer } from '../../upstream/upstream-server.ts'
import { FirstStart } from './first-start.ts'

const server = (name: string) => ({ name }) as UpstreamServer

/** Creates a catalog that has seen no server yet, and that calls `ensure` for each one. */
const catalogWith = (ensure: (name: string) => Promise<void>) =>
  ({
    isExpected: () => true,
    ensure: ({ name }: UpstreamServer) => ensure(name),
  }) as unknown as Catalog

it('waits for the other servers if one fails', async () => {
  let isThere = false
  const catalog = catalogWith(async name => {
    if (name === 'bad') throw new Error('it fails')
    await new Promise(resolve => setTimeout(resolve, 20))
    isThere = true
  })
  await new FirstStart(catalog).wait([server('bad'), server('good')])
  expect(isThere).toBe(true)
})

it('does not wait if no server is expected', () => {
  const catalog = { isExpected: () => false } as unknown as Catalog
  expect(new FirstStart(catalog).wait([server('known')])).toBeUndefined()
})
