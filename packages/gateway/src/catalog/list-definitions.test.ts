import { expect, it } from 'vitest'
import { parseJson } from '../protocol/parse-json.ts'
import type { UpstreamServer } from '../upstream/upstream-server.ts'
import { isNamed, listDefinitions, TOOLS } from './list-definitions.ts'

it.each<[string, boolean]>([
  ['{"name":"find"}', true],
  ['{"name":""}', false],
  ['{"name":7}', false],
  ['{"name":12345678901234567890}', false],
  ['[]', false],
])('%s has a name: %s', (text, expected) => {
  const parsed = parseJson(text, 10)
  expect(parsed.ok && isNamed(parsed.value)).toBe(expected)
})

it('rejects a name of more than 256 characters', () => {
  expect([256, 257].map(length => isNamed({ name: 'x'.repeat(length) }))).toEqual([true, false])
})

const tool = (name: string, length: number) => ({ name, description: 'x'.repeat(length) })

/** Creates a server that lists these pages. */
const listing = (...pages: readonly (readonly unknown[])[]) => listingWith(length => length, pages)

/** Creates a server that lists these pages in answers of unknown size. */
const listingInBatches = (...pages: readonly (readonly unknown[])[]) => listingWith(() => 0, pages)

function listingWith(
  toBytes: (length: number) => number,
  pages: readonly (readonly unknown[])[],
): UpstreamServer {
  const send = ({ params }: { params?: { cursor?: string } }) => {
    const at = Number(params?.cursor ?? 0)
    const nextCursor = at + 1 < pages.length ? String(at + 1) : undefined
    const result = { tools: pages[at], ...(nextCursor === undefined ? {} : { nextCursor }) }
    const bytes = toBytes(JSON.stringify(result).length)
    return { reply: Promise.resolve({ kind: 'answer', message: { jsonrpc: '2.0', id: 1, result }, bytes }) }
  }
  return { send, config: { timeoutMs: 1000 }, ownEnvelope: {} } as unknown as UpstreamServer
}

const namesIn = async (server: UpstreamServer) =>
  (await listDefinitions(server, TOOLS))?.map(item => (item as { name: string }).name)

it('omits definitions over the length limit', async () => {
  const server = listing([tool('a', 10), tool('long', 300_000), tool('b', 200_000)], [tool('c', 10)])
  expect(await namesIn(server)).toEqual(['a', 'b', 'c'])
})

it('omits them even if the size of the answer is unknown', async () => {
  const long = Array.from({ length: 100 }, (_, at) => tool(`b${at}`, 200_000))
  const server = listingInBatches([tool('a', 10), tool('long', 300_000)], long, long, [tool('c', 10)])
  const names = await namesIn(server)
  expect(names?.slice(0, 2)).toEqual(['a', 'b0'])
  expect(names?.length).toBeLessThan(90)
})

it('takes at most ten thousand definitions from a page', async () => {
  const zeros = Array.from({ length: 130_900 }, () => 0)
  expect(await listDefinitions(listing(zeros), TOOLS)).toHaveLength(10_000)
  const two = listing([tool('a', 1)], zeros)
  expect(await listDefinitions(two, TOOLS)).toHaveLength(10_000)
})

it('stops at the limit for all definitions together', async () => {
  const page = (name: string) => Array.from({ length: 50 }, (_, at) => tool(`${name}${at}`, 200_000))
  const names = await namesIn(listing(page('a'), page('b'), page('c'), page('d')))
  expect(names?.length).toBe(100)
  const many = Array.from({ length: 200 }, (_, at) => tool(`m${at}`, 200_000))
  expect((await namesIn(listing(many)))?.length).toBeLessThan(90)
})
