import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { sendBytes, writeRequest } from '../hostile/raw-http.ts'
import { ENVELOPE, modernHeaders, play, type Scene } from '../hostile/scene.ts'
import { cleanUp } from '../support/clean-up.ts'
import { hintgate } from '../support/hintgate.ts'
import { type Json, LegacyClient, send } from '../support/raw-mcp.ts'
import { DESTROYS, scripted, WRITES } from '../support/scripted-server.ts'
import { jsonObjectText } from './arbitrary-json.ts'
import { effort, TIMEOUT_MS } from './budget.ts'

// The checked call must equal the forwarded call: generated calls go through a real gateway to a recording server; the audit
// log shows what was decided, the server what arrived.

const VARIANTS: Record<string, string> = { read: 'read', write: 'write', destroy: 'destructive' }
const TOOLS = [
  scripted('read'),
  scripted('write', { annotations: WRITES }),
  scripted('destroy', { annotations: DESTROYS }),
]

let scene: Scene
let legacy: LegacyClient

beforeAll(async () => {
  scene = await play(TOOLS, {
    guardrails: [{ rule: 'block_values', field: 'path', values: ['../../etc/passwd'] }],
  })
  legacy = await new LegacyClient(scene.gateway.endpoint('s'), scene.token).initialize()
})
afterAll(cleanUp)

const call = fc.record({
  tool: fc.constantFrom(...Object.keys(VARIANTS)),
  args: jsonObjectText,
  way: fc.constantFrom('modern', 'legacy', 'search', 'direct'),
  /** Decoys before and after the real member, which another parser might read instead. */
  decoy: fc.constantFrom(
    '',
    '"name":"destroy",',
    '"Name":"destroy",',
    '"arguments":{"path":"x"},',
    '"__proto__":{"name":"destroy"},',
  ),
})
type Call = typeof call extends fc.Arbitrary<infer C> ? C : never

let calls = 0

/** One call as bytes, with a mark to identify it. */
async function post({ tool, args, way, decoy }: Call): Promise<{ mark: string; text: string }> {
  const mark = `m${++calls}.`
  const marked = `{"mark":"${mark}"${args === '{}' ? '' : `,${args.slice(1, -1)}`},"mark":"${mark}"}`
  const { url } = scene.gateway
  const meta = JSON.stringify(ENVELOPE)
  const [path, name, given] = {
    modern: ['/mcp/servers/s', tool, marked],
    legacy: ['/mcp/servers/s', tool, marked],
    direct: ['/mcp/direct', `s__${tool}`, marked],
    search: ['/mcp', `call_tool_${VARIANTS[tool]}`, `{"name":"s:${tool}","args":${marked}}`],
  }[way] as [string, string, string]
  const end = way === 'legacy' ? '' : `,"_meta":${meta}`
  const body = `{"jsonrpc":"2.0","id":${calls},"method":"tools/call","params":{${decoy}"name":"${name}","arguments":${given}${end}}}`
  if (way === 'legacy')
    return { mark, text: (await send(legacy.url, { body, headers: legacy.headers })).text }
  return {
    mark,
    text: (await sendBytes(url, writeRequest(`POST ${path}`, modernHeaders(url, scene.token, name), body)))
      .text,
  }
}

interface Arrived {
  readonly name: string
  readonly raw: string
}

function arrivedWith(mark: string): Arrived[] {
  return scene.witness
    .of(scene.server.name)
    .filter(({ method, raw }) => method === 'tools/call' && raw?.includes(`"${mark}"`))
    .map(({ raw = '' }) => ({ name: (JSON.parse(raw) as Params).params.name, raw }))
}

/** The `arguments`, in key order. */
function argumentsIn(raw: string): string {
  return JSON.stringify((JSON.parse(raw) as Params).params.arguments)
}

interface Params {
  readonly params: { readonly name: string; readonly arguments: unknown }
}

interface AuditedCall {
  readonly server: string
  readonly tool: string
  readonly variant: string
  readonly verdict: string
  readonly args?: unknown
}

async function readAudit(): Promise<readonly AuditedCall[]> {
  const { code, stdout, stderr } = await hintgate(['audit', 'export', ...scene.gateway.site.flags])
  expect(code, stderr).toBe(0)
  return stdout
    .trim()
    .split('\n')
    .map(line => JSON.parse(line) as AuditedCall)
}

/** Replaces probable secrets in the audit log. */
const MASK = '[masked]'

/** Long numbers are shown to people as strings; no other difference is allowed. */
function alike(value: unknown): string {
  return JSON.stringify(value, (_key, part: unknown) =>
    typeof part === 'number' || (typeof part === 'string' && /^-?\d[\d.eE+-]*$/.test(part))
      ? `#${Number(part)}`
      : part,
  )
}

const sent = new Map<string, Call & { text: string }>()

describe('a call', () => {
  it(
    'arrives unchanged or not at all',
    async () => {
      await fc.assert(
        fc.asyncProperty(fc.array(call, { minLength: 6, maxLength: 6 }), async generated => {
          const posted = await Promise.all(generated.map(post))
          for (const [at, { mark, text }] of posted.entries())
            sent.set(mark, { ...(generated[at] as Call), text })
          await scene.arrived()
          for (const { mark, text } of posted) {
            const { tool, args } = sent.get(mark) as Call
            const [first, ...more] = arrivedWith(mark)
            expect(more, mark).toEqual([])
            const isRefused = /"verdict":"(?:deny|error)"|"isError":true|"error":\{"code":-/.test(text)
            if (first === undefined) expect(isRefused, `${mark} is lost: ${text}`).toBe(true)
            else {
              expect(first.name).toBe(tool)
              const wanted = JSON.parse(
                `{"mark":"${mark}"${args === '{}' ? '' : `,${args.slice(1, -1)}`},"mark":"${mark}"}`,
              ) as Json
              expect(argumentsIn(first.raw)).toBe(JSON.stringify(wanted))
            }
          }
        }),
        effort(40),
      )
      // Most calls must be valid, or the test would prove little.
      expect([...sent.keys()].filter(mark => arrivedWith(mark).length === 1).length).toBeGreaterThan(
        sent.size / 2,
      )
    },
    TIMEOUT_MS,
  )

  it(
    'is judged with the name, variant and arguments that arrive',
    async () => {
      const rows = await readAudit()
      let compared = 0
      for (const [mark, { tool }] of sent) {
        const [first] = arrivedWith(mark)
        if (first === undefined) continue
        const row = rows.find(({ args }) => JSON.stringify(args ?? null).includes(`"${mark}"`))
        expect(row, `${mark} is not in the audit`).toBeDefined()
        expect([row?.server, row?.tool, row?.variant, row?.verdict]).toEqual([
          's',
          tool,
          VARIANTS[tool],
          'allow',
        ])
        if (!JSON.stringify(row).includes(MASK))
          expect(alike(row?.args)).toBe(alike((JSON.parse(first.raw) as Params).params.arguments))
        compared += 1
      }
      expect(compared).toBeGreaterThan(20)
    },
    TIMEOUT_MS,
  )
})
