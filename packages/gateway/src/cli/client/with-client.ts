import { HintgateError } from '../../base/errors.ts'
import { surviveFaults } from '../terminal/context.ts'
import { EXIT, write } from '../terminal/output.ts'
import type { ClientFlags } from './client-flags.ts'
import type { Needs } from './open-local.ts'
import type { SurfaceClient } from './surface-client.ts'

/** How a command ended: what it prints, and its exit code. */
export interface Ending {
  readonly code: number
  readonly out?: string
  readonly err?: string
}

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const
const CANCELLED: Ending = { code: EXIT.failed, err: 'hintgate: cancelled\n' }

/**
 * Runs an action with a client, and stops everything that was started for it, whatever happens. What the action says is
 * printed after that: a reader that closes its end (`| head`) ends this process at once.
 */
export async function withClient(
  flags: ClientFlags,
  needs: Needs,
  action: (client: SurfaceClient) => Promise<Ending>,
): Promise<void> {
  surviveFaults()
  const abort = new AbortController()
  const cancel = (): void => abort.abort()
  // For good: somebody who presses Ctrl-C twice must not leave servers behind.
  for (const signal of SIGNALS) process.on(signal, cancel)
  const {
    code,
    out = '',
    err = '',
  } = await run(await openClient(flags, needs, abort.signal), action, abort.signal)
  await write(out)
  process.stderr.write(err)
  process.exitCode = code
}

async function run(
  client: SurfaceClient,
  action: (client: SurfaceClient) => Promise<Ending>,
  signal: AbortSignal,
): Promise<Ending> {
  try {
    return await Promise.race([action(client), untilAborted(signal)])
  } finally {
    await client.close()
  }
}

function untilAborted(signal: AbortSignal): Promise<Ending> {
  return new Promise(resolve => {
    if (signal.aborted) resolve(CANCELLED)
    else signal.addEventListener('abort', () => resolve(CANCELLED), { once: true })
  })
}

async function openClient(flags: ClientFlags, needs: Needs, signal: AbortSignal): Promise<SurfaceClient> {
  const { url, token, as } = flags
  if (url === undefined) {
    if (token !== undefined) throw invalid('--token', 'it goes with --url; here --as names an agent')
    // Each way has parts of its own that the other need not wait for.
    return (await import('./open-local.ts')).openLocal(flags, needs, signal)
  }
  if (as !== undefined) throw invalid('--as', 'with --url the token says who is calling')
  const target = { url: readUrl(url), token: readToken(token ?? process.env.HINTGATE_TOKEN ?? ''), signal }
  return new (await import('./http-client.ts')).HttpClient(target)
}

/** Takes the address of a surface for that of its gateway. */
function readUrl(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (url === undefined || !/^https?:$/.test(url.protocol))
    throw invalid('--url', 'expected an address such as http://127.0.0.1:4428')
  return `${url.origin}${url.pathname.replace(/(?:\/mcp(?:\/direct)?)?\/*$/, '')}`
}

/** What no header can carry is no token. */
function readToken(text: string): string {
  if (!/^[\x21-\x7e]*$/.test(text)) throw new HintgateError('credential_malformed', {})
  return text
}

function invalid(flag: string, why: string): HintgateError {
  return new HintgateError('flag_invalid', { flag, why })
}
