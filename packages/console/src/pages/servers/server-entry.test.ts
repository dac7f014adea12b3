import { describe, expect, it } from 'vitest'
import { EMPTY, splitWords, toEntry } from './server-entry.ts'

describe('the form for a server', () => {
  it('becomes an entry with a command and its arguments', () => {
    const draft = {
      ...EMPTY,
      command: 'npx -y \'my server\' --root="/a b"',
      pairs: 'TOKEN=$T=x\nodd line',
    }
    expect(toEntry(draft)).toEqual({
      command: 'npx',
      args: ['-y', 'my server', '--root=/a b'],
      env: { TOKEN: '$T=x' },
      trust: 'reviewed',
    })
  })

  it('becomes an entry with a URL and headers', () => {
    const draft = {
      ...EMPTY,
      kind: 'url' as const,
      url: ' https://a.example/mcp ',
      pairs: 'Authorization: Bearer x:y',
    }
    expect(toEntry(draft)).toEqual({
      url: 'https://a.example/mcp',
      headers: { Authorization: 'Bearer x:y' },
      trust: 'reviewed',
    })
  })

  it('keeps quoted words together and treats nothing else as special', () => {
    expect(splitWords('a "b \\"c\\"" d\\ e $HOME;rm')).toEqual(['a', 'b "c"', 'd e', '$HOME;rm'])
    expect(splitWords('  ')).toEqual([])
  })
})
