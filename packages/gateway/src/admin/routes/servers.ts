import type { ServerConfig } from '../../config/config.ts'
import { loadsCode } from '../../config/schema/unsafe-variables.ts'
import { isJsonObject, type Json } from '../../protocol/messages.ts'
import { ConfigFile } from '../config/config-file.ts'
import { findImported, listImportable } from '../config/importable.ts'
import { holdsMask, maskEntry, unmaskEntry } from '../config/mask-entry.ts'
import type { Server, ServerPage } from '../contract/contract.ts'
import type { AdminDeps } from '../http/admin-deps.ts'
import { requireMatch } from '../http/etag.ts'
import type { Handlers } from '../http/handler.ts'
import { AdminProblem } from '../http/problem.ts'
import { describeServer } from '../views/describe-server.ts'
import { testServer } from '../views/test-server.ts'

type Names =
  | 'listServers'
  | 'getServer'
  | 'listImportable'
  | 'addServer'
  | 'updateServer'
  | 'removeServer'
  | 'testServer'
  | 'restartServer'
  | 'signInToServer'
  | 'trustServer'

/** The servers behind the gateway. */
export function createServerHandlers(deps: AdminDeps): Pick<Handlers, Names> {
  const file = new ConfigFile(deps)
  const show = (config: ServerConfig, written: ReadonlyMap<string, Json>): Server => {
    const entry = written.get(config.name)
    return describeServer(config, { entry, etag: file.etagOf(entry) }, deps)
  }
  const showPage = (name: string): ServerPage => {
    const written = file.servers()
    const entry = maskEntry(written.get(name) ?? {})
    return { ...show(findConfig(deps, name), written), config: isJsonObject(entry) ? { ...entry } : {} }
  }
  const change = async (
    name: string,
    match: string,
    next: (before: Json) => Json | undefined,
  ): Promise<void> => {
    findConfig(deps, name)
    const before = file.servers().get(name) ?? {}
    requireMatch(match, file.etagOf(file.servers().get(name)))
    await file.edit(editsFor(name, before, next(before)))
  }
  return {
    async listServers() {
      const written = file.servers()
      const items = deps.config().servers.map(config => show(config, written))
      return { items, total: items.length }
    },
    getServer: async ({ params: { name } }) => showPage(name),
    listImportable: async () => ({ items: listImportable(deps) }),
    async addServer({ body: { name, config } }) {
      refuseEnvironment(config)
      if (file.servers().has(name)) throw new AdminProblem('name_taken', `There is a server ${name} already.`)
      const imported = findImported(deps, config)
      if (imported === undefined) await file.edit([{ path: ['mcpServers', name], value: config }])
      else await file.adopt(name, imported)
      return showPage(name)
    },
    async updateServer({ params: { name }, body: { config } }, { match }) {
      refuseEnvironment(config)
      await change(name, match, before => unmask(config, before))
      return showPage(name)
    },
    async removeServer({ params: { name } }, { match }) {
      await change(name, match, () => undefined)
      return { name }
    },
    async testServer({ body: { name = 'test', config } }) {
      refuseEnvironment(config)
      const before = file.servers().get(name)
      return testServer({ name, entry: before === undefined ? config : unmask(config, before) }, deps)
    },
    async restartServer({ params: { name } }) {
      const config = findConfig(deps, name)
      if (!deps.restart(name)) throw new AdminProblem('refused', `${name} is switched off in the config.`)
      return show(config, file.servers())
    },
    async signInToServer({ params: { name } }) {
      findConfig(deps, name)
      const url = await deps.signIn(name)
      if (url === undefined) throw new AdminProblem('refused', `${name} has no "oauth" in the config.`)
      return { url }
    },
    async trustServer({ params: { name }, body: { trust } }, { match }) {
      await change(name, match, before => ({ ...before, trust }))
      return showPage(name)
    },
  }
}

function unmask(sent: unknown, before: unknown): Json {
  const entry = unmaskEntry(sent, before)
  if (isJsonObject(entry) && !holdsMask(entry)) return entry
  throw new AdminProblem(
    'invalid_request',
    'body.config: a mask stands where nothing was, or for a secret of the server that it was before; write the value.',
  )
}

function findConfig({ config }: AdminDeps, name: string): ServerConfig {
  const found = config().servers.find(server => server.name === name)
  if (found === undefined) throw new AdminProblem('not_found', `There is no server ${name}.`)
  return found
}

/** Key by key, so that comments beside what stays the same stay, too. */
function editsFor(name: string, before: Json, next: Json | undefined) {
  if (next === undefined) return [{ path: ['mcpServers', name], value: undefined }]
  const keys = [...new Set([...Object.keys(before), ...Object.keys(next)])]
  return keys
    .filter(key => JSON.stringify(before[key]) !== JSON.stringify(next[key]))
    .map(key => ({ path: ['mcpServers', name, key], value: next[key] }))
}

/** Whoever starts programs from a browser starts those that the config names, and nothing inside them. */
function refuseEnvironment({ env }: Json): void {
  const names = isJsonObject(env) ? Object.keys(env).filter(loadsCode) : []
  const [name] = names
  if (name === undefined) return
  throw new AdminProblem(
    'refused',
    `${name} cannot be set from here; write it into the config file by hand.`,
    [{ path: `body.config.env.${name}`, message: 'it makes a program load other code' }],
  )
}
