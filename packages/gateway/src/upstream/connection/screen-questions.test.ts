import { expect, it } from 'vitest'
import type { Json } from '../../protocol/messages.ts'
import { screenQuestions } from './screen-questions.ts'

const asking = (result: Json) => ({ kind: 'answer', message: { jsonrpc: '2.0', id: 1, result } }) as const
const ask = (message: string) => ({ method: 'elicitation/create', params: { message } })
const found = { 'io.hintgate/taint': { findings: ['an order'] } }

it('says what was found with each question, beside what else is said there', async () => {
  const own = { 'com.example/own': 1 }
  const inputRequests = { a: { ...ask('x'), params: { message: 'x', _meta: own } }, b: ask('y'), c: 'odd' }
  const screen = { asked: (said: Json) => ({ ...said, _meta: found }) }
  const { message } = await screenQuestions(asking({ inputRequests, _meta: own }), screen)
  expect(message.result).toEqual({
    inputRequests: {
      a: { ...ask('x'), params: { message: 'x', _meta: { ...own, ...found } } },
      b: { ...ask('y'), params: { message: 'y', _meta: found } },
      c: 'odd',
    },
    _meta: { ...own, ...found },
  })
})

it('leaves questions alone in which nothing was found', async () => {
  const reply = asking({ inputRequests: { a: ask('x') } })
  expect(await screenQuestions(reply, { asked: said => said })).toBe(reply)
})
