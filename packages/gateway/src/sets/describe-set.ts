import { HINTS, type HintName, type HintValues } from '@hintgate/metadata'
import type { Presentation } from '../config/config.ts'
import { isJsonObject, type Json } from '../protocol/messages.ts'
import type { SetTool } from './present-tool.ts'
import type { SetProblem, Toolset } from './toolset.ts'

/** A toolset as operators see it in lists. */
export interface SetSummary {
  readonly name: string
  /** The path of its endpoint. */
  readonly path: string
  readonly surface: 'direct' | 'search'
  readonly title?: string
  /** The number of tools that it offers now. */
  readonly tools: number
  /** The number of tools that it does not offer because of a problem. */
  readonly held: number
  readonly problems: readonly SetProblem[]
}

/** A tool of a set: what agents see, next to the definition that was reviewed. */
export interface SetToolView {
  /** The name in this set. */
  readonly name: string
  /** The tool's id, `server:tool`. */
  readonly id: string
  readonly title: string
  readonly description: string
  readonly call_with: string
  /** The input schema that agents see. */
  readonly inputSchema: unknown
  /** The definition that was reviewed. */
  readonly pinned: { readonly fingerprint: string; readonly title: string; readonly description: string }
  readonly override?: OverrideView
  readonly remarks: readonly string[]
}

export interface OverrideView {
  readonly fingerprint: string
  readonly author: string
  /** The fingerprint of the definition that the override was written for. */
  readonly written_for?: string
  /** The arguments with a fixed value; secrets are masked. */
  readonly arguments?: Json
  readonly hidden?: readonly string[]
  readonly hints?: Readonly<Record<string, boolean>>
  readonly vouched?: true
  readonly keep?: readonly string[]
  readonly query?: string
  readonly answer?: number
}

export interface SetView extends SetSummary {
  readonly instructions?: string
  readonly listed: readonly SetToolView[]
}

export function summariseSet(set: Toolset): SetSummary {
  const { surface = 'direct', title } = set.config ?? {}
  const held = new Set(set.problems.flatMap(({ state, tools }) => (state === 'held' ? tools : [])))
  return {
    name: set.name,
    path: `/mcp/sets/${set.name}`,
    surface,
    ...(title === undefined ? {} : { title }),
    tools: set.tools.length,
    held: held.size,
    problems: set.problems,
  }
}

/** Masks secrets in the fixed arguments. */
export type MaskArguments = (fixed: Json) => Json

export function describeSet(set: Toolset, maskSecrets: MaskArguments): SetView {
  const { instructions, confided = [] } = set.config ?? {}
  const mask: MaskArguments = fixed => maskSecrets(withoutConfided(fixed, confided) as Json)
  return {
    ...summariseSet(set),
    ...(instructions === undefined ? {} : { instructions }),
    listed: set.tools.map(tool => describeTool(tool, mask)),
  }
}

/** Replaces texts that contain a value from the environment or a file. */
function withoutConfided(value: unknown, confided: readonly string[]): unknown {
  if (typeof value === 'string')
    return confided.some(secret => secret !== '' && value.includes(secret)) ? '[masked]' : value
  if (Array.isArray(value)) return value.map(part => withoutConfided(part, confided))
  if (!isJsonObject(value)) return value
  return Object.fromEntries(
    Object.entries(value).map(([key, part]) => [key, withoutConfided(part, confided)]),
  )
}

function describeTool({ name, tool, shown, override, remarks }: SetTool, mask: MaskArguments): SetToolView {
  const { fingerprint, assessment, definition } = tool
  return {
    name,
    id: `${tool.server}:${tool.name}`,
    title: shown.assessment.title,
    description: textOf(shown.definition.description),
    call_with: assessment.variant,
    inputSchema: shown.definition.inputSchema ?? {},
    pinned: { fingerprint, title: assessment.title, description: textOf(definition.description) },
    ...(override === undefined ? {} : { override: describeOverride(override, mask) }),
    remarks,
  }
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : ''
}

function describeOverride(
  { fingerprint, author, writtenFor, hidden, hints, isVouched, keep, query, ...rest }: Presentation,
  mask: MaskArguments,
): OverrideView {
  const { arguments: fixed, answerChars } = rest
  return {
    fingerprint,
    author,
    ...(writtenFor === undefined ? {} : { written_for: writtenFor }),
    ...(isEmpty(fixed) ? {} : { arguments: mask(fixed) }),
    ...(hidden.length === 0 ? {} : { hidden }),
    ...(isEmpty(hints) ? {} : { hints: onWire(hints) }),
    ...(isVouched ? { vouched: true } : {}),
    ...(keep === undefined ? {} : { keep }),
    ...(query === undefined ? {} : { query }),
    ...(answerChars === undefined ? {} : { answer: answerChars }),
  }
}

function isEmpty(value: unknown): boolean {
  return isJsonObject(value) && Object.keys(value).length === 0
}

function onWire(hints: HintValues): Readonly<Record<string, boolean>> {
  return Object.fromEntries(
    Object.entries(hints).map(([hint, value]) => [HINTS[hint as HintName].wire, value]),
  )
}
