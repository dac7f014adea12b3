// biome-ignore-all lint/suspicious/noTemplateCurlyInString: references are what these tests are about
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type Piece, readPieces } from './read-server.ts'
import { translateServer } from './translate-server.ts'

const AROUND = { homeDir: '/home/ada' }
const REFERENCE = /\$\{(?:env|file):[^}]*\}/g

/** Translates a server that has the first text in every field, and the other texts as arguments. */
function translate(...texts: readonly string[]) {
  let count = 0
  const place = (name: string) => {
    count += 1
    return { file: name, reference: `\${file:secret-${count}}` }
  }
  const pieces = texts.map((text): readonly Piece[] => readPieces(text, 'shell', AROUND))
  const [url = [], ...args] = pieces
  const read = { url, args, command: url, cwd: url, env: { A: url }, headers: { Accept: url } }
  const { server, secrets } = translateServer(
    { ...read, isSse: false, isDisabled: false, left: [] },
    { name: 'docs', env: { SET: 'x' }, secretFile: place },
  )
  return { server, secrets }
}

describe('a server of a client', () => {
  it('cannot forge a reference to a file', () => {
    for (const text of ['$${X:-{file:~/.ssh/id}}', '${X:-$}{file:~/.ssh/id}', '${file:~/.ssh/id}']) {
      const { server, secrets } = translate(`https://x.example/${text}`)
      expect(server, text).toMatchObject({ url: '${file:secret-3}', env: { A: '${file:secret-4}' } })
      for (const { value } of secrets) expect(value).toBe('https://x.example/${file:~/.ssh/id}')
    }
  })

  it('keeps its variables and the text around them', () => {
    expect(translate('https://${SET}/${X:-eu}/mcp').server).toMatchObject({
      url: 'https://${env:SET}/eu/mcp',
    })
    expect(translate('Bearer ${X:-a}${SET}').server).toMatchObject({ url: 'Bearer a${env:SET}' })
  })

  it('does not mistake inherited members of an object for variables', () => {
    expect(translate('${toString:-a}/${constructor:-b}/${__proto__:-c}').server).toMatchObject({
      url: 'a/b/c',
    })
  })

  it('has only references to its variables and its stored secrets', () => {
    const part = fc.constantFrom(
      '$',
      '{',
      '}',
      'file:',
      'env:',
      '${X:-',
      '${SET}',
      '${',
      '/etc/x',
      'PATH',
      ' ',
    )
    const text = fc.array(part, { maxLength: 12 }).map(parts => parts.join(''))
    fc.assert(
      fc.property(fc.array(text, { maxLength: 3 }), texts => {
        for (const [reference] of JSON.stringify(translate(...texts).server).matchAll(REFERENCE))
          expect(reference).toMatch(/^\$\{(?:env:SET|file:secret-\d+)\}$/)
      }),
    )
  })
})
