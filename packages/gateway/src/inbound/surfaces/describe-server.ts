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

/** Cached, because every answer to a modern client has it. */
const kept = new WeakMap<Handshake, Kept>()

/**
 * A server's description of itself, which no operator reviews and which agents see with every answer. So only the
 * members of the protocol are kept, with limits, and they are screened. A server that waits for review has no
 * description.
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

/** Both members are required; only the operator's name for the server is vouched for. */
const UNKNOWN_VERSION = { version: '0.0.0' }

/** Without an era, so that no result of it passes unchanged. */
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

/** In characters, by member. */
const TEXTS: ReadonlyMap<string, number> = new Map([
  ['name', 256],
  ['version', 256],
  ['title', 256],
  ['description', 2048],
  ['websiteUrl', 2048],
])
/** All icons as JSON: their addresses may contain small pictures. */
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
 * What the protocol lets a server offer, with the flags of each. Tasks are left out, because their results would bypass
 * the checks.
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

/** Extensions between servers and clients may have any name. */
const OWN_FEATURES = ['experimental', 'extensions']
const MOST_OWN = 4096

function readOwnFeatures(said: Json, rules: ResultRules): Json {
  const small = OWN_FEATURES.filter(key => isJsonObject(said[key]) && isSmall(said[key], MOST_OWN, rules))
  return Object.fromEntries(small.map(key => [key, said[key]]))
}

/** Short, and without anything that must be changed: a part of it is useless. */
function isSmall(value: unknown, most: number, rules: ResultRules): boolean {
  return writeJson(value).length <= most && screenOwnWords(value, rules) === value
}

/** Cuts a server's text to a limit, because agents see it with every answer. */
export function cut(text: string, most: number): string {
  return text.length <= most ? text : text.slice(0, beforePair(text, most))
}

/**
 * The text as agents may see it; undefined if it must be held back, or needs a warning, for which there is no place
 * here.
 */
function screenOwnWords(value: unknown, rules: ResultRules): unknown {
  return shownOf(value, checkResult({ value }, checkingBy(rules)))
}

/** The same for texts that may be long. */
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
