import { type Finding, nearest, projectMetadata, type ToolMetadata, toRecord } from '@hintgate/metadata'
import type { CheckedInput } from '../input/checked-input.ts'
import type { Input } from '../input/input.ts'
import { readInput, UnusableSchema } from '../input/read-input.ts'
import type { ToolEntry } from '../start/entries.ts'
import type { Home } from '../start/home.ts'
import type { ToolkitFinding } from '../start/toolkit-error.ts'
import { gatherMetadata } from './gather-metadata.ts'
import { previewTool } from './preview-tool.ts'
import type { AnyTool } from './tool-spec.ts'

export const META_PREVIEW = 'io.hintgate/preview'

const FIELDS =
  'name title description input output action tags extras icons _meta execute preview effects preset category annotations behavior strict serviceDomains'.split(
    ' ',
  )
/** What the specification allows, so that no client refuses the whole list. */
const NAME = /^[A-Za-z0-9_.-]{1,128}$/

export interface Prepared {
  readonly entries: readonly ToolEntry[]
  readonly findings: readonly ToolkitFinding[]
}

/** Reads one tool, with all that is wrong with it. A tool that shows what it would do gives two entries. */
export function prepareTool(tool: AnyTool, home: Home): Prepared {
  const input = tryInput(tool.input ?? {}, 'input')
  const output = tool.output === undefined ? {} : tryInput(tool.output, 'output')
  const { metadata, findings } = gatherMetadata(tool, home)
  const entry: ToolEntry = {
    name: tool.name,
    home,
    definition: toDefinition(tool, { metadata, home, input: input.checked, output: output.checked }),
    hints: toRecord(metadata).hints,
    input: input.checked ?? NOTHING,
    output: output.checked,
    execute: (ctx, args) => tool.execute(ctx, args),
    effects: tool.effects === undefined ? undefined : args => tool.effects?.(args) ?? {},
    previewOf: undefined,
  }
  const preview = previewTool(tool, { entry, metadata })
  return {
    entries: preview === undefined ? [entry] : [entry, preview],
    findings: [
      ...checkFields(tool),
      ...(input.findings ?? []),
      ...(output.findings ?? []),
      ...checkDryRun(tool, entry.input),
      ...findings,
    ].map(finding => ({ subject: tool.name || '(a tool without a name)', ...finding })),
  }
}

const NOTHING: CheckedInput = readInput({})

function tryInput(input: Input, path: 'input' | 'output'): { checked?: CheckedInput; findings?: Finding[] } {
  try {
    return { checked: readInput(input, path) }
  } catch (error) {
    if (!(error instanceof UnusableSchema)) throw error
    const fix = 'Use zod 4, zod/mini, or a Standard Schema that offers JSON Schema.'
    return { findings: [{ code: 'unusable-schema', level: 'error', path, message: error.message, fix }] }
  }
}

interface Described {
  readonly metadata: ToolMetadata
  readonly home: Home
  readonly input: CheckedInput | undefined
  readonly output: CheckedInput | undefined
}

function toDefinition(tool: AnyTool, { metadata, home, input, output }: Described): ToolEntry['definition'] {
  const { _meta, ...projected } = projectMetadata(metadata, home.projection)
  const preview = previewDeclaration(tool)
  const meta = { ..._meta, ...(preview === undefined ? {} : { [META_PREVIEW]: preview }) }
  return {
    name: tool.name,
    description: tool.description,
    inputSchema: (input ?? NOTHING).jsonSchema,
    ...(output === undefined ? {} : { outputSchema: output.jsonSchema }),
    ...(tool.icons === undefined ? {} : { icons: tool.icons }),
    ...projected,
    ...(Object.keys(meta).length === 0 ? {} : { _meta: meta }),
  }
}

function previewDeclaration({ name, preview }: AnyTool): object | undefined {
  if (preview === undefined) return undefined
  if (typeof preview === 'function') return { tool: `preview_${name}` }
  return { argument: preview.argument, value: preview.value ?? true }
}

function checkFields(tool: AnyTool): Finding[] {
  const strangers = Object.keys(tool).filter(key => !FIELDS.includes(key))
  const findings = strangers.map(key => {
    const meant = nearest(key, FIELDS)
    const suggestion = meant === undefined ? '' : ` Did you mean \`${meant}\`?`
    return error('unknown-field', key, `there is no field ${JSON.stringify(key)} here.${suggestion}`)
  })
  // The SDK keeps tools in a plain object, where some names are taken.
  if (!NAME.test(tool.name) || tool.name in {})
    findings.push(error('no-name', 'name', 'a name has 1 to 128 letters, digits, and _ . -'))
  if (typeof tool.description !== 'string' || tool.description.trim() === '')
    findings.push(error('wrong-type', 'description', 'a tool must say what it does'))
  if (typeof tool.execute !== 'function')
    findings.push(error('wrong-type', 'execute', 'this must be a function'))
  return findings
}

/** An argument that the tool does not have would be overlooked, and the rehearsal would be the real thing. */
function checkDryRun({ preview }: AnyTool, { jsonSchema }: CheckedInput): Finding[] {
  if (preview === undefined || typeof preview === 'function') return []
  const { properties } = jsonSchema
  const known = typeof properties === 'object' && properties !== null ? Object.keys(properties) : []
  if (known.includes(preview.argument)) return []
  return [error('unknown-field', 'preview.argument', `the tool has no argument "${preview.argument}"`)]
}

const FIXES: Readonly<Record<string, string>> = {
  'unknown-field': 'Use one of the fields that are there.',
  'no-name': 'Give the tool a name that every client takes.',
  'wrong-type': 'Give it one.',
}

function error(code: string, path: string, message: string): Finding {
  return { code, level: 'error', path, message, fix: FIXES[code] ?? '' }
}
