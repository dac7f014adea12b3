// `npm run test:soak`: many agents in front of many servers, some of them rude, and what became of it.
//   --minutes N   how long (default 5); `npm test` does half a minute
//   --agents N    tokens (default 1000)
//   --servers N   servers (default 200)
//   --visitors N  how many come at the same time (default 32)
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { makeReady, run } from './ready.mjs'

const { values } = parseArgs({
  options: {
    minutes: { type: 'string', default: '5' },
    agents: { type: 'string', default: '1000' },
    servers: { type: 'string', default: '200' },
    visitors: { type: 'string', default: '32' },
  },
})

await makeReady('everything')
const folder = mkdtempSync(join(tmpdir(), 'hintgate-soak-'))
const report = join(folder, 'report.jsonl')
process.once('exit', () => {
  for (const line of existsSync(report) ? readFileSync(report, 'utf8').trim().split('\n') : [])
    for (const [name, value] of Object.entries(JSON.parse(line))) console.log(`  ${name.padEnd(18)} ${value}`)
  rmSync(folder, { recursive: true, force: true })
})

await run(
  'vitest',
  ['run', '--reporter=default', 'test/soak'],
  'something was lost, crossed or left behind: see above',
  {
    env: {
      ...process.env,
      HINTGATE_SOAK_MINUTES: values.minutes,
      HINTGATE_SOAK_AGENTS: values.agents,
      HINTGATE_SOAK_SERVERS: values.servers,
      HINTGATE_SOAK_VISITORS: values.visitors,
      HINTGATE_SOAK_REPORT: report,
    },
  },
)
