import { LinearModel } from '@hintgate/metadata'
import { describe, expect, it } from 'vitest'
import { fitLogistic } from './fit-logistic.ts'
import { calibrate, type LabelledRow, type Lesson, learnTable, UNCALIBRATED } from './learn-table.ts'

interface Row extends LabelledRow {
  readonly label: boolean | undefined
}

const lesson: Lesson<Row> = {
  name: 'good',
  labelOf: ({ label }) => label,
  trustOf: () => 1,
  ridge: 1,
  lasso: 0.1,
  threshold: 0,
  balance: 0,
}

function row(group: string, label: boolean | undefined, ...ids: string[]): Row {
  return { group, label, features: ids.map(id => ({ id, value: 1 })) }
}

const groups = ['a', 'b', 'c', 'd']
const rows = groups.flatMap(group => [
  row(group, true, 'sun', 'day', `only-${group}`),
  row(group, true, 'sun'),
  row(group, false, 'rain', 'day'),
  row(group, undefined, 'rain', 'sun'),
])

describe('learning a table of weights', () => {
  const table = learnTable(rows, [lesson], [UNCALIBRATED])

  it('gives weight to what tells the answers apart and none to what does not', () => {
    expect(table.weights.sun?.[0]).toBeGreaterThan(0.5)
    expect(table.weights.rain?.[0]).toBeLessThan(-0.1)
    const answer = (id: string) => new LinearModel(table).answer([{ id, value: 1, reason: id }])[0]?.value
    expect([answer('sun'), answer('rain')]).toEqual([true, false])
  })

  it('never learns a feature that fewer than three groups have', () => {
    expect(Object.keys(table.weights).filter(id => id.startsWith('only'))).toEqual([])
  })

  it('gives a feature that is not trusted no weight', () => {
    const doubted = learnTable(rows, [{ ...lesson, trustOf: id => (id === 'sun' ? 0 : 1) }], [UNCALIBRATED])
    expect(doubted.weights.sun).toBeUndefined()
  })

  it('gives the same table for the same rows', () => {
    expect(learnTable(rows, [lesson], [UNCALIBRATED])).toEqual(table)
  })
})

describe('fitting', () => {
  it('finds the share of yes when there is nothing else to learn', () => {
    const examples = [true, true, true, false].map(yes => ({ columns: [], values: [], yes, weight: 1 }))
    expect(fitLogistic(examples, 0, { ridge: 1, lasso: 0 }).bias).toBeCloseTo(Math.log(3), 2)
  })

  it('calibrates boastful scores down to how often they are right', () => {
    const scored = Array.from({ length: 100 }, (_, at) => ({ score: 9, yes: at < 75, weight: 1 })).concat(
      Array.from({ length: 100 }, (_, at) => ({ score: -9, yes: at < 25, weight: 1 })),
    )
    const { slope, shift } = calibrate(scored)
    expect(1 / (1 + Math.exp(-(9 * slope + shift)))).toBeCloseTo(0.75, 2)
  })
})
