// The bench's server over stdio: node bench/dist/performance/upstream-stdio.js [ERA] [TOOLS] [CHANGES A MINUTE]
// Positional arguments, because some proxies parse options out of a server's command line.
import { createAnswerer } from './answers.ts'
import { splitLines } from './split-lines.ts'

const [era, tools = '10', changes = '0'] = process.argv.slice(2)
const answer = createAnswerer(era === 'legacy' ? 'legacy' : 'modern', Number(tools))

const feed = splitLines(line => {
  const found = answer(line.toString())
  if (found !== undefined) process.stdout.write(`${found.text}\n`)
})
process.stdin.on('data', feed)
process.stdin.on('end', () => process.exit(0))

const CHANGED = '{"jsonrpc":"2.0","method":"notifications/tools/list_changed"}\n'
if (Number(changes) > 0) setInterval(() => process.stdout.write(CHANGED), 60_000 / Number(changes))
