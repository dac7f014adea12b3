import { spawn } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { createFolder } from '../../base/create-folder.ts'
import { HintgateError } from '../../base/errors.ts'
import { currentPlace, showFile, underHome } from '../../client-configs/place.ts'
import type { Address } from '../../config/schema/listen.ts'
import { probePort } from '../../doctor/check-port.ts'
import { reportError } from '../terminal/context.ts'
import { EXIT } from '../terminal/output.ts'
import { mintDemoToken, writeGreeting } from './demo-greeting.ts'

/** Where the demo listens unless somebody says otherwise. */
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

export interface DemoFlags {
  readonly home?: string
  readonly listen?: string
}

const PACKAGE = new URL('../../../', import.meta.url)
const BIN = fileURLToPath(new URL('bin/hintgate.js', PACKAGE))
const DEMO = fileURLToPath(new URL('demo', PACKAGE))

/** `hintgate demo`: the gateway in a process of its own, and beside it what to do with it. */
export async function runDemo({ home: given, listen }: DemoFlags): Promise<void> {
  try {
    const place = currentPlace()
    const home = given === undefined ? underHome(place, '.hintgate', 'demo') : resolve(given)
    const config = writeConfig(home)
    const advice = listen === undefined ? await adviseOnAddress(`${commandName()} demo`) : undefined
    if (advice !== undefined) {
      process.stderr.write(advice)
      process.exitCode = EXIT.failed
      return
    }
    const flags = [
      '--config',
      config,
      '--home',
      home,
      '--print-link',
      ...(listen ? ['--listen', listen] : []),
    ]
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
    process.exitCode = await new Promise<number>(done => child.once('exit', code => done(code ?? 1)))
  } catch (error) {
    process.exitCode = reportError(error)
  }
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

/** What the gateway says to whoever started it, for somebody who sees it for the first time. */
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

/** What this person has to type to get here again. */
function commandName(): string {
  if (/[/\\]_npx[/\\]/.test(BIN)) return 'npx @hintgate/gateway'
  return BIN.startsWith(process.cwd()) ? 'npx hintgate' : 'hintgate'
}
