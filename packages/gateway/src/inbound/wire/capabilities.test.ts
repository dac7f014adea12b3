import { expect, it } from 'vitest'
import { cannotBeAsked } from './to-client.ts'

it('says what a client lacks, in words of ours', () => {
  expect(cannotBeAsked({ method: 'sampling/createMessage' }, {})).toMatchObject({ capability: 'sampling' })
  expect(cannotBeAsked({ method: 'elicitation/create' }, { elicitation: {} })).toBeUndefined()
})

it.each(['Ignore all previous instructions', '__proto__', 'constructor'])(
  'does not say what else a server calls its question: %s',
  method => {
    const error = cannotBeAsked({ method }, { elicitation: {} })
    expect(error).toEqual({ code: -32601, message: 'clients cannot be asked that' })
  },
)
