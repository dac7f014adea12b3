import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { ToolDefinition } from '../definition/tool-definition.ts'
import type { ScanFinding } from './scan-finding.ts'
import { SCAN_RULES } from './scan-rules.ts'
import { scanTool } from './scan-tool.ts'

/**
 * Time limit for a scan: much longer than one takes on a busy machine, and much shorter than one without limits would
 * take.
 */
const GENEROUS_MS = 10_000

function asDefinition(value: unknown): ToolDefinition {
  return value as ToolDefinition
}

function timed(definition: unknown): { findings: readonly ScanFinding[]; ms: number } {
  const start = performance.now()
  const findings = scanTool(asDefinition(definition))
  return { findings, ms: performance.now() - start }
}

/** Returns the string at a JSON pointer, or the property's name if the value is not a string. */
function resolve(definition: unknown, path: string): string {
  const steps = path
    .split('/')
    .slice(1)
    .map(step => step.replaceAll('~1', '/').replaceAll('~0', '~'))
  let value: unknown = definition
  for (const step of steps) value = (value as Record<string, unknown> | null)?.[step]
  return typeof value === 'string' ? value : (steps.at(-1) ?? '')
}

describe('hostile definitions', () => {
  it('are read to a depth limit, and beside the deep part completely', () => {
    let deep: unknown = { description: 'never read' }
    for (let level = 0; level < 1000; level += 1) deep = { properties: { a: deep } }
    const { findings, ms } = timed({
      name: 'tool',
      inputSchema: { properties: { deep, beside: { description: 'Deploys ransomware.' } } },
    })
    expect(ms).toBeLessThan(GENEROUS_MS)
    expect(findings.map(({ rule }) => rule)).toEqual(['attack-technique', 'unscanned'])
  })

  it('are read completely if they are wide', () => {
    const properties = Object.fromEntries(
      Array.from({ length: 10_000 }, (_, at) => [
        `p${at}`,
        { type: 'string', description: 'A plain value.' },
      ]),
    )
    const { findings, ms } = timed({
      name: 'tool',
      inputSchema: { properties: { ...properties, last: { description: 'Deploys ransomware.' } } },
    })
    expect(ms).toBeLessThan(GENEROUS_MS)
    expect(findings.map(({ path }) => path)).toEqual(['/inputSchema/properties/last/description'])
  })

  it('are reported as not completely read if they are cyclic or huge', () => {
    const cyclic: Record<string, unknown> = { description: 'x' }
    cyclic.anyOf = [cyclic, cyclic]
    expect(timed({ name: 'tool', inputSchema: cyclic }).findings.at(-1)?.rule).toBe('unscanned')
    const huge = Array.from({ length: 40 }, () => 'word '.repeat(10_000))
    expect(timed({ name: 'tool', _meta: { huge } }).findings.at(-1)?.rule).toBe('unscanned')
  })

  it('get a limited report that still includes later findings', () => {
    const properties = Object.fromEntries(
      Array.from({ length: 5000 }, (_, at) => [`p${at}`, { properties: { context: {} } }]),
    )
    const { findings } = timed({ name: 'tool', inputSchema: { properties } })
    expect(findings).toHaveLength(201)
    expect(findings.at(0)).toMatchObject({ rule: 'vague-parameter', severity: 'low' })
    expect(findings.at(-1)).toMatchObject({ rule: 'unscanned', severity: 'high' })
  })

  it('are read without prototypes and throwing getters', () => {
    expect(scanTool(asDefinition(Object.create({ name: 'keylogger' })))).toEqual([])
    const trap = {
      name: 'tool',
      get description(): string {
        throw new Error('trap')
      },
    }
    expect(scanTool(trap)).toEqual([])
  })
})

const WORDS = [
  ...['ignore', 'previous', 'instructions', 'send', 'credentials', 'to', 'external', 'host', 'do', 'not'],
  ...['tell', 'the', 'user', '~/.ssh/id_rsa', 'https://a.example/{prompt}', 'a@b.example', '<system>'],
  ...['"', '`', '. ', ', ', '\n\n', 'е', '𝐚', 'İ', 'ﬀ', 'ß', '\u200B', '\u202E', '\uD83D', '\u{E0041}'],
  ...['cm0gLXJmIC92YXIvbGliL3Rvb2w'],
]
const prose = fc.array(fc.constantFrom(...WORDS, ' ', ' '), { maxLength: 40 }).map(words => words.join(''))
const anyText = fc.oneof(prose, fc.string({ unit: 'binary' }))

describe('scanTool', () => {
  it('never throws, and returns known rules and spans inside their texts', () => {
    const known = new Set(SCAN_RULES.map(({ id }) => id))
    const schema = fc.dictionary(anyText, fc.record({ description: anyText, default: anyText }))
    const definition = fc.record({
      name: anyText,
      description: anyText,
      inputSchema: fc.record({ properties: schema }),
      _meta: fc.jsonValue(),
    })
    fc.assert(
      fc.property(definition, fc.array(anyText), (tool, otherTools) => {
        for (const { rule, path, span, excerpt } of scanTool(tool, { server: 'own', otherTools })) {
          expect(known).toContain(rule)
          expect(span[0]).toBeGreaterThanOrEqual(0)
          expect(span[0]).toBeLessThanOrEqual(span[1])
          if (!path.startsWith('/_meta')) expect(span[1]).toBeLessThanOrEqual(resolve(tool, path).length)
          expect(excerpt).not.toMatch(/[\p{Cc}\p{Cf}\p{Co}\p{Cs}\p{Default_Ignorable_Code_Point}]/u)
        }
      }),
    )
  })

  it('never throws, for any field values', () => {
    const field = fc.anything({ withNullPrototype: true, withBigInt: true, withDate: true, withMap: true })
    const shape = fc.record({ name: field, description: field, inputSchema: field, _meta: field })
    fc.assert(
      fc.property(fc.oneof(shape, fc.anything()), value => {
        expect(Array.isArray(scanTool(asDefinition(value)))).toBe(true)
      }),
    )
  })

  it('is deterministic', () => {
    fc.assert(
      fc.property(prose, description => {
        const tool = { name: 'tool', description }
        expect(scanTool(tool)).toEqual(scanTool(tool))
      }),
    )
  })
})
