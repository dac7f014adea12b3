import { describe, expect, it } from 'vitest'
import { CONTRADICTIONS } from '../authoring/contradictions.ts'
import { projectMetadata } from '../authoring/project-metadata.ts'
import { SERVICE_DOMAINS } from '../authoring/service-domains.ts'
import { validateMetadata } from '../authoring/validate-metadata.ts'
import { FINDING_RULES } from '../finding-rules.ts'
import { HINTS, SPEC_HINTS } from '../hint/hints.ts'
import { assessTool } from '../record/assess-tool.ts'
import { resolveEffective } from '../record/resolve-effective.ts'
import type { EffectiveHints, Source } from '../record/tool-record.ts'
import { vocabularyLine, vocabularyTable } from '../test-support/vocabulary.ts'
import { CATEGORIES, type Category, categoryOf } from './category.ts'
import { hintsForHttpMethod } from './http-method.ts'
import { OPERATIONS } from './operations.ts'
import { PRESETS } from './presets.ts'
import { deriveVariant, riskLevelOf, stricterVariant } from './variant.ts'

const bool = (cell: string | undefined) => ({ true: true, false: false })[cell ?? '']
const hint = (value: boolean, source: Source) => ({ value, source })

function effective(changes: Partial<EffectiveHints>): EffectiveHints {
  return { ...resolveEffective({ declared: { hints: {} }, vouched: true }), ...changes }
}

describe('§2 MCP annotations', () => {
  const rows = vocabularyTable('field').filter(([field]) => field !== '`title`')

  it('are exactly the four of the specification', () => {
    expect(rows.map(([field]) => field)).toEqual(SPEC_HINTS.map(name => `\`${HINTS[name].wire}\``))
  })

  it.each(rows)('%s defaults to %s, with that source', (field, standard) => {
    const name = SPEC_HINTS.find(candidate => `\`${HINTS[candidate].wire}\`` === field)
    expect(name && effective({})[name]).toEqual({ value: bool(standard), source: 'default' })
  })
})

describe('§3 categories', () => {
  it.each(vocabularyTable('category'))(
    '%s',
    (category, readOnly, destructive, idempotent, openWorld, risk) => {
      expect(CATEGORIES[category as Category]).toMatchObject({
        hints: {
          readOnly: bool(readOnly),
          destructive: bool(destructive),
          idempotent: bool(idempotent),
          openWorld: bool(openWorld),
        },
        riskLevel: Number(risk),
      })
    },
  )

  it('follow from operations in the order of the vocabulary, strictest first', () => {
    const line = vocabularyLine('**Category** (MCPGate)')
    const stated = [...line.matchAll(/`(read|write|delete)` \(([^)]+)\)/g)].flatMap(
      ([, category, operations]) =>
        (operations ?? '').split(/, | or /).map(operation => [operation, category]),
    )
    expect(stated).toHaveLength(OPERATIONS.length + 1)
    for (const [operation, category] of stated) {
      const operations = OPERATIONS.filter(candidate => candidate === operation)
      expect(categoryOf(operations), operation).toBe(category)
      expect(categoryOf(['read', ...operations]), operation).toBe(category)
    }
    expect(categoryOf(['delete', 'read', 'create'])).toBe('delete')
  })

  it('have the labels of §6', () => {
    const labels = [...vocabularyLine('`categoryLabel`').matchAll(/"([^"]+)"/g)]
      .slice(0, 3)
      .map(([, label]) => label)
    expect(Object.values(CATEGORIES).map(category => category.label)).toEqual(labels)
  })

  it.each([
    ['list search get read fetch find query', 'read'],
    ['create send update add post set', 'write'],
    ['delete archive remove drop purge destroy', 'delete'],
  ])('follow from the verb alone: %s', (verbs, category) => {
    for (const verb of verbs.split(' ')) {
      const { inferred } = assessTool({ name: `${verb}_item` })
      expect(categoryOf(inferred.operations.value), verb).toBe(category)
    }
  })
})

describe('§3 call variants', () => {
  const [destructive, read, write] = vocabularyTable('effective state').map(([, variant]) =>
    variant?.replaceAll('`', ''),
  )

  it.each(['declared', 'inferred', 'override'] as const)('destructive with source %s', source => {
    expect(deriveVariant(effective({ destructive: hint(true, source) }))).toBe(destructive)
    expect(deriveVariant(effective({ destructive: hint(true, source), readOnly: hint(true, source) }))).toBe(
      destructive,
    )
  })

  it('read-only', () => {
    const readOnly = { readOnly: hint(true, 'declared'), destructive: hint(false, 'default') }
    expect(deriveVariant(effective(readOnly))).toBe(read)
    expect(deriveVariant(effective(readOnly), 'spec')).toBe(read)
  })

  it('anything else, including nothing declared at all', () => {
    expect(deriveVariant(effective({}))).toBe(write)
    expect(deriveVariant(effective({ destructive: hint(false, 'declared') }), 'spec')).toBe(write)
    expect(deriveVariant(effective({}), 'spec')).toBe(destructive)
  })

  it('have a risk level and an order of strictness', () => {
    expect([read, write, destructive].map(variant => riskLevelOf(variant as 'call_tool_read'))).toEqual([
      1, 2, 3,
    ])
    expect(stricterVariant('call_tool_write', 'call_tool_read')).toBe('call_tool_write')
    expect(stricterVariant('call_tool_write', 'call_tool_destructive')).toBe('call_tool_destructive')
  })
})

