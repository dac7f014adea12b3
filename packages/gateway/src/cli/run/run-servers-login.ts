import { HintgateError } from '../../base/errors.ts'
import { loadSecretKey } from '../../tokens/secret-key.ts'
import { createUpstreamOAuth } from '../../upstream/oauth/create-upstream-oauth.ts'
import type { UpstreamOAuth } from '../../upstream/oauth/upstream-oauth.ts'
import { type Context, reportError, withStore } from '../terminal/context.ts'
import { EXIT, write } from '../terminal/output.ts'
import type { ServerFlags } from './servers-flags.ts'

const WITHOUT = 'its config has no "oauth"'

/** `hintgate servers login NAME`: where to sign in. The running gateway hears of it when the browser comes back. */
export function login(name: string, flags: ServerFlags): Promise<void> {
  return withOAuth(name, flags, async oauth => {
    if (oauth === undefined) throw new HintgateError('server_sign_in_failed', { server: name, why: WITHOUT })
    const url = await oauth.begin()
    await write(
      flags.json
        ? `${JSON.stringify({ server: name, url })}\n`
        : `Open this address in a browser, within ten minutes, while the gateway is running:\n\n  ${url}\n`,
    )
  })
}

export function logout(name: string, flags: ServerFlags): Promise<void> {
  return withOAuth(name, flags, async oauth => {
    const wasThere = (await oauth?.forget()) ?? false
    if (flags.json) return write(`${JSON.stringify({ server: name, forgotten: wasThere })}\n`)
    const none = `There were no credentials for ${name}${oauth === undefined ? `: ${WITHOUT}` : ''}.\n`
    await write(wasThere ? `Forgot the credentials for ${name}.\n` : none)
  })
}

async function withOAuth(
  name: string,
  flags: ServerFlags,
  action: (oauth: UpstreamOAuth | undefined) => Promise<unknown>,
): Promise<void> {
  try {
    await withStore(flags, context => action(findOAuth(name, context)))
    process.exitCode = EXIT.done
  } catch (error) {
    process.exitCode = reportError(error)
  }
}

/** Undefined: nobody signs in to this server. */
function findOAuth(name: string, { config, store, home }: Context): UpstreamOAuth | undefined {
  const server = config.servers.find(known => known.name === name)
  if (server === undefined) throw new HintgateError('unknown_server', { server: name })
  return createUpstreamOAuth(server, { config, secrets: store.secrets, key: loadSecretKey(home) })
}
