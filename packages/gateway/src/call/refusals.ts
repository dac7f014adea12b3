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

/**
 * Refuses a call to a tool that waits for review. The refusal quotes only the name that the caller typed, because no
 * operator has reviewed the definition.
 */
export function quarantined(typed: string): Refusal {
  return {
    code: 'quarantined',
    message: `The tool ${JSON.stringify(typed)} is waiting for review.`,
    tool: typed,
    verdict: 'deny',
    reasons: [
      { rule: 'quarantine', source: 'catalog', text: 'no operator has approved this version of the tool' },
    ],
    remedy: 'Ask the operator to review it with: hintgate tools review.',
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
        text: quoteFailure(server, deps) ?? 'the gateway could not list its tools',
      },
    ],
    remedy: `Nothing was executed; ${whenAgain(server.refusal ?? {})}.`,
  }
}

/** Maximum length of a name in a refusal, which repeats the name several times. A longer text is not a tool's name. */
const LONGEST_SHOWN = 300

/**
 * Refuses an unknown tool. A tool outside the caller's scope gets the same text, so that a caller cannot find out what
 * exists.
 */
export function unknownTool(typed: string, meant?: string): Refusal {
  const tool = typed.length <= LONGEST_SHOWN ? typed : `${typed.slice(0, LONGEST_SHOWN)}…`
  const remedy = 'List the tools again. If the tool should be there, ask for a token whose scope includes it.'
  return {
    code: 'unknown_tool',
    message: `There is no tool ${JSON.stringify(tool)} that you are allowed to call.`,
    tool,
    verdict: 'deny',
    reasons: [{ rule: 'scope', source: 'token', text: 'no such tool within the scope of this token' }],
    remedy: meant === undefined ? remedy : `Did you mean ${JSON.stringify(meant)}? ${remedy}`,
  }
}

type Denied = Pick<Extract<Decision, { verdict: 'deny' }>, 'code' | 'reasons'>

/** Turns a verdict of deny into a refusal. The reasons name the rules, and the remedy says what to do. */
export function refuseDecision({ call, variant }: Classified, { code, reasons }: Denied): Refusal {
  const name = JSON.stringify(call.typed)
  const texts = [...new Set(reasons.map(({ text }) => text.replace(/\.$/, '')))].join('; ')
  const words: Record<Denied['code'], readonly [message: string, remedy: string]> = {
    permission_denied: [
      `This token lacks the permission ${neededFor({ call, variant })}, which ${name} requires.`,
      `Ask for a token with the permission ${neededFor({ call, variant })}.`,
    ],
    intent_mismatch: [
      `${name} does more than this call declares: ${texts}.`,
      `If this is what you want to do, use ${variant} and state it in the intent.`,
    ],
    policy_denied: [
      `A policy denies this call to ${name}: ${texts}.`,
      'Do something else, or ask the operator, who can see the reasons with: hintgate policy explain.',
    ],
    guardrail_blocked: [
      `A guardrail blocked this call to ${name}: ${texts}.`,
      'Change the arguments that the reasons name.',
    ],
    trifecta: [
      `${name} would bring private data, untrusted content and external communication together in one session.`,
      'Skip this step, or ask the operator, who can see the risk factors with: hintgate sessions list.',
    ],
  }
  const [message, remedy] = words[code]
  return { code, message, tool: call.typed, variant, verdict: 'deny', reasons, remedy }
}

function neededFor({ call, variant }: Pick<Classified, 'call' | 'variant'>): string {
  return call.claim === undefined ? variant : stricterVariant(call.claim.variant, variant)
}

export function uncheckedArguments({ tool, variant }: Pick<Refusal, 'tool' | 'variant'>): Refusal {
  const text = 'they are too large to check against the schema'
  return {
    code: 'invalid_arguments',
    message: `The arguments of ${JSON.stringify(tool)}: ${text}.`,
    tool,
    ...(variant === undefined ? {} : { variant }),
    verdict: 'deny',
    reasons: [{ rule: 'arguments.schema', source: 'tool', text }],
    remedy:
      'Send less in one call: fewer fields, shorter lists, or shorter strings where the schema has a pattern.',
    field: '',
  }
}

/** Refuses wrong arguments. The refusal contains the field, the expected value, and the field's part of the schema. */
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
 * Refuses a call that cannot be recorded. The refusal gives no reason, because the state of the gateway's disk is not
 * the agent's concern. The recorder reports the reason to the operator.
 */
export function unrecorded({ typed }: IncomingCall, classified: Classified | undefined): Refusal {
  return {
    code: 'overloaded',
    message: `The call to ${JSON.stringify(typed)} was not forwarded, because it cannot be recorded at the moment.`,
    tool: typed,
    ...(classified === undefined ? {} : { variant: classified.variant }),
    verdict: 'failed',
    reasons: [
      { rule: 'audit', source: 'gateway', text: 'the gateway executes only calls that it can record' },
    ],
    remedy: 'Nothing was executed. Try again later, and tell the operator if it happens again.',
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
        ? 'Request something else, or ask the operator, who can change `results` in the config.'
        : 'The call was executed; do not repeat it to see the result.',
  }
}

/** Withholds a result that does not fit the filter of a toolset. */
export function refuseUnfit(classified: Classified, why: string): Refusal {
  const refusal = blocked(classified, [{ rule: 'toolset.result', source: 'toolset', text: why }])
  if (classified.variant !== 'call_tool_read') return refusal
  return {
    ...refusal,
    remedy: 'Ask the operator, who can change `keep` or `query` of this tool in the toolset.',
  }
}

/**
 * Waits for the store. If the store is down, a read continues with the state in memory, if the config allows that. All
 * other calls are refused, because the state in memory might be outdated.
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
