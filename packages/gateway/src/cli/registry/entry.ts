import { z } from 'zod'

/**
 * An entry of an MCP registry (`server.json`). Its author is not trusted, so every text is limited, and keys that the
 * gateway does not use are dropped.
 */
const text = z.string().max(4096)
const some = <T extends z.ZodType>(item: T) => z.array(item).max(100).optional()

const input = z.object({
  description: text.optional(),
  isRequired: z.boolean().optional(),
  isSecret: z.boolean().optional(),
  value: text.optional(),
  default: text.optional(),
  choices: some(text),
})

const withVariables = input.extend({ variables: z.record(z.string(), input).optional() })
const named = withVariables.extend({ name: text })

const argument = withVariables.extend({
  type: z.enum(['positional', 'named']),
  name: text.optional(),
  valueHint: text.optional(),
  isRepeated: z.boolean().optional(),
})

const transport = z.object({
  type: text,
  url: text.optional(),
  headers: some(named),
  variables: z.record(z.string(), input).optional(),
})

const pack = z.object({
  registryType: text,
  identifier: text,
  version: text.optional(),
  transport,
  runtimeHint: text.optional(),
  runtimeArguments: some(argument),
  packageArguments: some(argument),
  environmentVariables: some(named),
})

const server = z.object({
  name: z.string().regex(/^[a-zA-Z0-9.-]{1,120}\/[a-zA-Z0-9._-]{1,120}$/),
  title: text.optional(),
  description: text.optional(),
  version: text,
  repository: z.object({ url: text }).optional(),
  packages: some(pack),
  remotes: some(transport),
})

const official = z.object({ status: text.optional(), publishedAt: text.optional() })

export type Input = z.infer<typeof withVariables>
export type NamedInput = z.infer<typeof named>
export type Argument = z.infer<typeof argument>
export type Package = z.infer<typeof pack>
export type Remote = z.infer<typeof transport>

export interface Entry extends z.infer<typeof server> {
  /** What the registry says about the entry: active, deprecated or deleted. */
  readonly status: string
  readonly publishedAt?: string | undefined
}

const OFFICIAL = 'io.modelcontextprotocol.registry/official'

/** Reads an entry with or without the registry's own data around it. Returns undefined if it is not a valid entry. */
export function readEntry(value: unknown): Entry | undefined {
  const wrapped = z.object({ server: z.unknown(), _meta: z.record(z.string(), z.unknown()).optional() })
  const { server: inner, _meta: remarks } = wrapped.safeParse(value).data ?? {}
  const read = server.safeParse(inner ?? value)
  if (!read.success) return undefined
  const { status = 'active', publishedAt } = official.safeParse(remarks?.[OFFICIAL]).data ?? {}
  return { ...read.data, status, publishedAt }
}

/** Reads a page of entries, and counts those that cannot be used. */
export function readEntries(value: unknown): { entries: readonly Entry[]; unreadable: number } {
  const page = z.object({ servers: z.array(z.unknown()) }).safeParse(value)
  const all = page.data?.servers ?? []
  const entries = all.flatMap(item => readEntry(item) ?? [])
  return { entries, unreadable: all.length - entries.length }
}
