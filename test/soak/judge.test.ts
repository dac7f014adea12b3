import { expect, it } from 'vitest'
import { findGrowth } from './judge.ts'

const early = {
  ...{ rss: 200, heap: 60, external: 20 },
  ...{ timers: 300, emitters: 3000, signals: 10, functions: 70_000 },
}

it('reports no growth for the same amount or slightly more', () => {
  expect(findGrowth(early, early)).toEqual([])
  expect(findGrowth(early, { ...early, rss: 290, heap: 65, timers: 320 })).toEqual([])
  expect(findGrowth(early, { ...early, heap: 20 })).toEqual([])
})

it('reports growth for one leaked object in each of some thousand calls', () => {
  expect(findGrowth(early, { ...early, timers: 3300 })).toEqual(['timers: 300 → 3300'])
  expect(findGrowth(early, { ...early, functions: 75_000, heap: 67 })).toEqual([
    'heap: 60 → 67',
    'functions: 70000 → 75000',
  ])
  for (const kind of ['rss', 'external', 'emitters', 'signals'] as const)
    expect(findGrowth(early, { ...early, [kind]: early[kind] * 2 + 100 })).toHaveLength(1)
})
