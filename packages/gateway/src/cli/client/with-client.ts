import { HintgateError } from '../../base/errors.ts'
import { type ClientFlags, invalidFlag, readGatewayUrl, surviveFaults } from '../terminal/context.ts'
import { type Ending, EXIT } from '../terminal/output.ts'
import type { Needs } from './local-client.ts'
import type { SurfaceClient } from './surface-client.ts'

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const
const CANCELLED: Ending = { code: EXIT.failed, err: 'hintgate: cancelled\n' }

/** Runs an action with a client. Its output is written after all servers have stopped, because a closed pipe (`| head`) ends the process. */
export async function withClient(
  flags: ClientFlags,
  needs: Needs,
  action: (client: SurfaceClient) => Promise<Ending>,
): Promise<Ending> {
  surviveFaults()
  const abort = new AbortController()
  // The handlers stay (`on`, not `once`), so that a second Ctrl-C does not leave servers running.
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
    if (token !== undefined)
      throw invalidFlag('--token', 'use it with --url; without --url, name an agent with --as')
    // Imported only now, because each kind of client loads different modules.
    return (await import('./local-client.ts')).openLocal(flags, needs, signal)
  }
  if (as !== undefined)
    throw invalidFlag('--as', 'omit it with --url, because the token identifies the caller')
  const target = {
    url: readGatewayUrl(url),
    token: readToken(token ?? process.env.HINTGATE_TOKEN ?? ''),
    signal,
  }
  return new (await import('./http-client.ts')).HttpClient(target)
}

/** Checks that a token has only characters that are valid in an HTTP header, and returns it. */
function readToken(text: string): string {
  if (!/^[\x21-\x7e]*$/.test(text)) throw new HintgateError('credential_malformed', {})
  return text
}
