import { type CallVariant, stricterVariant } from '@hintgate/metadata'
import { mayCall } from '../tokens/match-scope.ts'
import type { Classified } from './classify.ts'
import { type Comparison, compareClaim } from './intent.ts'
import type { Refusal } from './outcome.ts'

/** What a call that claims to do less than its tool does gets. */
export type IntentMode = 'strict' | 'warn' | 'off'

export type Verdict =
  /** `notes` are for the caller: what was let pass, and why it might not have been. */
  | { readonly kind: 'allow'; readonly notes: readonly string[] }
  | { readonly kind: 'deny'; readonly refusal: Refusal }

const ALLOW: Verdict = { kind: 'allow', notes: [] }

/** Allow or deny: first the scope of the token, then what the call claims. */
export function decide(classified: Classified, mode: IntentMode): Verdict {
  const { call, variant } = classified
  const { claim } = call
  const { scope } = call.exchange.caller.principal
  const needed = claim === undefined ? variant : stricterVariant(claim.variant, variant)
  if (!mayCall(scope, needed)) return { kind: 'deny', refusal: denied(classified, needed) }
  return claim === undefined ? ALLOW : decideIntent(classified, compareClaim(claim, variant), mode)
}

function decideIntent(classified: Classified, comparison: Comparison, mode: IntentMode): Verdict {
  if (comparison.kind === 'fits') return ALLOW
  const isBinding = classified.call.claim?.isBinding ?? false
  if (comparison.kind === 'less' && (mode === 'strict' || isBinding))
    return { kind: 'deny', refusal: mismatched(classified, comparison) }
  return mode === 'off' ? ALLOW : { kind: 'allow', notes: [noteOf(classified, comparison)] }
}

function denied({ call, tool, variant }: Classified, needed: CallVariant): Refusal {
  const { destructive, readOnly } = tool.assessment.effective
  const [name, { source }] =
    variant === 'call_tool_destructive' ? ['destructive', destructive] : ['read-only', readOnly]
  return {
    code: 'permission_denied',
    message: `This token may not use ${needed}, which ${JSON.stringify(call.typed)} needs.`,
    tool: call.typed,
    variant,
    verdict: 'deny',
    reasons: [{ rule: 'scope.permissions', source: 'token', text: `the tool's ${name} hint is ${source}` }],
    remedy: `Ask for a token with the permission ${needed}.`,
  }
}

type Mismatch = Exclude<Comparison, { kind: 'fits' }>

function mismatched({ call, variant }: Classified, { claimed, by }: Mismatch): Refusal {
  const claim = by === 'variant' ? `it was called with ${claimed}` : `its intent says ${nameOf(claimed)}`
  return {
    code: 'intent_mismatch',
    message: `${JSON.stringify(call.typed)} does more than this call says: ${claim}.`,
    tool: call.typed,
    variant,
    verdict: 'deny',
    reasons: [{ rule: `intent.${by}`, source: 'call', text: `the tool has to be called with ${variant}` }],
    remedy: `If this is what you want to do, use ${variant}, and say so in the intent.`,
  }
}

function noteOf({ call, variant }: Classified, { kind, claimed, by }: Mismatch): string {
  const claim = by === 'variant' ? claimed : `the intent ${nameOf(claimed)}`
  return `${JSON.stringify(call.typed)} is to be called with ${variant}; ${claim} says ${kind} than it does.`
}

function nameOf(variant: CallVariant): string {
  return variant.slice('call_tool_'.length)
}
