import { describe, expect, it } from 'vitest'
import { endsOf, findId, isServerInitiated } from './find-id.ts'

const LONG = 'x'.repeat(1000)

describe('the id that a long message answers', () => {
  it('is found at the beginning or the end of the message', () => {
    const result = { content: [{ type: 'text', text: LONG }] }
    expect(findId(endsOf(JSON.stringify({ jsonrpc: '2.0', id: 12, result })))).toBe(12)
    expect(findId(endsOf(JSON.stringify({ result, jsonrpc: '2.0', id: 7 })))).toBe(7)
    expect(findId(endsOf(`{ "jsonrpc" : "2.0", "id" : 3 , "error" : {"m":"${LONG}"} }`))).toBe(3)
  })

  it('is not taken from a text in the message', () => {
    const text = `${LONG}},"jsonrpc":"2.0","id":9}`
    expect(findId(endsOf(JSON.stringify({ result: { text } })))).toBeUndefined()
    expect(findId(endsOf(JSON.stringify({ result: { text }, jsonrpc: '2.0', id: 7 })))).toBe(7)
    expect(
      findId(endsOf(JSON.stringify({ method: 'x', params: { text }, jsonrpc: '2.0', id: 7 }))),
    ).toBeUndefined()
  })

  it('is absent if the message is a notification or a question', () => {
    for (const message of [
      { jsonrpc: '2.0', method: 'notifications/message', params: { data: LONG } },
      { method: 'notifications/message', params: { data: LONG }, jsonrpc: '2.0' },
      { jsonrpc: '2.0', id: 'a', method: 'sampling/createMessage', params: { data: LONG } },
    ])
      expect(isServerInitiated(endsOf(JSON.stringify(message)))).toBe(true)
    expect(
      isServerInitiated(endsOf(JSON.stringify({ jsonrpc: '2.0', id: 1, result: { method: LONG } }))),
    ).toBe(false)
  })
})
