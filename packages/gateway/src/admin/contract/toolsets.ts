import { z } from 'zod'
import { fingerprint, name, pageOf } from './common.ts'

const problem = z.object({
  set: z.string(),
  /** The ids, `server:tool`, of the tools concerned. */
  tools: z.array(z.string()),
  /** `held`: the tools are not offered. `flagged`: they are, but should be looked at. */
  state: z.enum(['held', 'flagged']),
  why: z.string(),
})

const summary = z.object({
  name: z.string(),
  /** The path of the endpoint. */
  path: z.string(),
  surface: z.enum(['direct', 'search']),
  title: z.string().optional(),
  /** The number of tools that the set offers now. */
  tools: z.number(),
  /** The number of tools that it does not offer because of a problem. */
  held: z.number(),
  problems: z.array(problem),
})

const override = z.object({
  fingerprint,
  /** Who wrote the override: a person who used the admin API, or the name in the config. */
  author: z.string(),
  /** The fingerprint of the definition that the override was written for. */
  written_for: z.string().optional(),
  /** The arguments with a fixed value; secrets are masked. */
  arguments: z.record(z.string(), z.unknown()).optional(),
  hidden: z.array(z.string()).optional(),
  /** Hints by their names in MCP. */
  hints: z.record(z.string(), z.boolean()).optional(),
  vouched: z.literal(true).optional(),
  keep: z.array(z.string()).optional(),
  query: z.string().optional(),
  answer: z.number().optional(),
})

const setTool = z.object({
  /** The name in this set. */
  name: z.string(),
  /** The id, `server:tool`. */
  id: z.string(),
  title: z.string(),
  description: z.string(),
  call_with: z.string(),
  /** The input schema that agents see. */
  inputSchema: z.unknown(),
  /** The definition that was reviewed. */
  pinned: z.object({ fingerprint: z.string(), title: z.string(), description: z.string() }),
  override: override.optional(),
  remarks: z.array(z.string()),
})

/** One entry of `toolsets`; checked by the config loader. */
const entry = z.union([z.array(z.unknown()).max(5000), z.record(z.string(), z.unknown())])

const toolset = summary.extend({
  instructions: z.string().optional(),
  listed: z.array(setTool),
  /** The entry in the config file, with secrets masked. A mask that is sent back keeps the original value. */
  config: entry,
  /** The value to send as If-Match when changing the set. */
  etag: z.string(),
})

const params = z.strictObject({ name })

export const toolsetsContract = {
  listToolsets: { response: pageOf(summary) },
  getToolset: { params, response: toolset },
  addToolset: { body: z.strictObject({ name, config: entry }), response: toolset },
  updateToolset: { params, body: z.strictObject({ config: entry }), response: toolset },
  removeToolset: { params, response: z.object({ name: z.string() }) },
}
