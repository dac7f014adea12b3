import {
  CALL_VARIANTS,
  type CallKind,
  type Consequence,
  kindOfVariant,
  showUntrusted,
} from '@hintgate/metadata'
import { shorten, writeOut } from '../../approvals/shorten.ts'
import { readShown, type ShownRequest, showMoment } from '../../approvals/shown-request.ts'
import type { StoredApproval } from '../../store/approval-store.ts'

/**
 * Describes a call that waits for approval. The content is the same in every channel, and each channel escapes it for
 * its own format.
 */
export interface Message {
  readonly id: string
  readonly agent: string
  readonly server: string
  readonly tool: string
  readonly action: string
  readonly variant: CallKind
  readonly consequences: readonly Consequence[]
  /** The arguments as JSON, with secrets masked and hidden characters escaped. */
  readonly arguments: string
  readonly others?: string
  /** True if the message does not show everything that would be executed. */
  readonly isCut: boolean
  readonly reasons: readonly { readonly rule: string; readonly text: string }[]
  /** The text that asks for the call, and where it came from. The text is untrusted. */
  readonly origin?: { readonly from: string; readonly passage: string }
  /** The tool's own preview of what would happen. It is untrusted. */
  readonly preview?: string
  readonly risk: string
  /** The number of people who must approve. */
  readonly approvers: number
  readonly createdAt: number
  readonly expiresAt: number
  /** A link to the approval in the console. Absent if the gateway has no public address. */
  readonly link?: string
}

/** Maximum number of characters of arguments. Messages are read on phones; the console shows the rest. */
const MOST_ARGUMENTS = 1200
const MOST_TEXT = 400

export function writeMessage(approval: StoredApproval, publicUrl: string): Message {
  const shown = readShown(approval.shown)
  const { agent, action, tool, server, reasons, origin, preview, session_risk } = shown
  const args = shorten(shown.arguments, MOST_ARGUMENTS)
  const others = shown.others === undefined ? undefined : shorten(shown.others, MOST_ARGUMENTS)
  return {
    id: approval.id,
    agent: showUntrusted(agent, 200),
    server: showUntrusted(server, 120),
    tool: showUntrusted(tool, 120),
    action: showUntrusted(action, MOST_TEXT),
    variant: kindOf(shown),
    consequences: shown.consequences ?? [],
    arguments: writeOut(JSON.stringify(args.value)),
    ...(others === undefined ? {} : { others: writeOut(JSON.stringify(others.value)) }),
    isCut: shown.isCut === true || args.isCut || others?.isCut === true,
    reasons: reasons.map(({ rule, text }) => ({ rule, text: showUntrusted(text, MOST_TEXT) })),
    ...(origin === undefined ? {} : { origin: showOrigin(origin) }),
    ...(preview === undefined ? {} : { preview: showUntrusted(preview, MOST_TEXT) }),
    risk: session_risk.level,
    approvers: shown.approvers ?? 1,
    createdAt: approval.createdAt,
    expiresAt: approval.expiresAt,
    ...(publicUrl === '' ? {} : { link: `${publicUrl}/#/approvals/${encodeURIComponent(approval.id)}` }),
  }
}

function kindOf({ variant }: ShownRequest): CallKind {
  const known = CALL_VARIANTS.find(one => one === variant)
  return known === undefined ? 'destructive' : kindOfVariant(known)
}

function showOrigin({ server, tool, argument, passage }: NonNullable<ShownRequest['origin']>) {
  const what = argument === '' ? '' : `, which contains the value of ${showUntrusted(argument, 120)}`
  return {
    from: `the result of ${showUntrusted(server, 120)}:${showUntrusted(tool, 120)}${what}`,
    passage: showUntrusted(passage, MOST_TEXT),
  }
}

export interface Line {
  readonly label: string
  readonly text: string
  /** True if the text is quoted from an untrusted source. */
  readonly isUntrusted?: true
}

/** Returns the title, which says who wants to do what. */
export function titleOf({ agent, action }: Message): string {
  return `${agent} wants to: ${action}`
}

/** Returns the content line by line, in the same order for every channel. */
export function linesOf(message: Message): readonly Line[] {
  const { server, tool, variant, reasons, origin, preview, risk, approvers, expiresAt, isCut } = message
  return [
    // This line comes first, so that a long text cannot hide it.
    ...(isCut
      ? [
          {
            label: 'Incomplete',
            text: `this message does not show the whole call; read the whole call before you approve: ${placeOf(message)}`,
          },
        ]
      : []),
    { label: 'Tool', text: `${server}:${tool} (${variant})` },
    // These lines come before all text that others wrote, because some services cut off the end.
    { label: 'Until', text: showMoment(expiresAt) },
    { label: 'Approval', text: message.id },
    ...(approvers > 1 ? [{ label: 'Approvals needed', text: String(approvers) }] : []),
    { label: 'Arguments', text: message.arguments, isUntrusted: true },
    ...(message.others === undefined
      ? []
      : [{ label: 'Also sent', text: message.others, isUntrusted: true } as const]),
    ...reasons.map(({ rule, text }) => ({ label: 'Reason for asking', text: `${text} [${rule}]` })),
    ...(origin === undefined
      ? []
      : [
          {
            label: `Untrusted text that asks for this call, from ${origin.from}`,
            text: origin.passage,
            isUntrusted: true,
          } as const,
        ]),
    ...(preview === undefined
      ? []
      : [{ label: 'Preview by the tool', text: preview, isUntrusted: true } as const]),
    ...(risk === 'none' ? [] : [{ label: 'Session risk', text: risk }]),
  ]
}

/** Returns the place where the whole call can be read. */
function placeOf({ id, link }: Message): string {
  return link ?? `hintgate approvals show ${id}`
}

/** How an approval ended. */
export interface Ending {
  readonly state: 'approved' | 'denied' | 'expired'
  readonly by?: string
  readonly via?: string
  readonly at: number
}

export function endingOf({ state, decision, expiresAt }: StoredApproval): Ending {
  if (decision === undefined) return { state: 'expired', at: expiresAt }
  const { by, via, at } = decision
  return { state: state === 'denied' ? 'denied' : 'approved', by, via, at }
}

export function describeEnding({ state, by }: Ending): string {
  if (state === 'expired') return 'Expired without a decision'
  return `${state === 'approved' ? 'Approved' : 'Denied'} by ${showUntrusted(by ?? '', 200)}`
}
