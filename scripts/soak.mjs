// `npm run test:soak`: runs many agents, some of them misbehaving, against many servers for a while.
//   --minutes N   duration (default 5, as in `npm test`)
//   --rate N      visits per second (default 40: a fraction of one core)
//   --agents N    number of tokens (default 1000)
//   --servers N   number of servers (default 200)
//   --at-once N   most concurrent visits (default 250); further ones are skipped and counted
//   --seed N      seed for the visits and their order (default 1)
//   --leak WHAT   memory, timers or listeners: makes the gateway leak at every request, so that the run must fail
//   --docs        writes the figures to docs/security/testing.md after a successful run
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { writeSoakFigures } from './docs/soak.mjs'
import { readOptions } from './read-options.mjs'
import { makeReady, run } from './ready.mjs'

const text = value => ({ type: 'string', default: value })
const values = readOptions(import.meta.url, {
  ...{ minutes: text('5'), rate: text('40'), agents: text('1000'), servers: text('200') },
  ...{ 'at-once': text('250'), seed: text('1'), leak: text(''), docs: { type: 'boolean', default: false } },
})

await makeReady('everything')
const folder = mkdtempSync(join(tmpdir(), 'hintgate-soak-'))
process.once('exit', () => rmSync(folder, { recursive: true, force: true }))
process.once('SIGTERM', () => process.exit(1))
const report = join(folder, 'report.json')

await run(
  'vitest',
  ['run', '--bail=1', '--reporter=default', '--disableConsoleIntercept', 'test/soak/soak.test.ts'],
  'calls were lost or mixed up, or resources leaked: see above',
  {
    env: {
      ...process.env,
      HINTGATE_QUICK: '',
      HINTGATE_SOAK_MINUTES: values.minutes,
      HINTGATE_SOAK_RATE: values.rate,
      HINTGATE_SOAK_AGENTS: values.agents,
      HINTGATE_SOAK_SERVERS: values.servers,
      HINTGATE_SOAK_AT_ONCE: values['at-once'],
      HINTGATE_SOAK_SEED: values.seed,
      HINTGATE_SOAK_LEAK: values.leak,
      HINTGATE_SOAK_REPORT: report,
    },
  },
)
const figures = JSON.parse(readFileSync(report, 'utf8'))
if (values.docs) writeSoakFigures(figures, `npm run test:soak -- ${process.argv.slice(2).join(' ')}`)
console.log(
  `soak: ${figures['minutes of load']} minutes, ${figures.answered} calls answered, none lost or mixed up, no leaks; ` +
    `p99 ${figures['p99 ms']} ms, heap ${figures['heap MB, early → end']} MB`,
)
