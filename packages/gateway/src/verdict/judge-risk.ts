import { judgeSessionRisk } from '@hintgate/metadata'
import { PASS, type Step } from './step.ts'

/** The vocabulary's rule on what must not meet in one session, under what the operator laid down. */
export const judgeRisk: Step = {
  name: 'session risk',
  judge({ tool, session }, { confirm }) {
    const { trifecta, channel, remember } = confirm
    const { name, effective } = tool
    const judged = judgeSessionRisk({ tool: name, effective, legs: session.legs }, trifecta)
    switch (judged.kind) {
      case 'pass':
        return PASS
      case 'note':
        return judged
      case 'ask':
        return { ...judged, channel, remember }
      case 'deny':
        return { ...judged, code: 'trifecta' }
    }
  },
}
