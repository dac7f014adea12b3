import { stricterVariant } from '@hintgate/metadata'
import { mayCall } from '../scope/match-scope.ts'
import { PASS, type Step } from './step.ts'

/** Whether the token may be used for this kind of call. */
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
