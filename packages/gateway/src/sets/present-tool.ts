import {
  HINTS,
  type HintName,
  type HintValues,
  isSuspicious,
  scanTool,
  type ToolDefinition,
} from '@hintgate/metadata'
import { compileSchema } from '../arguments/compile-schema.ts'
import { SchemaOutline } from '../arguments/outline-schema.ts'
import type { CatalogTool } from '../catalog/catalog.ts'
import { findParamHeaders } from '../catalog/param-headers.ts'
import { toCatalogTool, withEffectiveHints } from '../catalog/to-catalog-tool.ts'
import type { Presentation } from '../config/config.ts'
import { foldKey } from '../protocol/field-path.ts'
import { isJsonObject, type Json } from '../protocol/messages.ts'
import { hideArguments } from './hide-arguments.ts'

/** A tool as one toolset offers it. */
export interface SetTool {
  /** The name by which agents of the set call it. */
  readonly name: string
  /** The tool by which calls are judged: the server's definition, with the hints that count in this set. */
  readonly tool: CatalogTool
  /** The tool as agents of the set see it. */
  readonly shown: CatalogTool
  readonly override: Presentation | undefined
  /** The arguments that agents neither see nor set. */
  readonly closed: readonly string[]
  /** What an operator should look at, although the tool is offered. */
  readonly remarks: readonly string[]
}

/** A tool of a set that is not offered, and why. */
export interface HeldBack {
  readonly kind: 'held'
  readonly why: string
}

/** Separates the server's name from the tool's name. No server's name contains it. */
export const SEPARATOR = '__'

export function defaultName(server: string, tool: string): string {
  return `${server}${SEPARATOR}${tool}`
}

/** Presents a tool as an override says. A tool whose fixed arguments do not fit its schema is held back. */
export function presentTool(
  tool: CatalogTool,
  override: Presentation | undefined,
  { isCut }: { readonly isCut: boolean },
): SetTool | HeldBack {
  const name = override?.name ?? defaultName(tool.server, tool.name)
  if (override === undefined)
    return { name, tool, shown: renamed(tool, name, isCut), override, closed: [], remarks: [] }
  const closed = [...Object.keys(override.arguments), ...override.hidden]
  const why = findMisfit(tool.definition.inputSchema, override)
  if (why !== undefined) return { kind: 'held', why }
  const judged = judge(tool, override)
  const definition = present({ ...tool.definition, name }, { override, closed, isCut })
  const { consequence, title } = judged.assessment
  const targets = consequence.targets.filter(name => !closed.includes(name))
  const assessment = {
    ...judged.assessment,
    title: override.title ?? title,
    consequence: { ...consequence, targets },
  }
  const shown: CatalogTool = {
    ...judged,
    alias: name,
    definition,
    assessment,
    shown: withEffectiveHints(definition, assessment),
    paramHeaders: findParamHeaders(definition.inputSchema),
  }
  return { name, tool: judged, shown, override, closed, remarks: remarksOn(tool, override, definition) }
}

function renamed(tool: CatalogTool, name: string, isCut: boolean): CatalogTool {
  const definition = { ...tool.definition, name }
  const { outputSchema, ...shown } = tool.shown
  const output = isCut || outputSchema === undefined ? {} : { outputSchema }
  return { ...tool, alias: name, definition, shown: { ...shown, name, ...output } }
}

/**
 * Judges a tool again with the set's hints, by the same rule of trust as elsewhere: hints that tighten count, and hints
 * that relax only if they are vouched for.
 */
function judge(tool: CatalogTool, { hints, isVouched, author }: Presentation): CatalogTool {
  const counted = isVouched ? hints : tightening(hints)
  if (Object.keys(counted).length === 0) return tool
  const { basis, definition, server } = tool
  const before = basis.override
  const override = { by: author, at: '', ...before, hints: { ...before?.hints, ...counted } }
  return toCatalogTool(server, definition, { ...basis, override })
}

function tightening(hints: HintValues): HintValues {
  return Object.fromEntries(
    Object.entries(hints).filter(([hint, value]) => value === HINTS[hint as HintName].strict),
  )
}

interface Presenting {
  readonly override: Presentation
  readonly closed: readonly string[]
  /** True if long answers are cut. */
  readonly isCut: boolean
}

function present(definition: ToolDefinition, { override, closed, isCut }: Presenting): ToolDefinition {
  const { title, description, keep, query } = override
  const { outputSchema, ...rest } = definition
  const isWhole = !isCut && keep === undefined && query === undefined
  const annotations = isJsonObject(rest.annotations) ? rest.annotations : {}
  return {
    ...rest,
    // A part of a result does not match the schema of the whole one.
    ...(outputSchema !== undefined && isWhole ? { outputSchema } : {}),
    ...(closed.length === 0 ? {} : { inputSchema: hideArguments(rest.inputSchema, closed) }),
    ...(title === undefined ? {} : { title, annotations: { ...annotations, title } }),
    ...(description === undefined ? {} : { description }),
  }
}

/** Returns why the fixed and hidden arguments do not fit a tool's schema; undefined if they do. */
function findMisfit(schema: unknown, { arguments: fixed, hidden }: Presentation): string | undefined {
  const names = Object.keys(fixed)
  if (names.length + hidden.length === 0) return undefined
  if (!isJsonObject(schema)) return 'the tool has no schema for arguments'
  const declared = new SchemaOutline(schema, foldKey).begin()
  const missing = names.find(name => declared?.has(name) !== true)
  if (missing !== undefined) return `the tool has no argument ${JSON.stringify(missing)} any more`
  const demanded = hidden.find(name => Array.isArray(schema.required) && schema.required.includes(name))
  if (demanded !== undefined) return `the tool requires ${JSON.stringify(demanded)}, which the set hides`
  const problem = compileSchema(onlyOf(schema, names))(fixed)
  if (problem === undefined) return undefined
  return `the fixed value of ${JSON.stringify(problem.field)} does not fit: the tool expects ${problem.expected}`
}

/** Returns the part of a schema that says what the values of some members can be. */
function onlyOf({ $schema, $defs, definitions, properties }: Json, names: readonly string[]): Json {
  const members = isJsonObject(properties) ? Object.entries(properties) : []
  return {
    ...($schema === undefined ? {} : { $schema }),
    ...($defs === undefined ? {} : { $defs }),
    ...(definitions === undefined ? {} : { definitions }),
    properties: Object.fromEntries(members.filter(([name]) => names.includes(name))),
  }
}

/** Shorter names of arguments are not looked for, because they often occur by accident as parts of words. */
const SHORTEST_NAME = 3

function remarksOn(tool: CatalogTool, override: Presentation, definition: ToolDefinition): readonly string[] {
  const { hints, isVouched, writtenFor, arguments: fixed, hidden } = override
  const loose = isVouched ? [] : Object.keys(hints).filter(hint => !(hint in tightening(hints)))
  const said = JSON.stringify(definition)
  const named = [...Object.keys(fixed), ...hidden].filter(
    name => name.length >= SHORTEST_NAME && said.includes(name),
  )
  const scanned = isSuspicious(scanTool({ ...definition, name: tool.name }, { server: tool.server }))
  return [
    ...(writtenFor === undefined || writtenFor === tool.fingerprint
      ? []
      : ['the override was written for another version of the definition']),
    ...loose.map(
      hint => `${HINTS[hint as HintName].wire} relaxes, so it does not count without "vouched": true`,
    ),
    ...named.map(name => `the definition that agents see still mentions ${JSON.stringify(name)}`),
    ...(scanned ? ['the scanner finds instructions or hidden text in the definition that agents see'] : []),
  ]
}
