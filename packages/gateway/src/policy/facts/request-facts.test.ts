import { expect, it } from 'vitest'
import type { Json } from '../../protocol/messages.ts'
import { thingsOf } from './request-facts.ts'

const namesIn = (uri: string, more: Json): readonly string[] =>
  thingsOf('completion/complete', { ref: { type: 'ref/resource', uri }, ...more }).map(({ name }) => name)

it.each([
  ['file:///{+path}', { argument: { name: 'path', value: 'etc/' } }, 'file:///etc/'],
  [
    'db://{host}/{table}',
    { argument: { name: 'table', value: 'u' }, context: { arguments: { host: 'main' } } },
    'db://main/u',
  ],
  [
    'db:/{/a,b*}{?q:3}',
    { argument: { name: 'q', value: 'x' }, context: { arguments: { b: 'y' } } },
    'db://y?q=x',
  ],
])('a completion is for the template %s, and for what its values make of it', (template, more, expanded) => {
  expect(namesIn(template, more)).toEqual([template, expanded])
})

it('a completion without usable values is for its template alone', () => {
  const argument = { name: 'other', value: 'x' }
  expect(namesIn('a://{b}', { argument })).toEqual(['a://{b}'])
  expect(namesIn('a://{b}', { argument: { name: 'b', value: 7 }, context: 'x' })).toEqual(['a://{b}'])
})
