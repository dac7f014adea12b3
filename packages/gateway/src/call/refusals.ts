import { stricterVariant } from '@hintgate/metadata'
import type { ArgumentProblem } from '../arguments/compile-schema.ts'
import { HintgateError } from '../base/errors.ts'
import type { Classified, IncomingCall } from '../exchange/incoming-call.ts'
import type { Refusal } from '../exchange/outcome.ts'
import type { Decision } from '../policy/decide.ts'
import type { Reason } from '../policy/facts/facts.ts'
import type { UpstreamServer } from '../upstream/upstream-server.ts'
import type { CallDeps } from './call-deps.ts'
import { quoteFailure, whenAgain } from './explain-no-answer.ts'

/** Says nothing but what the caller typed: what the definition says now is what nobody has looked at yet. */
export function quarantined(typed: string): Refusal {
  return {
    code: 'quarantined',
    message: `The tool ${JSON.stringify(typed)} waits for review.`,
    tool: typed,
    verdict: 'deny',
    reasons: [{ rule: 'quarantine', source: 'catalog', text: 'this version of it was not approved' }],
    remedy: 'Ask the operator to review it: hintgate tools review.',
  }
}

export function unavailable({ typed }: IncomingCall, server: UpstreamServer, deps: CallDeps): Refusal {
  return {
    code: 'upstream_unavailable',
    message: `The server ${JSON.stringify(server.name)} is not available.`,
    tool: typed,
    verdict: 'failed',
    reasons: [
      {
        rule: 'upstream',
        source: server.name,
        text: quoteFailure(server, deps) ?? 'its tools could not be listed',
      },
    ],
    remedy: `Nothing was executed; ${whenAgain(server.refusal ?? {})}.`,
  }
}

/** What is longer is no name, and would be sent back several times. */
const LONGEST_SHOWN = 300

/** The same words whether a tool does not exist or is out of the caller's scope: nobody learns what is there by asking. */
export function unknownTool(typed: string, meant?: string): Refusal {
  const tool = typed.length <= LONGEST_SHOWN ? typed : `${typed.slice(0, LONGEST_SHOWN)}…`
  const remedy = 'List the tools again; if the tool should be there, ask for a token whose scope includes it.'
  return {
    code: 'unknown_tool',
    message: `There is no tool ${JSON.stringify(tool)} for you to call.`,
    tool,
    verdict: 'deny',
    reasons: [{ rule: 'scope', source: 'token', text: 'no such tool within the scope of this token' }],
    remedy: meant === undefined ? remedy : `Did you mean ${JSON.stringify(meant)}? ${remedy}`,
  }
}

type Denied = Pick<Extract<Decision, { verdict: 'deny' }>, 'code' | 'reasons'>

/** A deny in the words of a refusal. The reasons say which rule it was; these words say what to do about it. */
export function refuseDecision({ call, variant }: Classified, { code, reasons }: Denied): Refusal {
  const name = JSON.stringify(call.typed)
  const texts = [...new Set(reasons.map(({ text }) => text))].join('; ')
  const words: Record<Denied['code'], readonly [message: string, remedy: string]> = {
    permission_denied: [
      `This token may not use ${neededFor({ call, variant })}, which ${name} needs.`,
      `Ask for a token with the permission ${neededFor({ call, variant })}.`,
    ],
    intent_mismatch: [
      `${name} does more than this call says: ${texts}.`,
      `If this is what you want to do, use ${variant}, and say so in the intent.`,
    ],
    policy_denied: [
      `A policy forbids this call of ${name}: ${texts}.`,
      'Do something else, or ask the operator, who can see why with: hintgate policy explain.',
    ],
    guardrail_blocked: [
      `A guardrail stopped this call of ${name}: ${texts}.`,
      'Change the arguments that the reasons name.',
    ],
    trifecta: [
      `${name} would bring private data, untrusted content and external communication together in one session.`,
      'Do without this step, or ask the operator, who sees what was touched with: hintgate sessions list.',
    ],
  }
  const [message, remedy] = words[code]
  return { code, message, tool: call.typed, variant, verdict: 'deny', reasons, remedy }
}

