import { HintgateError } from '../../base/errors.ts'
import { openOwnConfig, secretPlace, serversOf, writeOwnConfig } from '../../client-configs/own-config.ts'
import { currentPlace } from '../../client-configs/place.ts'
import type { Json } from '../../protocol/messages.ts'
import { revealLine } from '../show/review-text.ts'
import { showJson } from '../show/show-json.ts'
import { type CommonFlags, invalidFlag } from '../terminal/context.ts'
import { confirm, count, type Ending, EXIT, isAttended, write } from '../terminal/output.ts'
import type { Entry } from './entry.ts'
import { chooseWay, type Plan, planInstall, type Way } from './plan-install.ts'
import { Registry } from './registry.ts'
import { describePlan, showEntry, showFound } from './show-entry.ts'
import { toServer } from './to-server.ts'

export interface RegistryFlags extends CommonFlags {
  readonly registry?: string
}

export interface EntryFlags extends RegistryFlags {
  readonly release?: string
  readonly use?: string
  readonly set?: readonly string[]
  readonly yes?: boolean
}

interface SearchFlags extends RegistryFlags {
  readonly limit?: string
}

export async function searchRegistry(word: string, flags: SearchFlags): Promise<Ending> {
  const limit = Number(flags.limit ?? 20)
  if (!Number.isInteger(limit) || limit < 1 || limit > 100)
    throw invalidFlag('--limit', 'use a number between 1 and 100')
  const { entries, unreadable } = await openRegistry(flags).search(word, limit)
  if (flags.json) return { out: showJson(entries) }
  const left = unreadable === 0 ? '' : `${count(unreadable, 'entry')} could not be read and is not shown.\n`
  if (entries.length === 0)
    return { code: EXIT.failed, out: `The registry has no server for "${revealLine(word, 100)}".\n${left}` }
  const next = 'See what one of them runs, without running it: hintgate servers add --from-registry NAME\n'
  return { out: `${entries.map(showFound).join('')}${left}\n${next}` }
}

/** Adds a server from the registry to the config. Nothing is written, and nothing runs, before the user agrees. */
export async function addFromRegistry(
  name: string,
  as: string | undefined,
  flags: EntryFlags,
): Promise<Ending> {
  const place = currentPlace()
  const own = openOwnConfig(flags, place)
  const key = as ?? (name.split('/')[1] ?? name).replaceAll(/[^\w.-]+/g, '-')
  if (Object.hasOwn(serversOf(own), key)) throw new HintgateError('server_exists', { server: key })
  const looked = await lookUp(name, flags)
  const plan = requirePlan(looked)
  if (!(await isAgreed(looked, flags, `Add it as "${key}" to ${own.path}?`)))
    return declined(looked, flags, 'Nothing was added. To add it, run the command again with --yes.')
  const { server, secrets } = toServer(plan, {
    name: key,
    env: place.env,
    secretFile: secretPlace(own.home, place),
  })
  writeOwnConfig(own, [{ path: ['mcpServers', key], value: server }], secrets)
  if (flags.json) return { out: showJson({ name: key, config: own.path, server, from: name }) }
  return {
    out: `Added ${key} to ${own.path}.\nIts tools wait for review: hintgate tools review\nTest it: hintgate servers test ${key}\n`,
  }
}

export interface LookedUp {
  readonly entry: Entry
  readonly ways: readonly Way[]
  readonly chosen: Way | undefined
}

export async function lookUp(name: string, flags: EntryFlags): Promise<LookedUp> {
  const entry = await openRegistry(flags).find(name, flags.release ?? 'latest')
  const ways = planInstall(entry, readGiven(flags.set ?? []))
  return { entry, ways, chosen: chooseWay(ways, flags.use) }
}

/** Returns the plan, or throws an error that says why there is none or which values it still needs. */
export function requirePlan({ entry, ways, chosen }: LookedUp): Plan {
  const { name: server, status } = entry
  const refuse = (why: string) => new HintgateError('registry_unusable', { server, why })
  if (status === 'deleted') throw refuse('the registry says that it was deleted')
  const known = [...new Set(ways.map(({ kind }) => kind))].join(', ')
  if (chosen === undefined)
    throw ways.length === 0
      ? refuse('it names neither a package nor an address')
      : invalidFlag('--use', `use one of ${known}`)
  const { plan, refusal = '' } = chosen
  if (plan === undefined) throw refuse(revealLine(refusal, 300))
  if (plan.problems.length > 0) throw refuse(plan.problems.map(text => revealLine(text, 300)).join('; '))
  if (plan.unused.length > 0)
    throw invalidFlag('--set', `it asks for no ${plan.unused.map(one => revealLine(one, 60)).join(', ')}`)
  if (plan.missing.length > 0) throw invalidFlag('--set', missingText(plan))
  return plan
}

function missingText({ missing }: Plan): string {
  const lines = missing.map(({ name, description, isSecret }) => {
    const value = isSecret ? `'\${env:${name}}'` : 'VALUE'
    const about = description === undefined ? '' : `  (${revealLine(description, 200)})`
    return `  --set ${revealLine(name, 60)}=${value}${about}`
  })
  return `the server needs more values. Add:\n${lines.join('\n')}\n`
}

/** Shows what would run, then asks. `--yes` agrees to what was shown. Without it, a script never counts as agreeing. */
export async function isAgreed(looked: LookedUp, flags: EntryFlags, question: string): Promise<boolean> {
  const { entry, ways, chosen } = looked
  if (!flags.json) await write(`${showEntry(entry, ways, chosen)}\n`)
  if (flags.yes === true) return true
  return flags.json !== true && isAttended() && confirm(question)
}

export function declined({ entry, ways, chosen }: LookedUp, { json }: EntryFlags, text: string): Ending {
  if (!json) return { code: EXIT.failed, err: `${text}\n` }
  const shown = ways.map(({ kind, title, plan, refusal }) => ({
    kind,
    title,
    ...(plan === undefined ? { refusal } : { does: describePlan(plan) }),
  }))
  const report: Json = { entry, ways: shown, use: chosen?.kind, isAgreed: false }
  return { code: EXIT.failed, out: showJson(report) }
}

function openRegistry(flags: RegistryFlags): Registry {
  const configured = flags.registry ?? openOwnConfig(flags).value.registry
  if (typeof configured !== 'string')
    throw invalidFlag('--registry', 'no registry is configured; set "registry" in the config or give a URL')
  const url = URL.canParse(configured) ? new URL(configured) : undefined
  const isLocal = url !== undefined && /^(?:localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(url.hostname)
  if (url?.protocol === 'https:' || (url?.protocol === 'http:' && isLocal)) return new Registry(configured)
  throw invalidFlag('--registry', 'use a URL that starts with https://, or with http:// on this machine')
}

function readGiven(set: readonly string[]): ReadonlyMap<string, readonly string[]> {
  const given = new Map<string, readonly string[]>()
  for (const text of set) {
    const at = text.indexOf('=')
    if (at < 1) throw invalidFlag('--set', 'expected NAME=value')
    const name = text.slice(0, at).replace(/^-+/, '')
    given.set(name, [...(given.get(name) ?? []), text.slice(at + 1)])
  }
  return given
}
