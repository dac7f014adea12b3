import { writeFileSync } from 'node:fs'
import { cpus, loadavg, release } from 'node:os'
import { stopEverything } from '../performance/start-process.ts'
import { measureDatabase } from './measure-database.ts'
import { measureNode } from './measure-node.ts'
import { UNIT_COSTS_FILE, type UnitCosts } from './unit-costs.ts'

/** Measures unit costs on this machine and saves them for the model. */
export async function measureUnitCosts(): Promise<void> {
  try {
    const costs: UnitCosts = {
      measuredAt: new Date().toISOString().slice(0, 16).replace('T', ' '),
      machine: `${cpus().length} cores (${cpus()[0]?.model.trim()}, Linux ${release().split('-')[0]}), Node ${process.versions.node}`,
      // Other work on the same cores makes everything more expensive: cold caches, and fewer shared commits.
      loadBefore: Math.round((loadavg()[0] ?? 0) * 10) / 10,
      node: mapRounded(await measureNode()),
      database: mapRounded(await measureDatabase()),
    }
    writeFileSync(UNIT_COSTS_FILE, `${JSON.stringify(costs, null, 2)}\n`)
  } finally {
    await stopEverything()
  }
}

/** More digits than a tenth are noise. */
function mapRounded<T extends object>(costs: T): T {
  const entries = Object.entries(costs).map(([name, value]) => [name, Math.round(Number(value) * 10) / 10])
  return Object.fromEntries(entries) as T
}
