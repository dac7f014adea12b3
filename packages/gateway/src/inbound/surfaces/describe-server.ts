import type { Catalog } from '../../catalog/catalog.ts'
import type { ResultRules, Rules } from '../../policy/rules.ts'
import { isJsonObject, type Json } from '../../protocol/messages.ts'
import { isText, writeJson } from '../../protocol/parse-json.ts'
import { type Beside, type Checked, checkResult, checkResultBeside } from '../../results/check-result.ts'
import { beforePair } from '../../results/kept/measure-json.ts'
import type { Handshake } from '../../upstream/connection/upstream-request.ts'
import type { UpstreamServer } from '../../upstream/upstream-server.ts'
import type { Origin } from './answer-call.ts'

/** A server's description of itself, as far as agents may see it. */
export interface ServerDescription extends Origin {
  readonly serverInfo: Json
  readonly capabilities: Json
}

interface DescribeDeps {
  readonly catalog: Pick<Catalog, 'isWhollyHeld'>
  readonly rules: () => Pick<Rules, 'results'>
}

interface Kept {
  readonly rules: ResultRules
  readonly isHeld: boolean
  readonly description: ServerDescription
}

/** The description of each connection, cached because every answer to a modern client includes it. */
const kept = new WeakMap<Handshake, Kept>()

/**
 * Returns a server's description of itself. No operator reviews it, and agents see it with every answer, so only the
 * protocol's members are kept, cut to a limit and screened. Of a server that waits for review, agents see only the
 * operator's name for it and its capabilities.
 */
export function describeServer(server: UpstreamServer, deps: DescribeDeps): ServerDescription | undefined {
  const { handshake, name } = server
  if (handshake === undefined) return undefined
  const rules = deps.rules().results(name)
  const isHeld = deps.catalog.isWhollyHeld(server)
  const known = kept.get(handshake)
  if (known?.rules === rules && known.isHeld === isHeld) return known.description
  const description = isHeld ? describeHeld(name, handshake) : describeFully(name, handshake, rules)
  kept.set(handshake, { rules, isHeld, description })
  return description
}

/** A placeholder, because the protocol requires a version and a server that waits for review may not state one. */
const UNKNOWN_VERSION = { version: '0.0.0' }

/** Describes a server that waits for review. The era is left out, so that no result of the server passes unchanged. */
function describeHeld(name: string, { capabilities }: Handshake): ServerDescription {
  return { serverInfo: { name, ...UNKNOWN_VERSION }, capabilities: readFeatures(capabilities) }
}

function describeFully(name: string, said: Handshake, rules: ResultRules): ServerDescription {
  const { era, serverInfo, capabilities } = said
  return {
    era,
    serverInfo: { name, ...UNKNOWN_VERSION, ...readInfo(isJsonObject(serverInfo) ? serverInfo : {}, rules) },
    capabilities: { ...readFeatures(capabilities), ...readOwnFeatures(capabilities, rules) },
  }
}

/** The most characters of each text. */
const TEXTS: ReadonlyMap<string, number> = new Map([
  ['name', 256],
  ['version', 256],
  ['title', 256],
  ['description', 2048],
  ['websiteUrl', 2048],
])
/** The most characters of all icons as JSON; their URLs may contain small pictures. */
const MOST_ICONS = 16_384

function readInfo(said: Json, rules: ResultRules): Json {
  const members = Object.entries(said).map(([key, value]) => [key, readMember(key, value, rules)] as const)
  return Object.fromEntries(members.filter(([, value]) => value !== undefined))
}

function readMember(key: string, value: unknown, rules: ResultRules): unknown {
  if (key === 'icons') return Array.isArray(value) && isSmall(value, MOST_ICONS, rules) ? value : undefined
  const most = TEXTS.get(key)
  return most === undefined || !isText(value) ? undefined : screenOwnWords(cut(value, most), rules)
}

/**
 * The protocol's server capabilities, each with its flags. Tasks are left out, because their results would bypass the
 * checks.
 */
const FEATURES: Readonly<Record<string, readonly string[]>> = {
  tools: ['listChanged'],
  prompts: ['listChanged'],
  resources: ['subscribe', 'listChanged'],
  completions: [],
  logging: [],
}

function readFeatures(said: Json): Json {
  const offered = Object.entries(FEATURES).filter(([key]) => isJsonObject(said[key]))
  return Object.fromEntries(offered.map(([key, flags]) => [key, readFlags(said[key] as Json, flags)]))
}

function readFlags(said: Json, flags: readonly string[]): Json {
  const known = flags.filter(flag => typeof said[flag] === 'boolean')
  return Object.fromEntries(known.map(flag => [flag, said[flag]]))
}

/** Capabilities whose members may have any name, because servers and clients agree on them. */
const OWN_FEATURES = ['experimental', 'extensions']
const MOST_OWN = 4096

function readOwnFeatures(said: Json, rules: ResultRules): Json {
  const small = OWN_FEATURES.filter(key => isJsonObject(said[key]) && isSmall(said[key], MOST_OWN, rules))
  return Object.fromEntries(small.map(key => [key, said[key]]))
}

/** True if a value is short and needs no change, because a part of it would be useless. */
function isSmall(value: unknown, most: number, rules: ResultRules): boolean {
  return writeJson(value).length <= most && screenOwnWords(value, rules) === value
}

/** Cuts a server's text to a limit, because agents see it with every answer. */
export function cut(text: string, most: number): string {
  return text.length <= most ? text : text.slice(0, beforePair(text, most))
}

/**
 * Returns a value as agents may see it. Undefined if it must be held back or needs a warning, because a description has
 * no place for a warning.
 */
function screenOwnWords(value: unknown, rules: ResultRules): unknown {
  return shownOf(value, checkResult({ value }, checkingBy(rules)))
}

/** Screens a text that may be long, like `screenOwnWords`. */
export async function screenOwnText(
  text: string,
  rules: ResultRules,
  beside: Beside,
): Promise<string | undefined> {
  const checked = await checkResultBeside({ value: text }, checkingBy(rules), beside)
  return shownOf(text, checked) as string | undefined
}

function shownOf(value: unknown, checked: Checked): unknown {
  if (checked.kind === 'clean') return value
  return checked.kind === 'changed' && checked.warning === undefined ? checked.result.value : undefined
}

function checkingBy(rules: ResultRules) {
  return { rules, isOpenWorld: true, misfit: undefined }
}
