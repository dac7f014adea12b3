import { describe, expect, it } from 'vitest'
import { explainFew } from './fit-tokens.ts'

const COUNTS = { shown: 0, found: 0, total: 0, filtered: 0, visible: 5, quarantined: 0 }

describe('why little is found', () => {
  it.each([
    ['nothing to say', { shown: 2, found: 2, total: 2 }, undefined],
    ['more behind the limit', { shown: 2, found: 2, total: 9 }, '7 more match; raise limit, or say more.'],
    [
      'more than fits',
      { shown: 1, found: 3, total: 3 },
      '2 more did not fit into max_tokens; raise it, or ask for less.',
    ],
    ['filters', { filtered: 4 }, '4 match, but your filters leave them out. Drop a filter.'],
    [
      'no tools at all',
      { visible: 0 },
      'No tools are there for this token. Ask the operator which servers it may use.',
    ],
    ['quarantine', { visible: 0, quarantined: 3 }, 'All 3 tools wait for review by the operator.'],
    ['other words', {}, 'Nothing matches. Say what the tool should do, in other or fewer words.'],
    [
      'other words, and quarantine',
      { quarantined: 2 },
      'Nothing matches. Say what the tool should do, in other or fewer words. 2 more wait for review.',
    ],
  ])('%s', (_what, counts, expected) => {
    expect(explainFew({ ...COUNTS, ...counts })).toBe(expected)
  })
})
