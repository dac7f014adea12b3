// `node scripts/simulate.mjs`: the capacity of one node and of a shared database, computed from unit costs.
import { readFileSync, writeFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { describeScale } from './describe-scale.ts'
import { putIntoPage } from './put-into-page.ts'
import { readUnitCosts } from './unit-costs.ts'

const USAGE = `Usage: node scripts/simulate.mjs [options]

  --measure   measure anew what single things cost, and keep it (a few minutes; starts a PostgreSQL)
  --write     put the tables into docs/scale.md

Example: node scripts/simulate.mjs --measure --write`

const PAGE = new URL('../../../docs/scale.md', import.meta.url)

const { values } = parseArgs({
  options: {
    measure: { type: 'boolean', default: false },
    write: { type: 'boolean', default: false },
    help: { type: 'boolean', short: 'h', default: false },
  },
})

if (values.help) console.log(USAGE)
else {
  if (values.measure) await (await import('./measure.ts')).measureUnitCosts()
  const tables = describeScale(readUnitCosts())
  console.log(tables)
  if (values.write) writeFileSync(PAGE, putIntoPage(readFileSync(PAGE, 'utf8'), tables))
}
