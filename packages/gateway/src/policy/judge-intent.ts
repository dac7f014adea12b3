import type { CallVariant } from '@hintgate/metadata'
import { type Comparison, compareClaim } from './facts/intent.ts'
import { PASS, type Step } from './step.ts'

/** Whether the call says of itself what its tool does. Who claims less is refused; who claims more only hears of it. */
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
    text: `the tool has to be called with ${variant}, but ${claim}`,
  }
}

function noteOf({ kind, claimed, by }: Mismatch, variant: CallVariant): string {
  const claim = by === 'variant' ? claimed : `the intent ${nameOf(claimed)}`
  return `is to be called with ${variant}; ${claim} says ${kind} than it does.`
}

function nameOf(variant: CallVariant): string {
  return variant.slice('call_tool_'.length)
}
