import { mayCall } from '../tokens/match-scope.ts'
import type { Classified } from './classify.ts'
import type { Refusal } from './outcome.ts'

export type Verdict = { readonly kind: 'allow' } | { readonly kind: 'deny'; readonly refusal: Refusal }

/** Allow or deny. So far the scope of the token decides; policies, guardrails and session risk join in here. */
export function decide(classified: Classified): Verdict {
  const { scope } = classified.call.exchange.caller.principal
  return mayCall(scope, classified.variant)
    ? { kind: 'allow' }
    : { kind: 'deny', refusal: denied(classified) }
}

function denied({ call, tool, variant }: Classified): Refusal {
  const { destructive, readOnly } = tool.assessment.effective
  const [name, { source }] =
    variant === 'call_tool_destructive' ? ['destructive', destructive] : ['read-only', readOnly]
  return {
    code: 'permission_denied',
    message: `This token may not use ${variant}, which ${JSON.stringify(call.typed)} needs.`,
    tool: call.typed,
    variant,
    verdict: 'deny',
    reasons: [{ rule: 'scope.permissions', source: 'token', text: `the tool's ${name} hint is ${source}` }],
    remedy: `Ask for a token with the permission ${variant}.`,
  }
}
