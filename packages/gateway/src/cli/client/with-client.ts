import { HintgateError } from '../../base/errors.ts'
import { type ClientFlags, invalidFlag, readGatewayUrl, surviveFaults } from '../terminal/context.ts'
import { type Ending, EXIT } from '../terminal/output.ts'
import type { Needs } from './local-client.ts'
import type { SurfaceClient } from './surface-client.ts'

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const
const CANCELLED: Ending = { code: EXIT.failed, err: 'hintgate: cancelled\n' }

/** Prints only after all it started has stopped: a reader that closes its end (`| head`) ends us at once. */
export async function withClient(
  flags: ClientFlags,
  needs: Needs,
  action: (client: SurfaceClient) => Promise<Ending>,
): Promise<Ending> {
  surviveFaults()
  const abort = new AbortController()
  // For good: somebody who presses Ctrl-C twice must not leave servers behind.
  for (const signal of SIGNALS) process.on(signal, () => abort.abort())
  const client = await openClient(flags, needs, abort.signal)
  try {
    return await Promise.race([action(client), untilAborted(abort.signal)])
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
    if (token !== undefined) throw invalidFlag('--token', 'it goes with --url; here --as names an agent')
    // Each way has parts of its own that the other need not wait for.
    return (await import('./local-client.ts')).openLocal(flags, needs, signal)
  }
  if (as !== undefined) throw invalidFlag('--as', 'with --url the token says who is calling')
  const target = {
    url: readGatewayUrl(url),
    token: readToken(token ?? process.env.HINTGATE_TOKEN ?? ''),
    signal,
  }
  return new (await import('./http-client.ts')).HttpClient(target)
}

/** What no header can carry is no token. */
function readToken(text: string): string {
  if (!/^[\x21-\x7e]*$/.test(text)) throw new HintgateError('credential_malformed', {})
  return text
}
