import {
  type Behavior,
  HTTP_METHODS,
  hintsForHttpMethod,
  humaniseName,
  operationForHttpMethod,
  SPEC_HINTS,
} from '@hintgate/metadata'
import type { AnyTool, Claims } from '../authoring/tool-spec.ts'
import type { Context } from '../call/context.ts'
import type { ToolkitFinding } from '../start/toolkit-error.ts'
import { asRecord, asText, isRecord, type Json, UnusableOperation } from './document.ts'
import { fromJson } from './json-schema-input.ts'
import { type Operation, readOperation } from './operation.ts'
import { type Service, sendRequest } from './send-request.ts'

export interface OpenApiOptions extends Partial<Service> {
  /** A prefix for every tool name. */
  readonly prefix?: string
}

interface ReadOpenApi {
  readonly tools: readonly AnyTool[]
  readonly findings: readonly ToolkitFinding[]
}

/** The fields that `x-hintgate` on an operation can have. */
const OVERRIDES = new Set(
  'name title description action tags extras preset category annotations behavior strict serviceDomains preview hidden'.split(
    ' ',
  ),
)

/** Returns the name and version for a server that is created from a document. */
export function describeDocument(document: unknown): { name: string; version: string } {
  const { title, version } = asRecord(asRecord(document).info)
  const name = asText(title)
    ?.toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
  return { name: name ?? 'openapi', version: asText(version) ?? '0.0.0' }
}

/** Creates a tool for every operation. The HTTP method determines the hints, and `x-hintgate` overrides them. */
export function readOpenApi(document: unknown, options: OpenApiOptions): ReadOpenApi {
  if (!isRecord(document) || !String(document.openapi).startsWith('3.'))
    return { tools: [], findings: [problem('openapi', 'This is not an OpenAPI 3 document.')] }
  const baseUrl = options.baseUrl ?? serverUrl(document)
  if (baseUrl === undefined || !URL.canParse(baseUrl))
    return {
      tools: [],
      findings: [problem('openapi', 'The document has no absolute server URL. Pass baseUrl.')],
    }
  const service = { headers: {}, fetch: globalThis.fetch, ...options, baseUrl }
  const read = findOperations(document).map(found => tryTool(document, found, { service, options }))
  return {
    tools: read.flatMap(({ tool }) => (tool === undefined ? [] : [tool])),
    findings: read.flatMap(({ findings }) => findings),
  }
}

/** Returns the URL of the document's first server, with default values for the variables in it. */
function serverUrl({ servers }: Json): string | undefined {
  const [server] = Array.isArray(servers) ? servers : []
  const { url, variables } = asRecord(server)
  return asText(url)?.replaceAll(
    /\{([^{}]+)\}/g,
    (_, name: string) => asText(asRecord(asRecord(variables)[name]).default) ?? '',
  )
}

interface Found {
  readonly method: string
  readonly path: string
  readonly item: Json
  readonly operation: Json
}

function findOperations({ paths }: Json): Found[] {
  return Object.entries(asRecord(paths)).flatMap(([path, item]) =>
    Object.entries(asRecord(item))
      .filter(
        ([method, operation]) => Object.hasOwn(HTTP_METHODS, method.toUpperCase()) && isRecord(operation),
      )
      .map(([method, operation]) => ({ method, path, item: asRecord(item), operation: asRecord(operation) })),
  )
}

interface Making {
  readonly service: Service
  readonly options: OpenApiOptions
}

function tryTool(
  document: Json,
  found: Found,
  { service, options }: Making,
): { tool?: AnyTool; findings: ToolkitFinding[] } {
  const written = { ...asRecord(document['x-hintgate']), ...asRecord(found.operation['x-hintgate']) }
  const said = Object.fromEntries(Object.entries(written).filter(([key]) => OVERRIDES.has(key)))
  const strangers = Object.keys(written).filter(key => !OVERRIDES.has(key))
  const name = `${options.prefix ?? ''}${asText(said.name) ?? nameOf(found)}`
  const findings = strangers.map(key => problem(name, `x-hintgate has no field "${key}".`, 'unknown-field'))
  if (said.hidden === true) return { findings }
  try {
    const operation = readOperation(document, found)
    return { tool: makeTool(name, { found, said, operation, service }), findings }
  } catch (error) {
    if (!(error instanceof UnusableOperation)) throw error
    return {
      findings: [
        ...findings,
        { ...problem(name, `The operation is skipped: ${error.message}`), level: 'warning' },
      ],
    }
  }
}

interface Ingredients {
  readonly found: Found
  readonly said: Json
  readonly operation: Operation
  readonly service: Service
}

function makeTool(name: string, { found, said, operation, service }: Ingredients): AnyTool {
  const { method, path, operation: written } = found
  const { name: _, hidden: __, behavior: ___, ...overrides } = said
  const summary = asText(written.summary)
  const { tags } = written
  return {
    title: summary ?? humaniseName(name),
    description: asText(written.description) ?? summary ?? `${method.toUpperCase()} ${path}`,
    ...(Array.isArray(tags) ? { tags } : {}),
    // These fields are checked later, together with the fields of all other tools.
    ...(overrides as Claims),
    name,
    behavior: behaviorOf(method, said),
    input: fromJson(operation.inputSchema),
    execute: (ctx: Context<unknown>, args: unknown) => sendRequest(operation, service, { ctx, args }),
  }
}

/** Returns the hints that the HTTP method implies, unless `x-hintgate` declares hints in any form. */
function behaviorOf(method: string, said: Json): Behavior {
  const annotations = asRecord(said.annotations)
  const isSaid = said.preset !== undefined || said.category !== undefined
  const promised = Object.entries(hintsForHttpMethod(method)).filter(
    ([hint]) => !(isSaid || SPEC_HINTS.some(name => name === hint && `${name}Hint` in annotations)),
  )
  const effect = operationForHttpMethod(method)
  return {
    ...(effect === undefined || isSaid ? {} : { operations: [effect] }),
    ...Object.fromEntries(promised),
    ...asRecord(said.behavior),
  }
}

/** An operation without an id is named after its path: `GET /users/{id}` becomes `get_users_by_id`. */
function nameOf({ method, path, operation }: Found): string {
  const given = asText(operation.operationId)
  if (given !== undefined) return given.replaceAll(/[^A-Za-z0-9_.-]+/g, '_')
  const words = path.replaceAll(/\{([^{}]+)\}/g, 'by_$1').split(/[^A-Za-z0-9]+/)
  return [method, ...words.filter(word => word !== '')].join('_')
}

function problem(subject: string, message: string, code = 'unusable-document'): ToolkitFinding {
  return { subject, code, level: 'error', path: '', message, fix: 'Fix the document.' }
}
