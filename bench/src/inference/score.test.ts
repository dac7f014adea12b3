import { describe, expect, it } from 'vitest'
import { readTool } from './load-tools.ts'
import { findMajority, mean, type Sample, scoreSamples } from './score.ts'

function samples(vendor: string, pairs: string): Sample[] {
  return pairs.split(' ').map(pair => ({ vendor, truth: pair[0] ?? '', guess: pair[1] ?? '' }))
}

describe('scoreSamples', () => {
  // large: 3 of 4 right. small: 0 of 1 right.
  const score = scoreSamples([...samples('large', 'aa aa bb ab'), ...samples('small', 'ba')], ['a', 'b'])

  it('counts each tool once in the micro figure and each vendor once in the mean', () => {
    expect(score.micro).toBeCloseTo(3 / 5)
    expect(score.meanOverVendors).toBeCloseTo((3 / 4 + 0) / 2)
    expect(score.perVendor.large).toMatchObject({ tools: 4, accuracy: 0.75 })
  })

  it('fills the confusion table with truth in rows', () => {
    expect(score.confusion).toEqual({ a: { a: 2, b: 1 }, b: { a: 1, b: 1 } })
  })

  it('takes macro-F1 as the mean of the classes', () => {
    // a: precision 2/3, recall 2/3, F1 2/3. b: precision 1/2, recall 1/2, F1 1/2.
    expect(score.classes.map(({ f1 }) => f1)).toEqual([2 / 3, 1 / 2])
    expect(score.macroF1).toBeCloseTo((2 / 3 + 1 / 2) / 2)
  })

  it('omits a class that neither occurs nor is guessed', () => {
    expect(scoreSamples(samples('v', 'aa aa'), ['a', 'b']).macroF1).toBe(1)
  })

  it('gives no score for no samples, instead of zero', () => {
    expect(scoreSamples([], ['a', 'b']).micro).toBeNaN()
    expect(mean([])).toBeNaN()
  })

  it('finds the majority class', () => {
    expect(findMajority(samples('v', 'aa ba bb'))).toBe('b')
    expect(findMajority([])).toBe('')
  })
})

describe('reading an annotated tool', () => {
  it('hides the annotations from the definition', () => {
    const tool = readTool({
      vendor: 'v',
      server: 's',
      name: 'n',
      description: 'd',
      annotations: { readOnlyHint: true },
    })
    expect(tool?.definition).toEqual({ name: 'n', description: 'd' })
    expect(tool?.authored).toEqual({ readOnly: true })
  })

  it('does not accept "yes" or an absent hint as a label', () => {
    expect(readTool({ name: 'n', annotations: { readOnlyHint: 'yes' } })?.authored).toEqual({})
    expect(readTool({ description: 'nameless' })).toBeUndefined()
  })
})
