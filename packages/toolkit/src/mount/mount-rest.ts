import type { GetPromptResult, ReadResourceResult } from '@modelcontextprotocol/server'
import * as z from 'zod'
import type { Shape } from '../input/input.ts'
import type { PromptEntry, ResourceEntry } from '../start/entries.ts'
import type { Home } from '../start/home.ts'
import type { Peer } from './peer.ts'

type Json = Readonly<Record<string, unknown>>

export async function mountResources(peer: Peer, home: Home): Promise<ResourceEntry[]> {
  if (peer.capabilities.resources === undefined) return []
  const fixed = await peer.list('resources/list', 'resources')
  const templates = await peer.list('resources/templates/list', 'resourceTemplates')
  return [
    ...fixed.map(({ uri, name, ...metadata }) =>
      toResource({ uri, name, metadata, isTemplate: false }, peer, home),
    ),
    ...templates.map(({ uriTemplate, name, ...metadata }) =>
      toResource({ uri: uriTemplate, name, metadata, isTemplate: true }, peer, home),
    ),
  ]
}

interface Listed {
  readonly uri: unknown
  readonly name: unknown
  readonly metadata: Json
  readonly isTemplate: boolean
}

function toResource({ uri, name, metadata, isTemplate }: Listed, peer: Peer, home: Home): ResourceEntry {
  return {
    name: String(name),
    home,
    uri: String(uri),
    isTemplate,
    metadata,
    read: async ({ signal }, { href }) =>
      (await peer.request('resources/read', { uri: href }, { signal })) as ReadResourceResult,
  }
}

export async function mountPrompts(peer: Peer, home: Home, prefix: string): Promise<PromptEntry[]> {
  if (peer.capabilities.prompts === undefined) return []
  const prompts = await peer.list('prompts/list', 'prompts')
  return prompts.map(({ name, title, description, arguments: described }) => ({
    name: `${prefix}${String(name)}`,
    home,
    title: typeof title === 'string' ? title : undefined,
    description: typeof description === 'string' ? description : undefined,
    input: Array.isArray(described) && described.length > 0 ? toShape(described) : undefined,
    render: async ({ signal }, args) =>
      (await peer.request('prompts/get', { name, arguments: args }, { signal })) as GetPromptResult,
  }))
}

function toShape(described: readonly Json[]): Shape {
  const fields = described.map(({ name, description, required }) => {
    const text = typeof description === 'string' ? z.string().describe(description) : z.string()
    return [String(name), required === true ? text : text.optional()]
  })
  return Object.fromEntries(fields)
}
