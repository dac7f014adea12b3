import { join, resolve } from 'node:path'
import { parse } from 'jsonc-parser'
import { CLIENTS, type ClientScope, findClient } from '../../client-configs/clients.ts'
import {
  createConfig,
  findHome,
  type OwnConfig,
  openOwnConfig,
  previewOwnConfig,
  writeOwnConfig,
} from '../../client-configs/own-config.ts'
import { currentPlace, showFile } from '../../client-configs/place.ts'
import {
  ALL_SCOPES,
  type ConfigImport,
  findSources,
  planConfigImport,
} from '../../client-configs/plan-config-import.ts'
import { revealLine } from '../show/review-text.ts'
import { layTable, showJson } from '../show/show-json.ts'
import { invalidFlag, renderError } from '../terminal/context.ts'
import { count, type Ending, write } from '../terminal/output.ts'
import { type AgreeFlags, agree, plainChange, renderChange } from './connect-job.ts'

export async function runInit(flags: AgreeFlags & { readonly global?: boolean }): Promise<Ending> {
  const place = currentPlace()
  const path = flags.global
    ? join(findHome(flags, place), 'hintgate.json')
    : resolve(place.cwd, flags.config ?? 'hintgate.json')
  createConfig({ path })
  if (flags.json) return { out: showJson({ config: path, created: true }) }
  await write(`Wrote ${path}.\n`)
  const { found } = findSources(CLIENTS, place, ALL_SCOPES)
  const number = found.reduce((sum, { entries }) => sum + entries.length, 0)
  if (number === 0) return { out: 'Next: add a server with hintgate servers add, then run hintgate serve.\n' }
  const named = `Your clients use ${count(number, 'server')}`
  const isWanted = await agree(flags, `${named}. Show what can be imported?`)
  if (isWanted) return runImport([], { ...flags, config: path })
  return { out: `${named}. Import ${number === 1 ? 'it' : 'them'} with hintgate import.\n` }
}

export async function runImport(names: readonly string[], flags: AgreeFlags): Promise<Ending> {
  const place = currentPlace()
  const clients = names.length === 0 ? CLIENTS : names.map(findClient)
  const own = openOwnConfig(flags, place)
  const plan = planConfigImport(clients, { own, place, scopes: readScopes(flags.scope) })
  const { problems } = plan.sources
  // If the user names a client, its file must be readable. If not, broken files are reported and skipped.
  const [problem] = problems
  if (problem !== undefined && names.length > 0) throw problem
  if (!flags.json) for (const each of problems) process.stderr.write(renderError(each))
  const change = changeOf(own, plan)
  if (!flags.json) await write(describe(own, plan, names))
  if (!flags.json && plan.edits.length > 0)
    await write(`\n${renderChange(showFile(own.path, place), change)}\n\n`)
  const isWanted = plan.edits.length > 0 && (await agree(flags, `Write this to ${own.path}?`))
  if (isWanted) writeOwnConfig(own, plan.edits, plan.secrets)
  return { out: flags.json ? showJson(report(own, plan, isWanted, change)) : conclude(plan, isWanted) }
}

function changeOf(own: OwnConfig, { edits }: ConfigImport) {
  const after = previewOwnConfig(own, edits)
  const before = own.isNew ? { text: '', value: {} } : { text: own.text, value: own.value }
  return { before, after: { text: after, value: parse(after) as unknown } }
}

function readScopes(given: string | undefined): readonly ClientScope[] {
  if (given === undefined) return ALL_SCOPES
  const found = ALL_SCOPES.filter(scope => scope === given)
  if (found.length > 0) return found
  throw invalidFlag('--scope', `expected ${ALL_SCOPES.join(', ')}`)
}

function describe(own: OwnConfig, plan: ConfigImport, names: readonly string[]): string {
  const show = (file: string) => showFile(file, currentPlace())
  if (plan.sources.found.length === 0 && plan.agents.length === 0) {
    const where = (names.length === 0 ? CLIENTS : names.map(findClient)).flatMap(client =>
      client.files(currentPlace()).map(({ path }) => `  ${client.title}: ${show(path)}`),
    )
    return `No servers were found in any client's files:\n${[...new Set(where)].join('\n')}\n`
  }
  const taken = plan.servers.map(({ name, original, client, file, server, secrets, variables, left }) => [
    `  ${name}`,
    `from ${client}, ${revealLine(show(file))}`,
    [
      ...(name === original ? [] : [`renamed from ${revealLine(original, 80)}`]),
      ...(secrets.length === 0
        ? []
        : [`${count(secrets.length, 'secret')} stored in ${show(own.home)}/secrets`]),
      // The user must see which variables a server receives, because a stranger might have written the project's file.
      ...variables.map(variable => `${server.url === undefined ? 'is given' : 'is sent'} $${variable}`),
      ...(left.length === 0 ? [] : [`without ${left.map(key => revealLine(key, 40)).join(', ')}`]),
    ].join('; '),
  ])
  const skipped = plan.skipped.map(({ name, client, why }) => [
    `  ${revealLine(name, 80)}`,
    `from ${client}`,
    revealLine(why),
  ])
  return [
    ...(taken.length === 0 ? [] : ['Servers to import:', ...layTable(taken)]),
    ...(plan.agents.length === 0 ? [] : [`Agents to import: ${plan.agents.join(', ')}`]),
    ...(skipped.length === 0 ? [] : ['Not imported:', ...layTable(skipped)]),
    '',
  ].join('\n')
}

function conclude(plan: ConfigImport, isWritten: boolean): string {
  if (plan.edits.length === 0) return 'There is nothing to import.\n'
  if (!isWritten) return 'Nothing was written. To apply the change, run the same command with --yes.\n'
  return [
    `Imported ${count(plan.servers.length, 'server')}. ${plan.servers.length === 1 ? 'Its' : 'Their'} tools wait for review. Next:`,
    '  hintgate serve           run the gateway',
    '  hintgate tools review    list what waits for review, then run hintgate tools approve',
    '  hintgate connect CLIENT  connect a client to the gateway\n',
  ].join('\n')
}

function report(own: OwnConfig, plan: ConfigImport, wrote: boolean, change: ReturnType<typeof changeOf>) {
  return {
    config: own.path,
    wrote,
    servers: plan.servers.map(({ name, client, file, original, secrets, variables, left, server }) => ({
      name,
      client,
      file,
      ...(name !== original && { original }),
      server,
      secrets: secrets.map(secret => secret.file),
      variables,
      left,
    })),
    agents: plan.agents,
    skipped: plan.skipped.map(({ isThere: _, ...skipped }) => skipped),
    problems: plan.sources.problems.map(({ code, message, remedy }) => ({ code, message, fix: remedy })),
    diff: plan.edits.length === 0 ? '' : plainChange(own.path, change),
  }
}