function neededFor({ call, variant }: Pick<Classified, 'call' | 'variant'>): string {
  return call.claim === undefined ? variant : stricterVariant(call.claim.variant, variant)
}

export function uncheckedArguments({ tool, variant }: Pick<Refusal, 'tool' | 'variant'>): Refusal {
  const text = 'they are too much to be checked against the schema'
  return {
    code: 'invalid_arguments',
    message: `The arguments of ${JSON.stringify(tool)}: ${text}.`,
    tool,
    ...(variant === undefined ? {} : { variant }),
    verdict: 'deny',
    reasons: [{ rule: 'arguments.schema', source: 'tool', text }],
    remedy:
      'Send less at once: fewer fields, shorter lists, or shorter texts where the schema has a pattern.',
    field: '',
  }
}

/** Says which field, what was expected, and shows the part of the schema that says so. */
export function invalidArguments(
  { tool, variant }: Pick<Refusal, 'tool' | 'variant'>,
  { field, expected, schema, problems }: ArgumentProblem,
): Refusal {
  const where = field === '' ? 'The arguments' : `The argument ${JSON.stringify(field)}`
  const more = problems > 1 ? ` (and ${problems - 1} more)` : ''
  return {
    code: 'invalid_arguments',
    message: `${where} of ${JSON.stringify(tool)}: expected ${expected}${more}.`,
    tool,
    ...(variant === undefined ? {} : { variant }),
    verdict: 'deny',
    reasons: [{ rule: 'arguments.schema', source: 'tool', text: `expected ${expected}` }],
    remedy: `The schema says: ${JSON.stringify(schema)}`,
    field,
    expected,
    schema,
  }
}

/**
 * Nothing happens that cannot be written down. Why it cannot is for the operator, who is told by the recorder; an agent has
 * no use for the state of our disk.
 */
export function unrecorded({ typed }: IncomingCall, classified: Classified | undefined): Refusal {
  return {
    code: 'overloaded',
    message: `The call of ${JSON.stringify(typed)} was not forwarded, because it cannot be recorded at the moment.`,
    tool: typed,
    ...(classified === undefined ? {} : { variant: classified.variant }),
    verdict: 'failed',
    reasons: [{ rule: 'audit', source: 'gateway', text: 'what is not recorded is not executed' }],
    remedy: 'Nothing was executed. Try again later, and tell the operator if it stays like this.',
  }
}

export function blocked({ call, variant }: Classified, reasons: readonly Reason[]): Refusal {
  return {
    code: 'guardrail_blocked',
    message: `The result of ${JSON.stringify(call.typed)} was held back: ${reasons.map(({ text }) => text).join('; ')}.`,
    tool: call.typed,
    variant,
    verdict: 'deny',
    reasons,
    remedy:
      variant === 'call_tool_read'
        ? 'Ask for something else, or ask the operator, who can change `results` in the config.'
        : 'It was executed; do not repeat it to see the result.',
  }
}

/**
 * Waits for something of the store. When the store is away, a read goes on with what is remembered if the config says
 * so, and everything else ends here: it would be judged by what may be old.
 */
export async function refuseIfUnavailable(
  work: Promise<unknown>,
  classified: Classified,
  { failOpenReads }: CallDeps,
): Promise<Refusal | undefined> {
  try {
    await work
    return undefined
  } catch (error) {
    if (!isStoreFault(error)) throw error
    const goesOn = classified.variant === 'call_tool_read' && failOpenReads()
    return goesOn ? undefined : unrecorded(classified.call, classified)
  }
}

function isStoreFault(error: unknown): boolean {
  return error instanceof HintgateError && error.code.startsWith('store_')
}
