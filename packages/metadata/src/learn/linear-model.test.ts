import { describe, expect, it } from 'vitest'
import { LinearModel, type WeightTable } from './linear-model.ts'

const table: WeightTable = {
  questions: ['first', 'second'],
  bias: [0.5, -1],
  threshold: [1, 0],
  slope: [2, 1],
  shift: [0, 0],
  weights: { a: [1, 2], b: [-0.25, 0], c: [0.01, 0] },
}

describe('a model of learned weights', () => {
  const feature = (id: string, value = 1, reason = id) => ({ id, value, reason })

  it('adds the weights of known features and ignores unknown ones', () => {
    const [first, second] = new LinearModel(table).answer([feature('a'), feature('b', 2), feature('new')])
    expect(first?.score).toBeCloseTo(1)
    expect(second?.score).toBeCloseTo(1)
  })

  it('answers yes only above the threshold, and calibrates the probability independently of it', () => {
    const [first] = new LinearModel(table).answer([feature('a'), feature('b', 2)])
    expect(first?.value).toBe(false)
    expect(first?.chance).toBeCloseTo(1 / (1 + Math.exp(-2)))
  })

  it('orders reasons by weight, and adds up features that share a reason', () => {
    const [first] = new LinearModel(table).answer([
      feature('a', 1, 'word'),
      feature('a', 1, 'verb'),
      feature('b', 4, 'parameter'),
      feature('a', 1, 'verb'),
      feature('c', 1, 'noise'),
    ])
    expect(first?.towards).toEqual([
      ['verb', 2],
      ['word', 1],
    ])
    expect(first?.against).toEqual([['parameter', -1]])
  })
})
