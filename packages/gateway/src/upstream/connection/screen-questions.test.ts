import { expect, it } from 'vitest'
import type { Json } from '../../protocol/messages.ts'
import { screenQuestions } from './screen-questions.ts'

const asking = (result: Json) => ({ kind: 'answer', message: { jsonrpc: '2.0', id: 1, result } }) as const
const ask = (message: string) => ({ method: 'elicitation/create', params: { message } })
const found = { 'io.hintgate/taint': { findings: ['an order'] } }

it('adds the findings to each question, next to its own metadata', async () => {
  const own = { 'com.example/own': 1 }
  const inputRequests = { a: { ...ask('x'), params: { message: 'x', _meta: own } }, b: ask('y'), c: 'odd' }
  const screen = { checkQuestion: (said: Json) => ({ ...said, _meta: found }) }
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

it('leaves questions without findings unchanged', async () => {
  const reply = asking({ inputRequests: { a: ask('x') } })
  expect(await screenQuestions(reply, { checkQuestion: params => params })).toBe(reply)
})
