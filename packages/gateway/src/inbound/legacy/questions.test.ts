import { describe, expect, it } from 'vitest'
import { MOST_ASKED, MOST_QUESTIONS, TOO_MANY_QUESTIONS } from '../wire/to-client.ts'
import { Questions } from './questions.ts'

const ASK = { method: 'elicitation/create', params: { message: '?' } }
const TIMEOUT_MS = 60_000

/** Creates the questions of a client, and a list of the question ids that were sent to the client. */
function open() {
  const questions = new Questions(TIMEOUT_MS)
  const sent: string[] = []
  const send = (text: string): void => {
    sent.push(JSON.parse(text).id)
  }
  const ask = (call: object, message = '?') => questions.ask({ ...ASK, params: { message } }, { call, send })
  return { questions, sent, ask }
}

describe('the open questions of one call', () => {
  it('are limited in number, and an answer makes room for another', async () => {
    const { questions, sent, ask } = open()
    const call = {}
    const [first] = Array.from({ length: MOST_QUESTIONS }, () => ask(call))
    expect(await ask(call)).toEqual({ error: TOO_MANY_QUESTIONS })
    expect(sent).toHaveLength(MOST_QUESTIONS)
    questions.receive({ jsonrpc: '2.0', id: sent[0] ?? '', result: { action: 'decline' } })
    expect(await first).toEqual({ result: { action: 'decline' } })
    void ask(call)
    expect(sent).toHaveLength(MOST_QUESTIONS + 1)
  })

  it('are limited in total length', async () => {
    const { sent, ask } = open()
    const call = {}
    void ask(call, 'x'.repeat(MOST_ASKED / 2))
    expect(await ask(call, 'x'.repeat(MOST_ASKED / 2))).toEqual({ error: TOO_MANY_QUESTIONS })
    void ask(call)
    expect(sent).toHaveLength(2)
  })

  it('do not count against another call', () => {
    const { sent, ask } = open()
    const [one, another] = [{}, {}]
    for (let n = 0; n < MOST_QUESTIONS; n++) void ask(one)
    void ask(another)
    expect(sent).toHaveLength(MOST_QUESTIONS + 1)
  })

  it('end when their call ends, without affecting the questions of other calls', async () => {
    const { questions, sent, ask } = open()
    const [one, another] = [{}, {}]
    const [asked, left] = [ask(one), ask(another)]
    questions.end(one)
    expect(await asked).toMatchObject({ error: { message: 'the call ended' } })
    questions.receive({ jsonrpc: '2.0', id: sent[1] ?? '', result: {} })
    expect(await left).toEqual({ result: {} })
  })
})

it('have ids that cannot be guessed', () => {
  const [one, another] = [open(), open()]
  for (const { ask } of [one, another]) for (let n = 0; n < 3; n++) void ask({})
  const ids = [...one.sent, ...another.sent]
  expect(new Set(ids).size).toBe(6)
  for (const id of ids) expect(id).toMatch(/^hg-[\da-f-]{36}$/)
})
