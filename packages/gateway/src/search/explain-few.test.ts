import { describe, expect, it } from 'vitest'
import { explainFew } from './fit-tokens.ts'

const COUNTS = { shown: 0, found: 0, total: 0, filtered: 0, visible: 5, quarantined: 0 }

describe('the hint when few tools are found', () => {
  it.each([
    ['nothing to add', { shown: 2, found: 2, total: 2 }, undefined],
    [
      'more beyond the limit',
      { shown: 2, found: 2, total: 9 },
      '7 more tools match. Raise limit or make the query more specific.',
    ],
    [
      'more than fits',
      { shown: 1, found: 3, total: 3 },
      '2 more tools match. Raise max_tokens to see more, or request less detail.',
    ],
    ['filters', { filtered: 4 }, '4 tools match the query but not the filters. Remove a filter.'],
    [
      'no tools at all',
      { visible: 0 },
      'This token has no tools. Ask the operator which servers it can use.',
    ],
    ['quarantine', { visible: 0, quarantined: 3 }, 'All 3 tools wait for review by the operator.'],
    ['other words', {}, 'Nothing matches. Describe what the tool should do in different or fewer words.'],
    [
      'other words, and quarantine',
      { quarantined: 2 },
      'Nothing matches. Describe what the tool should do in different or fewer words. 2 more tools wait for review.',
    ],
  ])('%s', (_what, counts, expected) => {
    expect(explainFew({ ...COUNTS, ...counts })).toBe(expected)
  })
})
