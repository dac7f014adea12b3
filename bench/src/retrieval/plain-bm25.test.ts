import { expect, it } from 'vitest'
import { indexPlainBm25, indexStemmedBm25 } from './plain-bm25.ts'

const tool = (id: string, description: string) => ({
  id,
  server: '',
  name: id,
  title: '',
  description,
  inputSchema: undefined,
  domains: [],
  tags: [],
})

it('ranks the rarer word first and uses no stemming', () => {
  const rank = indexPlainBm25([
    tool('a', 'reads mail'),
    tool('b', 'reads files'),
    tool('c', 'reads mail files'),
  ])
  expect(rank('mail', 10)).toEqual(['a', 'c'])
  expect(rank('mails', 10)).toEqual([])
  expect(rank('mail files', 1)).toEqual(['c'])
})

it('stems, splits identifiers and reads parameters in the stronger baseline', () => {
  const inputSchema = { properties: { recipientName: { description: 'Whom to greet' } } }
  const rank = indexStemmedBm25([{ ...tool('a', 'reads the mails'), inputSchema }, tool('b', 'reads files')])
  expect(rank('mailing', 10)).toEqual(['a'])
  expect(rank('recipient', 10)).toEqual(['a'])
  expect(rank('greeting', 10)).toEqual(['a'])
  expect(rank('the', 10)).toEqual([])
})
