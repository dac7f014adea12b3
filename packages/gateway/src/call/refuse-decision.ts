import { stricterVariant } from '@hintgate/metadata'
import type { Classified } from '../exchange/classified.ts'
import type { Refusal } from '../exchange/outcome.ts'
import type { Decision } from '../policy/decide.ts'

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
      `${name} would bring private data, untrusted content and a way out together in one session.`,
      'Do without this step, or ask the operator, who sees what was touched with: hintgate sessions list.',
    ],
  }
  const [message, remedy] = words[code]
  return { code, message, tool: call.typed, variant, verdict: 'deny', reasons, remedy }
}

function neededFor({ call, variant }: Pick<Classified, 'call' | 'variant'>): string {
  return call.claim === undefined ? variant : stricterVariant(call.claim.variant, variant)
}
