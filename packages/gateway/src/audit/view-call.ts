import { type Action, actionSentence, type Severity } from '@hintgate/metadata'
import { isJsonObject, type Json } from '../protocol/messages.ts'
import { parseJson, spellNumbers } from '../protocol/parse-json.ts'
import type { AuditRow } from '../store/audit-store.ts'
import type { RecordedOrigin, ResultFinding } from './entry.ts'
import { severityOfCall } from './severity.ts'

export interface AuditCall {
  readonly request: string
  readonly time: string
  readonly severity: Severity
  readonly agent: string
  /** The call in words, such as `Sent email to ada@example.com` or `Refused: Send email: ada@example.com`. */
  readonly action: string
  readonly server: string
  readonly tool: string
  readonly variant?: string
  readonly verdict?: string
  /** The outcome; `open` if the call has not ended yet. */
  readonly outcome: string
  readonly code?: string
  readonly detail?: string
  readonly ms?: number
  readonly attempts?: number
  readonly session?: string
  readonly door?: string
  /** The toolset whose endpoint received the call. */
  readonly set?: string
  readonly typed?: string
  readonly fingerprint?: string
  readonly hints?: Readonly<Record<string, { readonly value: boolean; readonly source: string }>>
  readonly intent?: unknown
  /** The app that made the call. */
  readonly asker?: string
  readonly args?: unknown
  readonly argsBytes?: number
  readonly resultBytes?: number
  /** The findings in the result. */
  readonly findings?: readonly ResultFinding[]
  /** The number of refusals that this row counts. Absent for a single call. */
  readonly repeats?: number
  readonly reasons?: readonly unknown[]
  readonly origin?: RecordedOrigin
  readonly approval?: string
  /** The decision about the approval: who made it, through which channel, and when. */
  readonly approver?: {
    readonly by: string
    readonly via: string
    readonly at: string
    readonly note?: string
  }
  readonly rows: readonly { readonly writer: number; readonly seq: number; readonly hash: string }[]
}

interface Rows {
  readonly intent?: AuditRow | undefined
  readonly ending?: AuditRow | undefined
}

/** Combines the rows that were written before and after the call. One of them is enough. */
export function viewCall({ intent, ending }: Rows): AuditCall | undefined {
  const first = intent ?? ending
  if (first === undefined) return undefined
  const said = { ...read(intent), ...read(ending) }
  const { title, action, hints, reasons, origin, args, ...rest } = said
  const { at, request, agent, server, tool, variant } = first
  const { verdict, code } = ending ?? first
  return {
    request,
    time: new Date(at).toISOString(),
    severity: severityOfCall({ variant, code }, said.findings),
    agent,
    action: describeAction(ending?.outcome, {
      template: textOf(action),
      title: textOf(title) ?? (server === '' ? tool : `${server}:${tool}`),
      args: spellNumbers(args),
    }),
    server,
    tool,
    ...named('variant', variant),
    ...named('verdict', verdict),
    outcome: ending?.outcome ?? 'open',
    ...named('code', code),
    ...rest,
    ...(typeof hints === 'string' ? { hints: readHints(hints) } : {}),
    ...(args === undefined ? {} : { args }),
    ...(Array.isArray(reasons) ? { reasons } : {}),
    ...readOrigin(origin),
    rows: [intent, ending].flatMap(row =>
      row === undefined ? [] : [{ writer: row.writer, seq: row.seq, hash: row.hash }],
    ),
  }
}

/**
 * Describes a call. Uses the author's template only if the call succeeded, because a template such as `Sent email`
 * states that it did.
 */
function describeAction(outcome: string | undefined, { template, title, args }: Action): string {
  if (outcome === 'answered') return actionSentence({ template, title, args })
  const sentence = actionSentence({ title, args })
  return outcome === 'refused' ? `Refused: ${sentence}` : sentence
}

/** Maximum nesting to read. It is deeper than any arguments that the gateway accepts. */
const MAX_DEPTH = 10_000

/** Reads a row's body. An unreadable one counts as empty, because a log with a tampered row must stay readable. */
function read(row: AuditRow | undefined): Json {
  const parsed = row === undefined ? undefined : parseJson(row.body, MAX_DEPTH)
  return parsed?.ok === true && isJsonObject(parsed.value) ? parsed.value : {}
}

function readHints(text: string): NonNullable<AuditCall['hints']> {
  const hints = text.split(' ').map(hint => {
    const at = hint.search(/[+-]/)
    return [hint.slice(0, at), { value: hint[at] === '+', source: hint.slice(at + 1) }] as const
  })
  return Object.fromEntries(hints)
}

const ORIGINS = ['target', 'occasion', 'kind'] as const

function readOrigin(value: unknown): { origin?: RecordedOrigin } {
  if (!isJsonObject(value)) return {}
  const kind = ORIGINS.find(one => one === value.kind)
  const [argument, server, tool, request] = [value.argument, value.server, value.tool, value.request].map(
    textOf,
  )
  if (kind === undefined || server === undefined || tool === undefined || request === undefined) return {}
  return { origin: { kind, argument: argument ?? '', server, tool, request, at: Number(value.at) } }
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined
}

function named<K extends string>(name: K, value: string): { [N in K]?: string } {
  return value === '' ? {} : ({ [name]: value } as { [N in K]: string })
}
