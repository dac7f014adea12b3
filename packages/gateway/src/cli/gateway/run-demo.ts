import { spawn } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { createFolder } from '../../base/create-folder.ts'
import { HintgateError, hasCode } from '../../base/errors.ts'
import { currentPlace, showFile, underHome } from '../../client-configs/place.ts'
import type { Address } from '../../config/schema/listen.ts'
import { probePort } from '../../doctor/check-port.ts'
import { type PlaceFlags, withStore } from '../terminal/context.ts'
import { type Ending, EXIT } from '../terminal/output.ts'
import { openTokens, parseScope } from '../terminal/token-flags.ts'

const DEMO_ADDRESS: Address = { host: '127.0.0.1', port: 4428 }

/**
 * Returns advice if an address is in use, or undefined if it is free. The gateway's own error would name a flag that
 * `npm start` does not accept.
 */
export async function adviseOnAddress(command: string, address = DEMO_ADDRESS): Promise<string | undefined> {
  const { why } = await probePort(address)
  if (why !== 'EADDRINUSE') return undefined
  return [
    `hintgate: Another process is listening on ${address.host}:${address.port}.`,
    `  fix: Stop that process, or use a free port: ${command} --listen 127.0.0.1:0\n`,
  ].join('\n')
}

interface DemoFlags {
  readonly home?: string
  readonly listen?: string
}

const PACKAGE = new URL('../../../', import.meta.url)
const BIN = fileURLToPath(new URL('bin/hintgate.js', PACKAGE))
const DEMO = fileURLToPath(new URL('demo', PACKAGE))

export async function runDemo({ home: given, listen }: DemoFlags): Promise<Ending | number> {
  const place = currentPlace()
  const home = given === undefined ? underHome(place, '.hintgate', 'demo') : resolve(given)
  const config = writeConfig(home)
  const advice = listen === undefined ? await adviseOnAddress(`${commandName()} demo`) : undefined
  if (advice !== undefined) return { code: EXIT.failed, err: advice }
  const address = listen ? ['--listen', listen] : []
  const flags = ['--config', config, '--home', home, '--print-link', ...address]
  const child = spawn(process.execPath, [BIN, 'serve', ...flags], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  // A gateway usually reloads its config on SIGHUP, but the demo must end when the terminal is closed.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
    process.on(signal, () => child.kill('SIGTERM'))
  process.once('exit', () => child.kill())
  // Each output waits for the one before, because the console link can arrive before the token for the greeting exists.
  let printing = Promise.resolve()
  createInterface({ input: child.stdout }).on('line', line => {
    printing = printing.then(() => print(line, { config, home })).catch(complain)
  })
  return new Promise<number>(done => child.once('exit', code => done(code ?? 1)))
}

/** Writes the demo's config at every start, because the path of this package might have changed. */
function writeConfig(home: string): string {
  const server = (name: string) => ({
    command: process.execPath,
    args: [join(DEMO, `${name}-server.mjs`)],
    trust: 'trusted',
  })
  const config = {
    listen: `${DEMO_ADDRESS.host}:${DEMO_ADDRESS.port}`,
    // An agent with the demo's token must not approve its own calls.
    confirm: { channel: 'person' },
    mcpServers: { notes: server('notes'), mailer: server('mailer') },
  }
  const path = join(home, 'demo.json')
  try {
    createFolder(home, 0o700)
    writeFileSync(
      path,
      `// The demo's config, rewritten at every start.\n${JSON.stringify(config, undefined, 2)}\n`,
    )
    return path
  } catch (error) {
    const why = (error as NodeJS.ErrnoException).code ?? String(error)
    throw new HintgateError('home_unwritable', { file: home, why }, { cause: error })
  }
}

interface DemoPaths {
  readonly config: string
  readonly home: string
}

async function print(line: string, paths: DemoPaths): Promise<void> {
  const [, what, address = ''] = /^(listening|console) (\S+)$/.exec(line) ?? []
  if (what === 'listening') return greet(address, paths)
  if (what === undefined) process.stdout.write(`${line}\n`)
  else process.stdout.write(`\n  Open the console, signed in. The link works once:\n\n    ${address}\n\n`)
}

function complain(error: unknown): void {
  process.stderr.write(`hintgate: ${error instanceof Error ? error.message : String(error)}\n`)
}

async function greet(url: string, { config, home }: DemoPaths): Promise<void> {
  const token = await mintDemoToken({ config, home })
  const command = commandName()
  const greeting = writeGreeting({
    url,
    token,
    command,
    place: `--config ${showFile(config, currentPlace())} --home ${showFile(home, currentPlace())}`,
    answer: 'In another terminal, watch and answer with',
    next: `To use your own servers, run ${command} import, then serve, then connect CLIENT.`,
  })
  process.stdout.write(greeting)
}

function commandName(): string {
  if (/[/\\]_npx[/\\]/.test(BIN)) return 'npx @hintgate/gateway'
  return BIN.startsWith(process.cwd()) ? 'npx hintgate' : 'hintgate'
}

interface Demo {
  readonly url: string
  readonly token: string
  /** The command as the user types it, and the flags that select the demo. */
  readonly command: string
  readonly place: string
  /** An additional line for the list of surfaces. */
  readonly also?: string
  readonly answer: string
  readonly next: string
}

/** Writes the greeting of `hintgate demo` and `npm start`. */
export function writeGreeting({ url, token, command, place, also, answer, next }: Demo): string {
  const entry = { type: 'http', url: `${url}/mcp`, headers: { Authorization: `Bearer ${token}` } }
  const snippet = JSON.stringify({ mcpServers: { hintgate: entry } }, null, 2).replaceAll(/^/gm, '    ')
  return `
  Hintgate is listening on ${url}

    search surface  ${url}/mcp
    every tool      ${url}/mcp/direct
    one server      ${url}/mcp/servers/notes
${also === undefined ? '' : `    ${also}\n`}
  Add this to your MCP client. The token changes at every start and can read, write and delete in the demo:

${snippet}

  Destructive calls need approval, and the client that makes a call cannot approve it. ${answer}:

    ${command} approvals watch ${place}
    ${command} approvals approve ID ${place}

  Press Ctrl-C to stop. ${next}
`
}

/** Creates a new token for the demo. The token from the last start stops working. */
export function mintDemoToken(place: PlaceFlags): Promise<string> {
  return withStore(place, async context => {
    const tokens = openTokens(context)
    try {
      return (await tokens.rotate('demo')).token
    } catch (error) {
      if (!hasCode(error, 'token_unknown')) throw error
      return (await tokens.mint('demo', parseScope({ permissions: 'retrieve_tools,read,write,destructive' })))
        .token
    }
  })
}
