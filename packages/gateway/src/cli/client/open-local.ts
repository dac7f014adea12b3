import type { Path } from '../../base/errors/problem.ts'
import { HintgateError } from '../../base/errors.ts'
import type { Config } from '../../config/config.ts'
import { Gateway } from '../../main.ts'
import { mayUseServer } from '../../scope/match-scope.ts'
import type { Principal } from '../../scope/scope.ts'
import type { ClientFlags } from './client-flags.ts'
import { LocalClient } from './local-client.ts'
import { findLocalPrincipal } from './local-principal.ts'
import { openPremises, type Premises } from './open-premises.ts'

/** Which servers a command needs: all, some that must be there, or the one that an id names, if there is such. */
export type Needs =
  | { readonly kind: 'all' }
  | { readonly kind: 'named'; readonly servers: readonly string[] }
  | { readonly kind: 'meant'; readonly server: string }

/** A gateway that nobody else can reach, with the servers that are needed, for as long as one command takes. */
export async function openLocal(flags: ClientFlags, needs: Needs, signal: AbortSignal): Promise<LocalClient> {
  const premises = await openFor(flags, needs)
  const closeStore = (): Promise<void> => premises.store.close()
  try {
    const principal = await findLocalPrincipal(flags.as, 'cli', {
      config: premises.loaded.config,
      store: premises.store,
    })
    const config = narrow(premises.loaded.config, principal)
    if (config.servers.length === 0) sayWhyNone(premises, principal)
    const { rules } = premises.loaded
    const gateway = new Gateway({ ...premises, config, rules, say: sayUnusual })
    gateway.apply({ config, rules })
    const servers = config.servers.map(({ name }) => name)
    return new LocalClient({ gateway, principal, servers, signal, say, closeStore })
  } catch (error) {
    await closeStore()
    throw error
  }
}

async function openFor(flags: ClientFlags, needs: Needs): Promise<Premises> {
  if (needs.kind === 'all') return openPremises(flags, isTokenSecret)
  const names = needs.kind === 'named' ? needs.servers : [needs.server]
  const premises = await openPremises(flags, path => isTokenSecret(path) || isOtherServer(path, names))
  const known = new Set(premises.loaded.config.servers.map(({ name }) => name))
  const missing = names.find(name => !known.has(name))
  if (missing === undefined) return premises
  await premises.store.close()
  if (needs.kind === 'named') throw new HintgateError('unknown_server', { server: missing })
  // With all of them there, the refusal can say which tool may have been meant.
  return openPremises(flags, isTokenSecret)
}

/** Nobody comes in with a token here, so their secrets need not be at hand. */
function isTokenSecret([section, , key]: Path): boolean {
  return section === 'agent_tokens' && key === 'token'
}

/** Nor need those of servers that are not started. */
function isOtherServer([section, name]: Path, names: readonly string[]): boolean {
  return section === 'mcpServers' && typeof name === 'string' && !names.includes(name)
}

/** Only what the caller may use is started; and what comes back is for a person or a program, who take it whole. */
function narrow(config: Config, { scope }: Principal): Config {
  const servers = config.servers.filter(server => server.enabled && mayUseServer(scope, server.name))
  return { ...config, servers, limits: { ...config.limits, answerChars: Number.POSITIVE_INFINITY } }
}

function sayWhyNone({ loaded }: Premises, { name, kind }: Principal): void {
  if (loaded.config.servers.length > 0)
    say(kind === 'agent' ? `no server is there for ${name}` : 'all servers are disabled')
  else
    say(
      loaded.path === undefined
        ? 'no config file was found; name one with --config'
        : `${loaded.path} has no servers`,
    )
}

function say(line: string): void {
  process.stderr.write(`hintgate: ${line}\n`)
}

/** Servers that come and go are the daily news of a gateway; here `ready` tells what there is to know of them. */
function sayUnusual(line: string): void {
  if (process.env.HINTGATE_DEBUG || !/^\S+ is (?:ready|down)\b/.test(line)) say(line)
}
