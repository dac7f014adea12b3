// Starts what stands behind it as a child of its own, as npx and shells do, and says which processes there are.
//   node launcher.mjs --report PORT:FILE --name NAME -- ARGS of stdio.mjs. No dependencies.
import { spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { createReporter } from './report.mjs'

const [, , ...args] = process.argv
const cut = args.indexOf('--')
const value = flag => args[args.indexOf(flag) + 1]
const report = createReporter(value('--report'), value('--name'), () => {})
const server = fileURLToPath(new URL('stdio.mjs', import.meta.url))
const child = spawn(process.execPath, [server, ...args.slice(cut + 1)], { stdio: 'inherit' })
// One that has nothing to do with the pipe, and does not go when it is asked to.
const stubborn = spawn(
  process.execPath,
  ['-e', 'process.on("SIGTERM", () => {}); setInterval(() => {}, 1000)'],
  {
    stdio: 'ignore',
  },
)
report('hanging', { args: { pids: [process.pid, child.pid, stubborn.pid] } })
setInterval(() => {}, 1000)
