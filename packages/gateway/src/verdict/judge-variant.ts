import type { CallVariant } from '@hintgate/metadata'
import { PASS, type Step } from './step.ts'

const KINDS: Readonly<Record<CallVariant, 'read' | 'write' | 'destructive'>> = {
  call_tool_read: 'read',
  call_tool_write: 'write',
  call_tool_destructive: 'destructive',
}

/** Graduated confirmation: the more a call can do, the sooner a person is asked. */
export const judgeVariant: Step = {
  name: 'confirmation',
  judge({ tool, scope }, { confirm }) {
    const kind = KINDS[tool.variant]
    const own = scope.confirm?.[kind]
    if ((own ?? confirm[kind]) === 'never') return PASS
    const { destructive, readOnly } = tool.effective
    const { source } = kind === 'destructive' ? destructive : readOnly
    const { channel, remember } = confirm
    const rule = `confirm.${kind}`
    const text = `${kind} calls ask a person first; that this is one is ${SAID[source]}`
    return {
      kind: 'ask',
      reasons: [{ rule, source: own === undefined ? 'config' : 'token', text }],
      channel,
      remember,
    }
  },
}

const SAID = {
  declared: 'declared by the server',
  inferred: 'inferred from its definition',
  override: 'set by the operator',
  default: 'assumed, because nobody says otherwise',
} as const
