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
/**
 * Matches the names that the specification allows. Some clients reject a whole list of tools because of one invalid
 * name.
 */
const NAME = /^[A-Za-z0-9_.-]{1,128}$/

export interface Prepared {
  readonly entries: readonly ToolEntry[]
  readonly findings: readonly ToolkitFinding[]
}

/** Prepares a tool and reports all problems found. A tool with a preview function results in two entries. */
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
    const fix = 'Use zod 4, zod/mini, or a Standard Schema that provides JSON Schema.'
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

/** Names of fields in other toolkits and in the protocol, each with the name to use here. */
const OTHER_NAMES: ReadonlyMap<string, string> = new Map([
  ['inputSchema', 'input'],
  ['input_schema', 'input'],
  ['parameters', 'input'],
  ['args', 'input'],
  ['schema', 'input'],
  ['outputSchema', 'output'],
  ['output_schema', 'output'],
  ['handler', 'execute'],
  ['run', 'execute'],
  ['callback', 'execute'],
  ['hints', 'annotations'],
  ['domains', 'serviceDomains'],
  ['classification', 'serviceDomains'],
  ['operations', 'behavior'],
])

function checkFields(tool: AnyTool): Finding[] {
  const strangers = Object.keys(tool).filter(key => !FIELDS.includes(key))
  const findings = strangers.map(key => {
    const meant = OTHER_NAMES.get(key) ?? nearest(key, FIELDS)
    const suggestion = meant === undefined ? '' : ` Did you mean \`${meant}\`?`
    return error('unknown-field', key, `Unknown field ${JSON.stringify(key)}.${suggestion}`)
  })
  // The SDK keeps tools in a plain object, so a name such as `constructor`, which every object inherits, cannot be
  // used.
  if (!NAME.test(tool.name) || tool.name in {})
    findings.push(
      error(
        'no-name',
        'name',
        'The name must consist of 1 to 128 letters, digits, "_", "." or "-", and must not be a built-in name such as "constructor".',
      ),
    )
  if (typeof tool.description !== 'string' || tool.description.trim() === '')
    findings.push(error('wrong-type', 'description', 'The description is missing.'))
  if (typeof tool.execute !== 'function')
    findings.push(error('wrong-type', 'execute', 'execute must be a function.'))
  return findings
}

/** Reports a dry-run argument that the tool does not have. Without that argument, a preview would execute the call. */
function checkDryRun({ preview }: AnyTool, { jsonSchema }: CheckedInput): Finding[] {
  if (preview === undefined || typeof preview === 'function') return []
  const { properties } = jsonSchema
  const known = typeof properties === 'object' && properties !== null ? Object.keys(properties) : []
  if (known.includes(preview.argument)) return []
  return [error('unknown-field', 'preview.argument', `The tool has no argument "${preview.argument}".`)]
}

const FIXES: Readonly<Record<string, string>> = {
  'unknown-field': 'Correct the name, or remove it.',
  'no-name': 'Give the tool a name that every client accepts.',
  'wrong-type': 'Provide a valid value.',
}

function error(code: string, path: string, message: string): Finding {
  return { code, level: 'error', path, message, fix: FIXES[code] ?? '' }
}
