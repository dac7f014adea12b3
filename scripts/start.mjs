// `npm start`: runs the gateway with two demo servers, and prints how to connect a client.
import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { makeReady, ROOT, say } from './ready.mjs'

await makeReady('product')

const BIN = join(ROOT, 'packages/gateway/bin/hintgate.js')
const PLACE = { config: join(ROOT, 'examples/demo.json'), home: join(ROOT, 'data/demo') }
const FLAGS = ['--config', PLACE.config, '--home', PLACE.home]
/** The flags that select the demo, relative to the root of the repository. */
const SHOWN_FLAGS = FLAGS.map(part => part.replace(`${ROOT}/`, '')).join(' ')

if (process.argv.length === 2) await checkAddress()

const child = spawn(process.execPath, [BIN, 'serve', '--print-link', ...FLAGS, ...process.argv.slice(2)], {
  stdio: ['ignore', 'pipe', 'inherit'],
  env: { ...process.env, HINTGATE_DEMO: '1' },
})
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => child.kill(signal))
child.on('exit', code => process.exit(code ?? 1))
// In order: the console link can arrive before the token for the greeting exists.
let telling = Promise.resolve()
createInterface({ input: child.stdout }).on('line', line => {
  telling = telling.then(() => tell(line)).catch(error => say(error.message))
})

async function checkAddress() {
  const { adviseOnAddress } = await import('../packages/gateway/dist/cli/gateway/run-demo.js')
  const advice = await adviseOnAddress('npm start --')
  if (advice === undefined) return
  process.stderr.write(advice)
  process.exit(1)
}

async function tell(line) {
  const [, what, address] = /^(listening|console) (\S+)$/.exec(line) ?? []
  if (what === 'listening') await welcome(address)
  else if (what === 'console') inviteTo(address)
  else console.log(line)
}

function inviteTo(link) {
  console.log(`  Open the console, signed in. The link works once:

    ${link}

  For another link, run: npx hintgate console ${SHOWN_FLAGS}
`)
}

async function welcome(url) {
  const { mintDemoToken, writeGreeting } = await import('../packages/gateway/dist/cli/gateway/run-demo.js')
  const greeting = writeGreeting({
    url,
    token: await mintDemoToken(PLACE),
    command: 'npx hintgate',
    place: SHOWN_FLAGS,
    also: `console         ${url}/ (sign-in link below)`,
    answer: 'Answer in the console, or in another terminal with',
    next: `To create more tokens, run: npx hintgate tokens create NAME ${SHOWN_FLAGS}`,
  })
  console.log(greeting)
}
