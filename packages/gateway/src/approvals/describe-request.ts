import { actionSentence, type SessionLegs, viewRisk } from '@hintgate/metadata'
import { maskValue, WHOLE } from '../audit/mask.ts'
import type { Classified } from '../exchange/classified.ts'
import type { Decision } from '../policy/decide.ts'
import { isJsonObject, type Json } from '../protocol/messages.ts'
import { spellNumbers } from '../protocol/parse-json.ts'
import type { NewApproval } from './approvals.ts'
import type { Bindings } from './binding.ts'
import { maskForApprover } from './mask-for-approver.ts'
import { showHints } from './shown-request.ts'

interface Surroundings {
  /** What it carries besides its arguments, with its numbers spelt out. */
  readonly others: Json | undefined
  readonly bindings: Bindings
  readonly legs: SessionLegs
  readonly preview: string | undefined
  readonly validMs: number
}

/** A call in the words for the person who is asked about it. */
export function describeRequest(
  { call, tool, variant }: Classified,
  { channel, reasons, remember }: Extract<Decision, { verdict: 'confirm' }>,
  { others, bindings, legs, preview, validMs }: Surroundings,
): NewApproval {
  const { principal, session } = call.exchange.caller
  const { effective, title, declared } = tool.assessment
  // Spelt out first: what masks makes other objects, in which nobody knows where such numbers are.
  const args = mask(spellNumbers(call.params.arguments ?? {}))
  const template = declared.action
  return {
    principal: principal.id,
    session,
    tool: `${tool.server}:${tool.name}`,
    binding: bindings.once,
    channel,
    validMs,
    shown: {
      agent: principal.name,
      server: tool.server,
      tool: tool.name,
      title,
      action: actionSentence({
        title,
        args: knownOf(args, tool.definition),
        ...(template === undefined ? {} : { template }),
      }),
      variant,
      arguments: args,
      ...(others === undefined ? {} : { others: mask(others) }),
      hints: showHints(effective),
      reasons,
      session_risk: viewRisk(legs),
      ...(preview === undefined ? {} : { preview }),
      remember,
      standing: { arguments: bindings.arguments, session: bindings.session },
    },
  }
}

/** All of it but the secrets: what is cut here is executed unseen. Whoever asks has seen that it is not too much. */
function mask(value: unknown): unknown {
  return maskValue(value, maskForApprover, WHOLE)
}

/** The arguments that the tool has: any others would let the caller write the sentence that people decide by. */
function knownOf(args: unknown, { inputSchema }: { readonly inputSchema?: unknown }): Json {
  const { properties } = isJsonObject(inputSchema) ? inputSchema : {}
  if (!isJsonObject(args) || !isJsonObject(properties)) return {}
  return Object.fromEntries(Object.entries(args).filter(([key]) => Object.hasOwn(properties, key)))
}
