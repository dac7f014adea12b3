import { MASKED, maskValue, WHOLE } from '../../audit/mask.ts'
import { maskSecrets } from '../../detect/secrets/mask-secrets.ts'
import { isJsonObject, type Json } from '../../protocol/messages.ts'
import { splitId } from '../../protocol/split-id.ts'
import { describeSet, summariseSet } from '../../sets/describe-set.ts'
import type { Toolset } from '../../sets/toolset.ts'
import { ConfigFile } from '../config/config-file.ts'
import { type SetEntry, signOverrides } from '../config/sign-overrides.ts'
import type { Output } from '../contract/contract.ts'
import type { AdminDeps } from '../http/admin-deps.ts'
import { type Handlers, requireMatch } from '../http/handler.ts'
import { AdminProblem, orMissing } from '../http/problem.ts'

type Shown = Output<'getToolset'>
type Summary = Output<'listToolsets'>['items'][number]

export function createToolsetHandlers(deps: AdminDeps) {
  const file = new ConfigFile(deps)
  const find = (name: string): Toolset =>
    orMissing(
      deps.sets().find(set => set.name === name),
      `There is no toolset ${name}.`,
    )
  const show = (name: string): Shown => {
    const written = file.toolsets().get(name)
    // The shown types are read-only, those of the contract are not.
    const view = structuredClone(describeSet(find(name), mask)) as unknown as Omit<Shown, 'config' | 'etag'>
    return { ...view, config: maskAny(written ?? []) as Shown['config'], etag: file.etagOf(written) }
  }
  const change = async (name: string, match: string, next: SetEntry | undefined): Promise<void> => {
    find(name)
    requireMatch(match, file.etagOf(file.toolsets().get(name)))
    await file.edit([{ path: ['toolsets', name], value: next }])
  }
  const fingerprintOf = (id: string): string | undefined => {
    const { server, tool } = splitId(id)
    return deps.catalog.find(server, tool)?.fingerprint
  }
  return {
    async listToolsets() {
      const items = deps.sets().map(set => structuredClone(summariseSet(set)) as Summary)
      return { items, total: items.length }
    },
    getToolset: async ({ params: { name } }) => show(name),
    async addToolset({ body: { name, config } }, { principal }) {
      if (file.toolsets().has(name)) throw new AdminProblem('name_taken', `A toolset ${name} already exists.`)
      const entry = unmask(config, undefined)
      const value = signOverrides(entry, undefined, { author: principal.name, fingerprintOf })
      await file.edit([{ path: ['toolsets', name], value }])
      return show(name)
    },
    async updateToolset({ params: { name }, body: { config } }, { match, principal }) {
      const before = file.toolsets().get(name)
      const entry = unmask(config, before)
      const signing = { author: principal.name, fingerprintOf }
      await change(name, match, signOverrides(entry, before, signing))
      return show(name)
    },
    async removeToolset({ params: { name } }, { match }) {
      await change(name, match, undefined)
      return { name }
    },
  } satisfies Partial<Handlers>
}

function maskAny(value: unknown): unknown {
  return maskValue(value, maskSecrets, WHOLE)
}

function mask(fixed: Json): Json {
  const masked = maskAny(fixed)
  return isJsonObject(masked) ? masked : {}
}

/** Replaces masks with the stored values. */
function unmask(sent: SetEntry, before: SetEntry | undefined): SetEntry {
  const restored = restore(sent, before) as SetEntry
  if (!JSON.stringify(restored).includes(MASKED)) return restored
  const detail = 'body.config: a mask has no stored value here. Enter the value.'
  throw new AdminProblem('invalid_request', detail)
}

function restore(sent: unknown, before: unknown): unknown {
  if (typeof sent === 'string' && sent !== before && sent === maskAny(before)) return before
  if (sent === MASKED && before !== undefined) return before
  if (Array.isArray(sent))
    return sent.map((part, at) => restore(part, Array.isArray(before) ? before[at] : undefined))
  if (!isJsonObject(sent)) return sent
  const known = isJsonObject(before) ? before : {}
  return Object.fromEntries(Object.entries(sent).map(([key, part]) => [key, restore(part, known[key])]))
}
