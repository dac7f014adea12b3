// `npm run test:soak`: many agents in front of many servers, some of them rude, and what became of it.
//   --minutes N   how long (default 5, as `npm test` does it)
//   --rate N      visits a second (default 40: some tenths of one core)
//   --agents N    tokens (default 1000)
//   --servers N   servers (default 200)
//   --at-once N   visits under way at most (default 250); what is due beyond that is left out, and counted
//   --seed N      other visits in another order (default 1)
//   --leak WHAT   memory, timers or listeners: the gateway forgets something at every request, and the run has to fail
//   --docs        puts the figures on docs/security/testing.md if all went well
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
  'something was lost, crossed or left behind: see above',
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
  `soak: ${figures['minutes of load']} minutes, ${figures.answered} calls answered, none lost, none crossed, nothing left ` +
    `behind; p99 ${figures['p99 ms']} ms, heap ${figures['heap MB, early → end']} MB`,
)
