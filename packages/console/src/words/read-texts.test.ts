import { describe, expect, it } from 'vitest'
import { readTexts } from './read-texts.ts'

const definition = {
  name: 'send',
  description: 'Sends.',
  inputSchema: {
    properties: { 'a/b': { type: 'string', description: 'To whom.' }, odd_name: { enum: ['x'] } },
  },
}

describe('the texts of a definition', () => {
  it('are those that a model reads, with their pointers', () => {
    expect(readTexts(definition, [])).toEqual([
      { pointer: '/description', text: 'Sends.' },
      { pointer: '/inputSchema/properties/a~1b/description', text: 'To whom.' },
    ])
  })

  it('include values and names with findings', () => {
    const pointers = ['/inputSchema/properties/odd_name/enum/0', '/inputSchema/properties/odd_name', '/name']
    expect(readTexts(definition, pointers).slice(2)).toEqual([
      { pointer: '/inputSchema/properties/odd_name/enum/0', text: 'x' },
      { pointer: '/inputSchema/properties/odd_name', text: 'odd_name' },
      { pointer: '/name', text: 'send' },
    ])
  })
})
