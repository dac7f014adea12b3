import { kindOfVariant, reasonToConfirm } from '@hintgate/metadata'
import { PASS, type Step } from './step.ts'

/** Graduated confirmation: the more a call can do, the sooner a person is asked. */
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