describe('§3 HTTP methods', () => {
  const openWorld = true
  it.each([
    ['GET', { readOnly: true, idempotent: true }],
    ['HEAD', { readOnly: true, idempotent: true }],
    ['OPTIONS', { readOnly: true, idempotent: true }],
    ['PUT', { readOnly: false, idempotent: true, destructive: false }],
    ['DELETE', { readOnly: false, idempotent: true, destructive: true }],
    ['POST', { readOnly: false, idempotent: false, destructive: false }],
    ['PATCH', { readOnly: false, idempotent: false, destructive: false }],
  ])('%s', (method, hints) => {
    expect(hintsForHttpMethod(method)).toMatchObject({ ...hints, openWorld })
    expect(hintsForHttpMethod(method.toLowerCase())).toMatchObject({ ...hints, openWorld })
  })

  it('give no hints for methods without guarantees', () => {
    for (const method of ['TRACE', '', '__proto__', 'constructor'])
      expect(hintsForHttpMethod(method)).toEqual({})
  })
})

describe('§3 presets', () => {
  const line = vocabularyLine('**Presets**')
  const stated = [...line.matchAll(/`([a-z-]+)`\s+([TF])\/([TF])\/([TF])\/([TF])/g)]

  it('cover the table', () => {
    expect(stated.map(([, preset]) => preset)).toEqual(Object.keys(PRESETS))
  })

  it.each(stated.map(([, ...row]) => row))('%s is %s/%s/%s/%s', (preset, ...letters) => {
    const [readOnly, destructive, idempotent, openWorld] = letters.map(letter => letter === 'T')
    expect(PRESETS[preset as keyof typeof PRESETS]).toEqual({ readOnly, destructive, idempotent, openWorld })
  })
})

describe('§4 authoring', () => {
  it('has the thirty service domains', () => {
    const list = vocabularyLine('Thirty service domains:')
      .replace('Thirty service domains:', '')
      .split('. Domain is')[0]
    expect([...SERVICE_DOMAINS]).toEqual(list?.trim().split(/\s+/))
    expect(SERVICE_DOMAINS).toHaveLength(30)
  })

  it.each(vocabularyTable('code'))('%s: %s is %s', (codes, _condition, level) => {
    for (const code of (codes ?? '').replaceAll('`', '').split(', ')) {
      const rule = FINDING_RULES.find(candidate => candidate.code === code)
      expect(rule?.level, code).toBe(level?.split(/[ ,]/)[0])
    }
  })

  it('has no contradiction that the vocabulary does not list', () => {
    const listed = vocabularyTable('code').map(([code]) => code?.replaceAll('`', ''))
    for (const { code } of CONTRADICTIONS) expect(listed).toContain(code)
  })
})

describe('§5 where sources disagree', () => {
  const send = {
    behavior: {
      operations: ['create'],
      readOnly: false,
      destructive: false,
      egress: true,
      reversible: false,
    },
  } as const

  it('infers destructive from the name archive, unless the author declares otherwise', () => {
    expect(assessTool({ name: 'archive_project' }).variant).toBe('call_tool_destructive')
    const stated = { name: 'archive_project', annotations: { readOnlyHint: false, destructiveHint: false } }
    expect(assessTool(stated, { vouched: true }).variant).toBe('call_tool_write')
  })

  it('treats sending a message as destructive only in the guide dialect', () => {
    expect(validateMetadata(send).filter(finding => finding.level === 'error')).toEqual([])
    expect(projectMetadata(send).annotations).toMatchObject({ destructiveHint: false })
    expect(projectMetadata(send, { dialect: 'guide' }).annotations).toMatchObject({ destructiveHint: true })
    const undoable = { behavior: { ...send.behavior, reversible: true } }
    expect(projectMetadata(undoable, { dialect: 'guide' }).annotations).toMatchObject({
      destructiveHint: false,
    })
    const inferred = assessTool({ name: 'send_message', description: 'Send a message to a person.' }).inferred
    expect(inferred.destructive.value).toBe(false)
    expect(inferred.egress?.value).toBe(true)
  })

  it('does not infer destructive from an update verb', () => {
    expect(assessTool({ name: 'update_contact' }).variant).toBe('call_tool_write')
  })

  it('treats an unannotated tool as a write, stricter by inference, and destructive under the spec profile', () => {
    expect(assessTool({ name: 'frobnicate' }).variant).toBe('call_tool_write')
    expect(assessTool({ name: 'frobnicate' }, { profile: 'spec' }).variant).toBe('call_tool_destructive')
    expect(assessTool({ name: 'delete_file' }).variant).toBe('call_tool_destructive')
  })

  it('never treats an unannotated tool as a read, under any profile or name', () => {
    for (const profile of ['gateway', 'spec'] as const) {
      expect(assessTool({ name: 'list_files' }, { profile, vouched: true }).variant).not.toBe(
        'call_tool_read',
      )
    }
  })
})
