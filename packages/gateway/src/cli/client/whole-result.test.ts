import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { isJsonObject, type Json } from '../../protocol/messages.ts'
import { parseJson, writeJson } from '../../protocol/parse-json.ts'
import { answerPage } from '../../results/kept/page-result.ts'
import { anyResult } from '../../results/test-support/arbitrary-result.ts'
import { keepPages, pageResult } from '../../results/test-support/page-kept.ts'
import type { SurfaceClient } from './surface-client.ts'
import { handleOf, readWhole } from './whole-result.ts'

const HANDLE = 'res_AAAAAAAAAAAAAAAAAAAAAA'

/** Creates a gateway's client with one stored result. */
function keeping(result: Json, chars: number): SurfaceClient {
  const pages = keepPages(result, chars, HANDLE)
  return {
    ready: async () => ({ failed: [], started: 1 }),
    close: async () => {},
    async request(_path, { params }) {
      const args = isJsonObject(params?.arguments) ? params.arguments : {}
      const cursor = typeof args.cursor === 'string' ? { cursor: args.cursor } : {}
      const page = pageResult(pages, { handle: String(args.handle), ...cursor })
      if ('problem' in page) return { result: { isError: true, structuredContent: { error: refusal } } }
      return { result: overTheWire(answerPage(page)) }
    },
  }
}

const refusal = { code: 'invalid_arguments', message: 'no', reasons: [], remedy: 'none' }

function overTheWire(value: Json): Json {
  const parsed = parseJson(writeJson(value), 1000)
  if (!parsed.ok || !isJsonObject(parsed.value)) throw new Error('not JSON')
  return parsed.value
}

/** Turns a generated result into a usual one: blocks are objects with a type, and `_meta` is an object. */
function makeOrdinary({ content, _meta, ...rest }: Json): Json {
  const isBlock = (block: unknown): boolean => isJsonObject(block) && typeof block.type === 'string'
  return {
    ...rest,
    content: Array.isArray(content) ? content.filter(isBlock) : [],
    ...(isJsonObject(_meta) ? { _meta } : {}),
  }
}

describe('a result that was cut', () => {
  it('equals the original after its pages are joined', async () => {
    const property = fc.asyncProperty(anyResult.map(makeOrdinary), fc.integer({ min: 100, max: 3000 }), check)
    await fc.assert(property, { numRuns: 25, endOnFailure: true })
  })

  const check = async (result: Json, chars: number): Promise<void> => {
    const first = { resultType: 'complete', _meta: { 'io.hintgate/result': { handle: HANDLE }, from: 'us' } }
    const whole = await readWhole(keeping(result, chars), first, HANDLE)
    const meta = { from: 'us', ...(isJsonObject(result._meta) ? result._meta : {}) }
    expect(whole).toEqual({ ...result, resultType: 'complete', _meta: meta })
  }

  it('keeps invalid content in its position', async () => {
    const result = { content: [['x'.repeat(500)], { type: 'text', text: '{"a":1}' }] }
    const whole = await readWhole(keeping(result, 200), {}, HANDLE)
    expect(whole?.content).toEqual(result.content)
  })

  it('distinguishes a text that contains JSON from a value among the blocks', async () => {
    const blocks = Array.from({ length: 200 }, () => ['é', { type: 'text', text: ' "é"' }]).flat()
    const whole = await readWhole(keeping({ content: blocks }, 100), {}, HANDLE)
    expect(whole?.content).toEqual(blocks)
  })

  it('is undefined if the gateway does not know the handle', async () => {
    const client = keeping({ content: [] }, 100)
    const failing: SurfaceClient = {
      ...client,
      request: async () => ({ result: { isError: true, structuredContent: { error: refusal } } }),
    }
    expect(await readWhole(failing, {}, HANDLE)).toBeUndefined()
  })

  it('is recognised by its metadata', () => {
    expect(handleOf({ _meta: { 'io.hintgate/result': { handle: HANDLE } } })).toBe(HANDLE)
    expect(handleOf({ _meta: { 'io.hintgate/result': 'x' } })).toBeUndefined()
    expect(handleOf({ content: [] })).toBeUndefined()
  })
})
