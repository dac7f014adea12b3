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
 * What to type where the demo's address is taken; undefined: it is free. The gateway itself would speak of a flag that
 * whoever typed only `hintgate` or `npm start` cannot add to that.
 */
export async function adviseOnAddress(command: string, address = DEMO_ADDRESS): Promise<string | undefined> {
  const { why } = await probePort(address)
  if (why !== 'EADDRINUSE') return undefined
  return [
    `hintgate: Something else listens on ${address.host}:${address.port} already`,
    `  fix: Stop the other process, or take a free port: ${command} --listen 127.0.0.1:0\n`,
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
  // To a gateway SIGHUP means to read its config again; a terminal that closes means the end.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
    process.on(signal, () => child.kill('SIGTERM'))
  process.once('exit', () => child.kill())
  // In turn: the link to the console comes while the token for the greeting is still being made.
  let telling = Promise.resolve()
  createInterface({ input: child.stdout }).on('line', line => {
    telling = telling.then(() => tell(line, { config, home })).catch(complain)
  })
  return new Promise<number>(done => child.once('exit', code => done(code ?? 1)))
}

/** Written anew with every start, under a name that nobody else uses: where this package is may have changed. */
function writeConfig(home: string): string {
  const server = (name: string) => ({
    command: process.execPath,
    args: [join(DEMO, `${name}-server.mjs`)],
    trust: 'trusted',
  })
  const config = {
    listen: `${DEMO_ADDRESS.host}:${DEMO_ADDRESS.port}`,
    // Whoever holds the demo's token cannot say yes to its own calls.
    confirm: { channel: 'person' },
    mcpServers: { notes: server('notes'), mailer: server('mailer') },
  }
  const path = join(home, 'demo.json')
  try {
    createFolder(home, 0o700)
    writeFileSync(
      path,
      `// The demo's config; it is written anew with every start.\n${JSON.stringify(config, undefined, 2)}\n`,
    )
    return path
  } catch (error) {
    const why = (error as NodeJS.ErrnoException).code ?? String(error)
    throw new HintgateError('home_unwritable', { file: home, why }, { cause: error })
  }
}

interface Whereabouts {
  readonly config: string
  readonly home: string
}

async function tell(line: string, where: Whereabouts): Promise<void> {
  const [, what, address = ''] = /^(listening|console) (\S+)$/.exec(line) ?? []
  if (what === 'listening') return greet(address, where)
  if (what === undefined) process.stdout.write(`${line}\n`)
  else
    process.stdout.write(
      `\n  The console, where you are signed in; the link works once:\n\n    ${address}\n\n`,
    )
}

function complain(error: unknown): void {
  process.stderr.write(`hintgate: ${error instanceof Error ? error.message : String(error)}\n`)
}

async function greet(url: string, { config, home }: Whereabouts): Promise<void> {
  const token = await mintDemoToken({ config, home })
  const command = commandName()
  const greeting = writeGreeting({
    url,
    token,
    command,
    place: `--config ${showFile(config, currentPlace())} --home ${showFile(home, currentPlace())}`,
    answer: 'Watch and answer in another terminal',
    next: `For your own servers: ${command} import, then serve, then connect CLIENT`,
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
  /** What this person types to run the command, and the flags with which it finds the demo. */
  readonly command: string
  readonly place: string
  /** Something to look at besides the surfaces. */
  readonly also?: string
  readonly answer: string
  readonly next: string
}

/** What somebody is told who sees a gateway for the first time: `hintgate demo` and `npm start` say it alike. */
export function writeGreeting({ url, token, command, place, also, answer, next }: Demo): string {
  const entry = { type: 'http', url: `${url}/mcp`, headers: { Authorization: `Bearer ${token}` } }
  const snippet = JSON.stringify({ mcpServers: { hintgate: entry } }, null, 2).replaceAll(/^/gm, '    ')
  return `
  Hintgate is listening on ${url}

    find and call ${url}/mcp
    all tools     ${url}/mcp/direct
    one server    ${url}/mcp/servers/notes
${also === undefined ? '' : `    ${also}\n`}
  Paste this into your MCP client. The token is new with every start and may read, write and delete in the demo:

${snippet}

  Before anything is deleted, a person is asked, and not through the client. ${answer}:

    ${command} approvals watch ${place}
    ${command} approvals approve ID ${place}

  Ctrl-C stops it. ${next}
`
}

/** A fresh token for the demo; the one of the last start stops working. */
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
