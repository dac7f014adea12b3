import { describe, expect, it } from 'vitest'
import { endsOf, findId, isOwnAccord } from './find-id.ts'

const LONG = 'x'.repeat(1000)

describe('which request a long message answers', () => {
  it('is found at its beginning or at its end', () => {
    const result = { content: [{ type: 'text', text: LONG }] }
    expect(findId(endsOf(JSON.stringify({ jsonrpc: '2.0', id: 12, result })))).toBe(12)
    expect(findId(endsOf(JSON.stringify({ result, jsonrpc: '2.0', id: 7 })))).toBe(7)
    expect(findId(endsOf(`{ "jsonrpc" : "2.0", "id" : 3 , "error" : {"m":"${LONG}"} }`))).toBe(3)
  })

  it('is nothing that a text in it says', () => {
    const text = `${LONG}},"jsonrpc":"2.0","id":9}`
    expect(findId(endsOf(JSON.stringify({ result: { text } })))).toBeUndefined()
    expect(findId(endsOf(JSON.stringify({ result: { text }, jsonrpc: '2.0', id: 7 })))).toBe(7)
    expect(
      findId(endsOf(JSON.stringify({ method: 'x', params: { text }, jsonrpc: '2.0', id: 7 }))),
    ).toBeUndefined()
  })

  it('is nobody where the server speaks of its own accord', () => {
    for (const message of [
      { jsonrpc: '2.0', method: 'notifications/message', params: { data: LONG } },
      { method: 'notifications/message', params: { data: LONG }, jsonrpc: '2.0' },
      { jsonrpc: '2.0', id: 'a', method: 'sampling/createMessage', params: { data: LONG } },
    ])
      expect(isOwnAccord(endsOf(JSON.stringify(message)))).toBe(true)
    expect(isOwnAccord(endsOf(JSON.stringify({ jsonrpc: '2.0', id: 1, result: { method: LONG } })))).toBe(
      false,
    )
  })
})
