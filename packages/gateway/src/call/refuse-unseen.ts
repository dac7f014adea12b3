import { tooMuchToShow } from '../approvals/shorten.ts'
import type { Classified } from '../exchange/classified.ts'
import type { Outcome } from '../exchange/outcome.ts'

/** A yes to what nobody can be shown is worth nothing, so nobody is asked for one. */
export function refuseUnseen({ call, variant }: Classified): Outcome | undefined {
  const tooMuch = tooMuchToShow(call.params)
  if (tooMuch === undefined) return undefined
  const { characters, most } = tooMuch
  const text = `it is too much to be shown to the person who has to allow it: ${characters} characters, and ${most} can be shown`
  return {
    kind: 'refused',
    refusal: {
      code: 'invalid_arguments',
      message: `The call of ${JSON.stringify(call.typed)}: ${text}.`,
      tool: call.typed,
      variant,
      verdict: 'deny',
      reasons: [{ rule: 'confirm.too_long', source: 'gateway', text }],
      remedy:
        'Nothing was executed. Send less at once; or the operator spares this agent the question, with `confirm` in the config or of its token.',
      field: '',
    },
  }
}
