import { actionSentence, CALL_VARIANTS, kindOfVariant, type Severity, severityOf } from '@hintgate/metadata'
import { isJsonObject, type Json } from '../protocol/messages.ts'
import { parseJson, spellNumbers } from '../protocol/parse-json.ts'
import type { AuditRow } from '../store/audit-store.ts'
import type { RecordedOrigin } from './entry.ts'

export interface AuditCall {
  readonly request: string
  readonly time: string
  readonly severity: Severity
  readonly agent: string
  /** What was done, in words: `Sent email to ada@example.com`. */
  readonly action: string
  readonly server: string
  readonly tool: string
  readonly variant?: string
  readonly verdict?: string
  /** `open` if it has not ended yet. */
  readonly outcome: string
  readonly code?: string
  readonly detail?: string
  readonly ms?: number
  readonly attempts?: number
  readonly session?: string
  readonly door?: string
  readonly typed?: string
  readonly fingerprint?: string
  readonly hints?: Readonly<Record<string, { readonly value: boolean; readonly source: string }>>
  readonly intent?: unknown
  readonly args?: unknown
  readonly argsBytes?: number
  readonly resultBytes?: number
  readonly reasons?: readonly unknown[]
  readonly origin?: RecordedOrigin
  readonly approval?: string
  /** Who approved it, and where. */
  readonly approved?: { readonly by: string; readonly via: string }
  readonly rows: readonly { readonly writer: number; readonly seq: number; readonly hash: string }[]
}

/** By the kind of a call, as it is stored. Requests that are not calls of tools have none. */
const SEVERITIES: ReadonlyMap<string, Severity> = new Map(
  CALL_VARIANTS.map(variant => [kindOfVariant(variant), severityOf(variant)]),
)

interface Rows {
  readonly intent?: AuditRow | undefined
  readonly ending?: AuditRow | undefined
}

/** Combines the rows written before and after the call; one of them is enough. */
export function viewCall({ intent, ending }: Rows): AuditCall | undefined {
  const first = intent ?? ending
  if (first === undefined) return undefined
  const said = { ...read(intent), ...read(ending) }
  const { title, action, hints, reasons, origin, args, approved, ...rest } = said
  const { at, request, agent, server, tool, variant } = first
  const { verdict, code } = ending ?? first
  return {
    request,
    time: new Date(at).toISOString(),
    severity: SEVERITIES.get(variant) ?? 'info',
    agent,
    action: actionSentence({
      template: textOf(action),
      title: textOf(title) ?? `${server}:${tool}`,
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
    ...readApproved(approved),
    rows: [intent, ending].flatMap(row =>
      row === undefined ? [] : [{ writer: row.writer, seq: row.seq, hash: row.hash }],
    ),
  }
}

/** Deeper than any arguments that the gateway accepts. */
const MAX_DEPTH = 10_000

/** A tampered row can contain anything; the log must stay readable to find it. */
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

function readApproved(value: unknown): Pick<AuditCall, 'approved'> {
  if (!isJsonObject(value)) return {}
  const [by, via] = [textOf(value.by), textOf(value.via)]
  return by === undefined || via === undefined ? {} : { approved: { by, via } }
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined
}

function named<K extends string>(name: K, value: string): { [N in K]?: string } {
  return value === '' ? {} : ({ [name]: value } as { [N in K]: string })
}
