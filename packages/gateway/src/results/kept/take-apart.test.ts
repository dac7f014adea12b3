import { describe, expect, it } from 'vitest'
import { writeJson } from '../../protocol/parse-json.ts'
import { keepPages } from '../test-support/page-kept.ts'
import { layOut } from './lay-out.ts'
import { findLong } from './measure-json.ts'
import { splitIntoRuns } from './stored-result.ts'
import { takeApart } from './take-apart.ts'

const CHARS = 2000
const texts = (count: number) => Array.from({ length: count }, (_, at) => `${at}`.padEnd(2100, 'y'))

function nest(value: unknown, keys: readonly string[]): unknown {
  return keys.reduceRight((inner, key) => ({ [key]: inner }), value)
}

/** Returns by how much the stored size of a result exceeds the size of the result itself. */
function keptOf(structuredContent: unknown) {
  const result = { content: [], structuredContent }
  const { stored, runs } = splitIntoRuns(layOut(result, CHARS).pieces, CHARS)
  return { parts: stored.pieces.map(({ part }) => part), chars: writeJson({ stored, runs }).length, result }
}

describe('a value split into pieces', () => {
  it('has its long values as pieces, each with its pointer', () => {
    const pieces = takeApart({ a: texts(2), b: 1 }, '/x', CHARS)
    expect(pieces.map(({ part }) => part)).toEqual(['/x', '/x/a/0', '/x/a/1'])
  })

  it.each([
    ['one long key', ['~'.repeat(60_000)]],
    ['long keys', ['/'.repeat(20_000), '\u0001'.repeat(20_000), 'a'.repeat(20_000)]],
    ['many keys', Array.from({ length: 150 }, () => 'k'.repeat(400))],
    ['keys just below the limit', ['k'.repeat(100), 'k'.repeat(80)]],
  ])('takes little more than its own length under %s', (_, keys) => {
    const { parts, chars, result } = keptOf(nest(texts(30), keys))
    expect(Math.max(...parts.map(part => part.length))).toBeLessThanOrEqual(CHARS / 8)
    expect(parts.join('').length).toBeLessThan(writeJson(result).length / 2)
    expect(chars).toBeLessThan(writeJson(result).length * 2)
  })

  it('is not split where no pointer can address its content', () => {
    const value = { ['k'.repeat(300)]: texts(3), short: 1 }
    const [own, ...others] = takeApart(value, '/x', CHARS)
    expect(own).toMatchObject({ unit: 'members', entries: Object.entries(value) })
    expect(others).toEqual([])
    const pages = keepPages({ ['k'.repeat(300)]: texts(3) }, CHARS, 'res_AAAAAAAAAAAAAAAAAAAAAA')
    expect(pages.pieces.map(({ part }) => part)).toEqual([''])
  })

  it('is traversed only a few times, however deeply it is nested', () => {
    let listed = 0
    const members = Object.fromEntries(Array.from({ length: 3000 }, (_, at) => [`k${at}`, at]))
    const wide = new Proxy(members, {
      ownKeys(target) {
        listed += 1
        return Reflect.ownKeys(target)
      },
    })
    const [own, inner] = takeApart(
      nest(
        wide,
        Array.from({ length: 100 }, () => 'a'),
      ),
      '/x',
      CHARS,
    )
    expect(own.part).toBe('/x')
    expect(inner).toMatchObject({ part: `/x${'/a'.repeat(100)}`, unit: 'members' })
    expect(listed).toBeLessThanOrEqual(3)
  })

  it('takes little longer than measuring, with any number of short items', () => {
    const value = { items: Array.from({ length: 1_000_000 }, () => 1) }
    /** Returns the shortest CPU time of five tries. Elapsed time would depend on other processes. */
    const fastest = (work: () => unknown): number => {
      const tries = Array.from({ length: 5 }, () => {
        const before = process.cpuUsage()
        work()
        return process.cpuUsage(before).user
      })
      return Math.min(...tries)
    }
    const measuring = fastest(() => findLong(value, CHARS))
    // The measured factor is 3. When every item had its own object, it was 8.
    expect(fastest(() => takeApart(value, '/x', CHARS))).toBeLessThan(6 * measuring)
  })
})
