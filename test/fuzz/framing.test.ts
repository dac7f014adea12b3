import { classifyInboundRequest } from '@modelcontextprotocol/server'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { parseJson } from '../../packages/gateway/src/protocol/parse-json.ts'
import { readLegacyRequest, readModernRequest } from '../../packages/gateway/src/protocol/read-modern.ts'
import { createLineSplitter } from '../../packages/gateway/src/upstream/stdio/line-splitter.ts'
import { jsonText, mutated } from './arbitrary-json.ts'
import { effort, TIMEOUT_MS } from './budget.ts'

const MAX = 64
const NEWLINE = 10

/** Lines of bytes, some of them longer than allowed. */
const line = fc
  .uint8Array({ maxLength: MAX + 20 })
  .map(bytes => Buffer.from(bytes.map(byte => (byte === NEWLINE ? 32 : byte))))

/** The same bytes, cut anywhere. */
function cut(bytes: Buffer, places: readonly number[]): Buffer[] {
  const at = [...new Set(places.map(place => place % (bytes.length + 1)))].toSorted((a, b) => a - b)
  return [0, ...at].map((from, index) => bytes.subarray(from, at[index] ?? bytes.length))
}

describe('the framing of stdio', () => {
  it(
    'yields every short enough line once and whole for every split of the bytes',
    () => {
      fc.assert(
        fc.property(
          fc.array(line, { maxLength: 8 }),
          fc.array(fc.nat(), { maxLength: 12 }),
          (lines, places) => {
            const got: string[] = []
            let tooLong = 0
            const read = createLineSplitter(
              MAX,
              text => got.push(text),
              () => (tooLong += 1),
            )
            for (const chunk of cut(
              Buffer.concat(lines.flatMap(one => [one, Buffer.from([NEWLINE])])),
              places,
            ))
              read(chunk)
            const wanted = lines
              .filter(one => one.length > 0 && one.length <= MAX)
              .map(one => one.toString('utf8'))
            expect(got).toEqual(wanted)
            expect(tooLong).toBe(lines.filter(one => one.length > MAX).length)
          },
        ),
        effort(2000),
      )
    },
    TIMEOUT_MS,
  )
})

const VERSIONS = ['2026-07-28', '2025-11-25', '2024-11-05', '2026-07-29', '']
const META = 'io.modelcontextprotocol/'
/** Mostly no fault, because a request with ten faults is refused for the first. */
const odd = (keys: readonly string[]): fc.Arbitrary<Record<string, string>> =>
  fc.oneof(
    { weight: 2, arbitrary: fc.constant({}) },
    fc.dictionary(fc.constantFrom(...keys), jsonText, { maxKeys: 1 }),
  )

const version = fc.oneof({ weight: 4, arbitrary: fc.constant('2026-07-28') }, fc.constantFrom(...VERSIONS))

/** A request of either era with random faults. */
const message = fc
  .tuple(
    version,
    fc.constantFrom('tools/call', 'initialize', 'ping', 'server/discover', 'notifications/cancelled'),
    odd(['jsonrpc', 'id', 'method', 'params', 'result', 'error']),
    odd([`${META}protocolVersion`, `${META}clientCapabilities`, `${META}clientInfo`, 'progressToken']),
    fc.boolean(),
  )
  .map(([revision, method, other, meta, isModern]) => {
    const parts = (values: Record<string, string>) =>
      Object.entries(values).map(([name, text]) => `${JSON.stringify(name)}:${text}`)
    const claims = {
      [`${META}protocolVersion`]: JSON.stringify(revision),
      [`${META}clientCapabilities`]: '{}',
    }
    const envelope = { ...(isModern ? claims : {}), ...meta }
    const params = `{"name":"x","arguments":{},"_meta":{${parts(envelope).join(',')}}}`
    return `{${parts({ jsonrpc: '"2.0"', id: '1', method: JSON.stringify(method), params, ...other }).join(',')}}`
  })

describe('the era of a request', () => {
  it(
    'agrees with the SDK whenever the gateway decides it itself',
    () => {
      const seen = { modern: 0, legacy: 0 }
      fc.assert(
        fc.property(
          fc.oneof(message, mutated(message), jsonText),
          fc.option(version, { nil: undefined, freq: 2 }),
          (text, header) => {
            const parsed = parseJson(text, 100)
            if (!parsed.ok) return
            const modern = readModernRequest(parsed.value, header)
            const legacy = readLegacyRequest(parsed.value, header)
            expect(modern === undefined || legacy === undefined).toBe(true)
            const request = modern ?? legacy
            // Unlike the SDK, the gateway accepts ids beyond the safe integers.
            if (
              request === undefined ||
              (typeof request.id === 'number' && !Number.isSafeInteger(request.id))
            )
              return
            const kind = modern === undefined ? 'legacy' : 'modern'
            seen[kind] += 1
            const outcome = classifyInboundRequest({
              httpMethod: 'POST',
              body: parsed.value,
              ...(header === undefined ? {} : { protocolVersionHeader: header }),
              mcpMethodHeader: request.method,
            })
            expect(outcome).toMatchObject(
              kind === 'modern' ? { kind, messageKind: 'request' } : { kind, reason: 'no-claim' },
            )
          },
        ),
        effort(3000),
      )
      expect(seen.modern).toBeGreaterThan(100)
      expect(seen.legacy).toBeGreaterThan(100)
    },
    TIMEOUT_MS,
  )
})
