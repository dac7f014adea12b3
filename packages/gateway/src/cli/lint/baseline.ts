import { readFileSync } from 'node:fs'
import { diffDefinitions, type Finding, fingerprint, HINTS, type ToolDefinition } from '@hintgate/metadata'
import { UnreadableInput } from './tool-source.ts'

export interface BaselineTool {
  readonly server: string
  readonly fingerprint: string
  readonly definition: ToolDefinition
}

interface BaselineFile {
  readonly version: 1
  readonly tools: readonly BaselineTool[]
}

export const BASELINE_RULES = [
  { code: 'baseline-changed', level: 'error', condition: 'a tool differs from the baseline' },
  { code: 'baseline-added', level: 'error', condition: 'a tool is not in the baseline' },
  { code: 'baseline-removed', level: 'error', condition: 'a tool in the baseline is missing' },
] as const

const FIX = 'If the change is intended, update the baseline with --write-baseline.'
const MAX_PATHS = 5

export class Baseline {
  readonly #tools: ReadonlyMap<string, BaselineTool>
  readonly #seen = new Set<string>()

  constructor({ tools }: BaselineFile) {
    this.#tools = new Map(tools.map(tool => [keyOf(tool.server, tool.definition.name), tool]))
  }

  check(server: string, definition: ToolDefinition): Finding[] {
    const key = keyOf(server, definition.name)
    const known = this.#tools.get(key)
    this.#seen.add(key)
    if (known === undefined) return [drift('baseline-added', 'the tool is not in the baseline')]
    if (known.fingerprint === fingerprint(definition)) return []
    return [drift('baseline-changed', describeChange(known.definition, definition))]
  }

  missing(): { readonly tool: BaselineTool; readonly finding: Finding }[] {
    return [...this.#tools]
      .filter(([key]) => !this.#seen.has(key))
      .map(([, tool]) => ({
        tool,
        finding: drift('baseline-removed', 'the tool is in the baseline but no longer exists'),
      }))
  }
}

const MAKE_ONE = 'create a baseline with --write-baseline'

export function readBaseline(file: string): Baseline {
  let content: BaselineFile
  try {
    content = JSON.parse(readFileSync(file, 'utf8')) as BaselineFile
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    const why = code === 'ENOENT' ? 'the file does not exist' : message
    throw new UnreadableInput(`${file}: ${why}`, MAKE_ONE)
  }
  if (content.version !== 1 || !Array.isArray(content.tools))
    throw new UnreadableInput(`${file}: not a baseline`, MAKE_ONE)
  return new Baseline(content)
}

export function toBaselineTool(server: string, definition: ToolDefinition): BaselineTool {
  return { server, fingerprint: fingerprint(definition), definition }
}

function drift(code: (typeof BASELINE_RULES)[number]['code'], message: string): Finding {
  return { code, level: 'error', path: '', message, fix: FIX }
}

function describeChange(before: ToolDefinition, after: ToolDefinition): string {
  const { hints, changes } = diffDefinitions(before, after)
  const moved = hints.map(({ hint, direction }) => `${HINTS[hint].wire} ${direction}`)
  const paths = changes.map(({ path }) => path).filter(path => !path.endsWith('Hint'))
  const shown = paths.slice(0, MAX_PATHS).join(', ') + (paths.length > MAX_PATHS ? ', …' : '')
  return ['the tool changed', ...moved, ...(shown === '' ? [] : [`in ${shown}`])].join('; ')
}

function keyOf(server: string, name: string): string {
  return `${server} ${name}`
}
