import { SERVICE_DOMAINS } from '@hintgate/metadata'
import { compile } from '@jmespath-community/jmespath'
import { z } from 'zod'
import { RESERVED_TOOL_NAMES } from '../../protocol/reserved-tools.ts'
import { count, glob, maybe } from './leaves.ts'

/** The keys of hints in `hints` and in overrides, as in `overrides` at the top of the config. */
type HintFields = Readonly<Record<string, z.ZodOptional<z.ZodBoolean>>>

const ALIAS = /^[A-Za-z0-9][A-Za-z0-9_.-]{0,63}$/

const alias = z.string().superRefine((name, ctx) => {
  const isTaken = RESERVED_TOOL_NAMES.has(name.toLowerCase())
  if (ALIAS.test(name) && !isTaken) return
  ctx.addIssue({
    code: 'custom',
    message: isTaken ? `${name} is a tool of Hintgate itself` : 'invalid tool name',
    params: {
      fix: isTaken
        ? 'choose another name'
        : 'use 1 to 64 letters, digits, dots, dashes and underscores, starting with a letter or digit',
    },
  })
})

const pointer = z.string().superRefine((value, ctx) => {
  if (/^(?:\/(?:[^~/]|~[01])+)+$/.test(value)) return
  ctx.addIssue({
    code: 'custom',
    message: 'expected a JSON Pointer',
    params: { fix: 'write a path such as "/name" or "/customer/email"; it also passes through lists' },
  })
})

/** Maximum length of an expression. A longer one belongs in the server. */
const LONGEST_QUERY = 2000

const query = z
  .string()
  .max(LONGEST_QUERY)
  .superRefine((value, ctx) => {
    try {
      compile(value)
    } catch (error) {
      ctx.addIssue({
        code: 'custom',
        message: 'this JMESPath expression cannot be read',
        params: { fix: error instanceof Error ? error.message : 'see https://jmespath.site' },
      })
    }
  })
  .meta({ examples: ['items[].{id: id, name: name}'] })

/** Creates the schema of `toolsets`. The hints are those of `overrides`. */
export function toolsetSchema(hintFields: HintFields) {
  const selection = z.strictObject({
    tools: maybe(z.array(glob), 'Tools, as tool or server:tool with *.'),
    servers: maybe(z.array(glob), 'Servers; * matches any characters.'),
    hints: maybe(
      z.strictObject(hintFields),
      'Effective hints that a tool must have. A hint that is not vouched for does not count.',
    ),
    domains: maybe(z.array(z.enum(SERVICE_DOMAINS)), 'Service domains; a tool must have one of them.'),
    tags: maybe(z.array(z.string().min(1)), 'Tags; a tool must declare one of them.'),
  })
  const override = z
    .strictObject({
      name: maybe(alias, "The tool's name in this set. Default: server__tool."),
      title: maybe(z.string().min(1).max(256), "The tool's title in this set."),
      description: maybe(z.string().min(1).max(16_384), "The tool's description in this set."),
      hints: maybe(
        z.strictObject(hintFields),
        'Hints of the tool in this set. They can only tighten its own hints, unless `vouched` is true.',
      ),
      vouched: maybe(
        z.boolean(),
        "Whether you vouch for hints here that relax the tool's own. Default: false.",
      ),
      arguments: maybe(
        z.record(z.string().min(1), z.unknown()),
        'Arguments with a fixed value. Agents neither see nor set them.',
      ),
      hidden: maybe(
        z.array(z.string().min(1)),
        'Arguments that agents neither see nor set, and that are not sent.',
      ),
      keep: maybe(
        z.array(pointer).min(1),
        'The fields of a result that agents see, as JSON Pointers, which pass through lists.',
      ),
      query: maybe(query, 'A JMESPath expression; agents see its value instead of the result.'),
      answer: maybe(count, 'Maximum number of characters in an answer of this tool.'),
      author: maybe(z.string().min(1).max(128), 'Who wrote this override.'),
      fingerprint: maybe(
        z.string().regex(/^[0-9a-f]{64}$/),
        'The fingerprint of the definition that this override was written for.',
      ),
    })
    .superRefine((given, ctx) => {
      const complain = (path: string, message: string, fix: string) =>
        ctx.addIssue({ code: 'custom', path: [path], message, params: { fix } })
      if (given.keep !== undefined && given.query !== undefined)
        complain('query', '`keep` and `query` exclude each other', 'remove one of them')
      const both = given.hidden?.find(name => Object.hasOwn(given.arguments ?? {}, name))
      if (both !== undefined)
        complain('hidden', `${both} has a fixed value, so it is hidden anyway`, `remove ${both} here`)
    })
  const choice = z.union([glob, selection], {
    error: 'expected a tool such as "crm:get_*", or an object such as { "servers": ["crm"] }',
  })
  const list = z.array(choice).min(1)
  const toolset = z.strictObject({
    title: maybe(z.string().min(1).max(256), 'The title that clients show for the set.'),
    instructions: maybe(z.string().min(1).max(16_384), 'Instructions to agents about the set.'),
    surface: maybe(
      z.enum(['direct', 'search']),
      'direct: agents see the tools themselves. search: agents find them with retrieve_tools. Default: direct.',
    ),
    select: z
      .union([list, selection], { error: 'expected a list of tools and selections, or one selection' })
      .describe('The tools of the set: those that match any entry of the list.'),
    except: maybe(z.array(glob), 'Tools that are not in the set, as tool or server:tool with *.'),
    answer: maybe(
      count,
      'Maximum number of characters in an answer; the rest is read with read_result. Default: `limits.answer` with search, none with direct.',
    ),
    resources: maybe(
      z.array(glob),
      'Servers whose resources, prompts and completions the set offers; * matches any characters. Default: none.',
    ),
    overrides: maybe(
      z.record(z.string(), override),
      'How the set presents each tool. The keys are ids of tools, such as "crm:get_contact".',
    ),
  })
  return z.union([list, toolset], {
    error: 'expected a list of tools such as ["crm:get_*"], or an object with "select"',
  })
}

export type ToolsetInput = z.output<ReturnType<typeof toolsetSchema>>
