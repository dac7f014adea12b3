// Starts the command in its arguments as a child, like npx and shells, and reports the processes. node launcher.mjs
// --report PORT:FILE --name NAME -- ARGS of stdio.mjs. No dependencies.
import { spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { createReporter } from './report.mjs'

const [, , ...args] = process.argv
const cut = args.indexOf('--')
const value = flag => args[args.indexOf(flag) + 1]
const report = createReporter(value('--report'), value('--name'), () => {})
const server = fileURLToPath(new URL('stdio.mjs', import.meta.url))
const child = spawn(process.execPath, [server, ...args.slice(cut + 1)], { stdio: 'inherit' })
// A process that does not use the pipe and ignores requests to end.
const stubborn = spawn(
  process.execPath,
  ['-e', 'process.on("SIGTERM", () => {}); setInterval(() => {}, 1000)'],
  {
    stdio: 'ignore',
  },
)
report('hanging', { args: { pids: [process.pid, child.pid, stubborn.pid] } })
setInterval(() => {}, 1000)
