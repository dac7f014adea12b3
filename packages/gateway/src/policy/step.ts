import { type CallVariant, kindOfVariant, reasonToConfirm, stricterVariant } from '@hintgate/metadata'
import { mayCall } from '../scope/match-scope.ts'
import type { Scope } from '../scope/scope.ts'
import type { Facts, OriginFacts, Reason } from './facts/facts.ts'
import { type Claim, type Comparison, compareClaim } from './facts/intent.ts'
import { verdictOf } from './rules/policy-set.ts'
import type { Channel, Remember, Rules } from './rules.ts'

/** The facts of a call, plus its scope and its claim, which only the first steps use. */
export interface Case extends Facts {
  readonly scope: Scope
  readonly claim: Claim | undefined
}

export type DenyCode =
  | 'permission_denied'
  | 'intent_mismatch'
  | 'policy_denied'
  | 'guardrail_blocked'
  | 'trifecta'

export type StepResult =
  | { readonly kind: 'pass' }
  | { readonly kind: 'deny'; readonly code: DenyCode; readonly reasons: readonly Reason[] }
  | {
      readonly kind: 'ask'
      readonly reasons: readonly Reason[]
      readonly channel: Channel
      readonly remember: readonly Remember[]
      readonly origin?: OriginFacts
    }
  /** The step passes, with remarks for the caller. */
  | { readonly kind: 'note'; readonly notes: readonly string[] }

export interface Step {
  readonly name: string
  judge(about: Case, rules: Rules): StepResult
}

export const PASS: StepResult = { kind: 'pass' }

/** Checks whether the token permits this kind of call. */
export const judgeScope: Step = {
  name: 'scope',
  judge({ tool, claim, scope }) {
    const needed = claim === undefined ? tool.variant : stricterVariant(claim.variant, tool.variant)
    if (mayCall(scope, needed)) return PASS
    const { destructive, readOnly } = tool.effective
    const [name, { source }] =
      tool.variant === 'call_tool_destructive' ? ['destructive', destructive] : ['read-only', readOnly]
    const text = `the token lacks ${needed}; the tool's ${name} hint is ${source}`
    return {
      kind: 'deny',
      code: 'permission_denied',
      reasons: [{ rule: 'scope.permissions', source: 'token', text }],
    }
  },
}

/**
 * Compares what a call claims with what its tool does. A call that claims less is denied; a call that claims more only
 * gets a note.
 */
export const judgeIntent: Step = {
  name: 'intent',
  judge({ claim, tool, server }, { intent: mode }) {
    if (claim === undefined) return PASS
    const comparison = compareClaim(claim, tool.variant)
    if (comparison.kind === 'fits') return PASS
    if (comparison.kind === 'less' && (mode === 'strict' || claim.isBinding === true))
      return { kind: 'deny', code: 'intent_mismatch', reasons: [reasonOf(comparison, tool.variant)] }
    return mode === 'off'
      ? PASS
      : {
          kind: 'note',
          notes: [`${JSON.stringify(`${server.name}:${tool.name}`)} ${noteOf(comparison, tool.variant)}`],
        }
  },
}

type Mismatch = Exclude<Comparison, { kind: 'fits' }>

function reasonOf({ claimed, by }: Mismatch, variant: CallVariant) {
  const claim = by === 'variant' ? `it was called with ${claimed}` : `its intent says ${nameOf(claimed)}`
  return {
    rule: `intent.${by}`,
    source: 'call',
    text: `the tool must be called with ${variant}, but ${claim}`,
  }
}

function noteOf({ kind, claimed, by }: Mismatch, variant: CallVariant): string {
  const claim = by === 'variant' ? claimed : `the intent ${nameOf(claimed)}`
  return `must be called with ${variant}; ${claim} claims ${kind} than it does.`
}

function nameOf(variant: CallVariant): string {
  return variant.slice('call_tool_'.length)
}

const NOTHING: readonly Remember[] = []
const NOT_ALLOWED: Reason = {
  rule: 'policy.default',
  source: 'config policyDefault',
  text: 'no rule allows this call',
}

export const judgePolicy: Step = {
  name: 'policy',
  judge(about, { policies, confirm }) {
    const { verdict, by } = verdictOf(policies.evaluate(about), policies.fallback)
    if (verdict === 'allow') return PASS
    const reasons = by.map(({ reason }) => reason)
    if (verdict === 'deny')
      return { kind: 'deny', code: 'policy_denied', reasons: by.length > 0 ? reasons : [NOT_ALLOWED] }
    const isForPerson = confirm.channel === 'person' || by.some(({ channel }) => channel === 'person')
    return {
      kind: 'ask',
      reasons,
      channel: isForPerson ? 'person' : 'any',
      remember: shared(by.map(({ remember = NOTHING }) => remember)),
    }
  },
}

/**
 * Returns the ways of remembering that all lists have in common. An approval can be remembered only in ways that every
 * rule that asked permits.
 */
export function shared(lists: readonly (readonly Remember[])[]): readonly Remember[] {
  const [first = NOTHING, ...others] = lists
  return first.filter(one => others.every(list => list.includes(one)))
}

/** Applies the guardrails to the arguments. They are deterministic: the same arguments always give the same result. */
export const judgeGuardrails: Step = {
  name: 'guardrails',
  judge(about, { guardrails, confirm }) {
    const hits = guardrails.check(about)
    if (hits.length === 0) return PASS
    const denies = hits.filter(({ effect }) => effect === 'deny')
    if (denies.length > 0)
      return { kind: 'deny', code: 'guardrail_blocked', reasons: denies.map(({ reason }) => reason) }
    // A guardrail asks about what the arguments contain, so nothing covers whatever else a call might contain.
    const remember = confirm.remember.filter(one => one !== 'rule')
    return { kind: 'ask', reasons: hits.map(({ reason }) => reason), channel: confirm.channel, remember }
  },
}

/** Asks according to the call's variant. Read, write and destructive calls each have their own setting. */
export const judgeVariant: Step = {
  name: 'confirmation',
  judge({ tool, scope }, { confirm }) {
    const kind = kindOfVariant(tool.variant)
    const own = scope.confirm?.[kind]
    if ((own ?? confirm[kind]) === 'never') return PASS
    const { channel, remember } = confirm
    const reason = reasonToConfirm(tool, own === undefined ? 'config' : 'token')
    return { kind: 'ask', reasons: [reason], channel, remember }
  },
}
