import { spawn } from 'node:child_process'
import { connect } from 'node:net'
import { loadSecretKey } from '../../tokens/secret-key.ts'
import { addressOf } from '../connect/connect-job.ts'
import { allBut, type CommonFlags, withStore } from '../terminal/context.ts'
import { confirm, isAttended, write } from '../terminal/output.ts'
import { parseRole } from '../terminal/token-flags.ts'
import { createConsoleLink } from './console-link.ts'

interface ConsoleFlags extends CommonFlags {
  readonly role: string
  readonly name?: string
  readonly url?: string
  readonly open: boolean
}

export async function runConsole(flags: ConsoleFlags): Promise<void> {
  const link = await withStore({ ...flags, skip: allBut('store', 'listen', 'tls') }, context => {
    const deps = { store: context.store, key: loadSecretKey(context.home) }
    const url = (flags.url ?? addressOf(context.config)).replace(/\/$/, '')
    return createConsoleLink(deps, url, { role: parseRole(flags.role), name: flags.name })
  })
  await write(flags.json ? `${JSON.stringify({ link })}\n` : `console ${link}\n`)
  if (!(await isThere(new URL(link))))
    process.stderr.write('hintgate: no gateway is running at this address; start it with hintgate serve\n')
  if (flags.open && !flags.json && isAttended() && (await confirm('Open it in the browser?'))) openLink(link)
}

const SOON_MS = 2000

function isThere({ hostname, port, protocol }: URL): Promise<boolean> {
  const host = hostname.replace(/^\[|\]$/g, '')
  const usual = protocol === 'https:' ? 443 : 80
  return new Promise(resolve => {
    const socket = connect({ host, port: port === '' ? usual : Number(port), timeout: SOON_MS })
    const end = (isIt: boolean): void => {
      socket.destroy()
      resolve(isIt)
    }
    socket
      .once('connect', () => end(true))
      .once('error', () => end(false))
      .once('timeout', () => end(false))
  })
}

const OPENERS: Readonly<Partial<Record<NodeJS.Platform, readonly [string, ...string[]]>>> = {
  darwin: ['open'],
  win32: ['rundll32', 'url.dll,FileProtocolHandler'],
}

/** Opens the link in a browser. Failures are ignored, because the link is already printed. */
function openLink(link: string): void {
  const [command, ...args] = OPENERS[process.platform] ?? ['xdg-open']
  const child = spawn(command, [...args, link], { stdio: 'ignore', detached: true })
  child.on('error', () => {})
  child.unref()
}
