import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { describeScale } from './describe-scale.ts'
import { estimate } from './model.ts'
import { putIntoPage } from './put-into-page.ts'
import { simulateCommits } from './simulate-commits.ts'
import { readUnitCosts } from './unit-costs.ts'

const costs = readUnitCosts()

describe('docs/scale.md', () => {
  it('has the tables that the simulation computes from the measurements', () => {
    const page = readFileSync(new URL('../../../docs/scale.md', import.meta.url), 'utf8')
    expect(page).toBe(putIntoPage(page, describeScale(costs)))
  })
})

describe('the simulated audit log', () => {
  const usual = { commitMs: 3, serverMs: 50, seconds: 20 }

  it('writes one row for a read, and two for any other call', () => {
    const { rowsPerSecond } = simulateCommits({ ...usual, callsPerSecond: 100 })
    expect(rowsPerSecond).toBeGreaterThan(120)
    expect(rowsPerSecond).toBeLessThan(140)
  })

  it('shares more commits under higher load', () => {
    const rowsIn = (callsPerSecond: number): number => {
      const { batchesPerSecond, rowsPerSecond } = simulateCommits({ ...usual, callsPerSecond })
      return rowsPerSecond / batchesPerSecond
    }
    expect(rowsIn(1)).toBeLessThan(1.2)
    expect(rowsIn(200)).toBeGreaterThan(rowsIn(20))
    expect(rowsIn(2000)).toBeGreaterThan(4)
  })

  it('makes no more commits than a sequential writer can', () => {
    expect(simulateCommits({ ...usual, callsPerSecond: 5000 }).batchesPerSecond).toBeLessThanOrEqual(
      (1000 / 3) * 1.01,
    )
  })
})

describe('the estimate', () => {
  it('grows linearly with the replicas, and quadratically for changes that all replicas receive', () => {
    const [ten, hundred] = [estimate(10, 20, costs), estimate(100, 20, costs)]
    expect(hundred.connections).toBe(10 * ten.connections)
    expect(hundred.batches).toBeCloseTo(10 * ten.batches)
    expect(hundred.deliveries / ten.deliveries).toBeGreaterThan(50)
  })

  it('counts every transaction once', () => {
    const { transactions, batches, lookups, writes, polls, refreshes } = estimate(10, 20, costs)
    expect(transactions).toBeCloseTo(batches + lookups + writes + polls + refreshes)
  })
})
