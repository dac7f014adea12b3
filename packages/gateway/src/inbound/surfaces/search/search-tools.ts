import { CALL_VARIANTS, type CallVariant } from '@hintgate/metadata'
import type { Json } from '../../../protocol/messages.ts'
import type { Permission } from '../../../scope/scope.ts'

/** One of the search surface's own tools. Every agent reads all of their descriptions first, so these must be short. */
export interface SearchTool {
  readonly name: SearchToolName
  /** A caller needs any one of these permissions to see and use the tool. */
  readonly permissions: readonly Permission[]
  readonly definition: Json
}

type SearchToolName = 'retrieve_tools' | 'describe_tool' | 'call_tools_read' | 'read_result' | CallVariant

const READS = { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false }
const NAME = { type: 'string', description: 'server:tool' }
const ARGS = { type: 'object' }
const STRINGS = { type: 'array', items: { type: 'string' }, maxItems: 100 }
const FLAG = { type: 'boolean' }

function input(properties: Json, required: readonly string[]): Json {
  return { type: 'object', properties, required, additionalProperties: false }
}

function output(properties: Json, required: readonly string[]): Json {
  return { type: 'object', properties, required }
}

const INTENT = {
  type: 'object',
  properties: {
    operation_type: { enum: ['read', 'write', 'destructive'] },
    data_sensitivity: { enum: ['public', 'internal', 'private', 'unknown'] },
    reason: { type: 'string' },
  },
  additionalProperties: false,
}

const VARIANTS: Readonly<Record<CallVariant, { does: string; annotations: Json }>> = {
  call_tool_read: {
    does: 'reads',
    annotations: { ...READS, openWorldHint: true },
  },
  call_tool_write: {
    does: 'writes',
    annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: false, openWorldHint: true },
  },
  call_tool_destructive: {
    does: 'may destroy',
    annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: false, openWorldHint: true },
  },
}

function callTool(variant: CallVariant): SearchTool {
  const { does, annotations } = VARIANTS[variant]
  return {
    name: variant,
    permissions: [variant],
    definition: {
      name: variant,
      description: `Call a tool that ${does}, as its call_with says.`,
      inputSchema: input({ name: NAME, args: ARGS, intent: INTENT }, ['name']),
      annotations,
    },
  }
}

const RETRIEVE: SearchTool = {
  name: 'retrieve_tools',
  permissions: ['retrieve_tools'],
  definition: {
    name: 'retrieve_tools',
    description:
      'Find tools by what they do. Each has an id, a signature, and in call_with the tool to call it with.',
    inputSchema: input(
      {
        query: { type: 'string', maxLength: 2000 },
        limit: { type: 'integer', minimum: 1, maximum: 50, default: 8 },
        servers: STRINGS,
        domains: { ...STRINGS, description: 'Preferred, not required' },
        category: { enum: ['read', 'write', 'delete'] },
        read_only: FLAG,
        exclude_destructive: FLAG,
        exclude_open_world: FLAG,
        idempotent: FLAG,
        detail: { enum: ['compact', 'full'], default: 'compact', description: 'full adds inputSchema' },
        max_tokens: { type: 'integer', minimum: 100 },
      },
      ['query'],
    ),
    outputSchema: output(
      {
        tools: { type: 'array', items: { type: 'object' } },
        total: { type: 'integer' },
        query: { type: 'string' },
      },
      ['tools', 'total', 'query'],
    ),
    annotations: READS,
  },
}

const DESCRIBE: SearchTool = {
  name: 'describe_tool',
  permissions: ['retrieve_tools'],
  definition: {
    name: 'describe_tool',
    description: 'The full definition of one tool.',
    inputSchema: input({ name: NAME }, ['name']),
    outputSchema: output({ id: { type: 'string' }, inputSchema: { type: 'object' } }, ['id']),
    annotations: READS,
  },
}

const BATCH: SearchTool = {
  name: 'call_tools_read',
  permissions: ['call_tool_read'],
  definition: {
    name: 'call_tools_read',
    description: 'Call several tools that only read. If one does more, none is called.',
    inputSchema: input(
      {
        calls: {
          type: 'array',
          minItems: 1,
          items: input({ name: NAME, args: ARGS }, ['name']),
        },
        max_parallel: { type: 'integer', minimum: 1, maximum: 16, default: 8 },
      },
      ['calls'],
    ),
    outputSchema: output({ results: { type: 'array', items: { type: 'object' } } }, ['results']),
    annotations: { ...READS, openWorldHint: true },
  },
}

const READ_RESULT: SearchTool = {
  name: 'read_result',
  permissions: CALL_VARIANTS,
  definition: {
    name: 'read_result',
    description: 'Read more of a result that was cut.',
    inputSchema: input(
      {
        handle: { type: 'string' },
        cursor: { type: 'string' },
        part: { type: 'string', description: 'JSON Pointer' },
        limit: { type: 'integer', minimum: 1 },
      },
      ['handle'],
    ),
    outputSchema: output({ part: { type: 'string' }, next: { type: 'string' } }, ['part']),
    annotations: READS,
  },
}

/** The search surface's own tools, in the order in which an agent uses them. */
export const SEARCH_TOOLS: readonly SearchTool[] = [
  RETRIEVE,
  DESCRIBE,
  ...CALL_VARIANTS.map(callTool),
  BATCH,
  READ_RESULT,
]
