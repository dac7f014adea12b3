import type { Catalog } from '../../catalog/catalog.ts'
import type { ResultRules, Rules } from '../../policy/rules.ts'
import { isJsonObject, type Json } from '../../protocol/messages.ts'
import { isText, writeJson } from '../../protocol/parse-json.ts'
import { type Beside, type Checked, checkResult, checkResultBeside } from '../../results/check-result.ts'
import { beforePair } from '../../results/kept/measure-json.ts'
import type { Handshake } from '../../upstream/connection/upstream-request.ts'
import type { UpstreamServer } from '../../upstream/upstream-server.ts'
import type { Origin } from './answer-call.ts'

/** The part of a server's description of itself that agents are allowed to see. */
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

/** The server description for each connection. It is cached, because every answer to a modern client includes it. */
const kept = new WeakMap<Handshake, Kept>()

/**
 * Returns a server's description of itself. No operator reviews it, and agents see it with every answer. Therefore only
 * the members that the protocol defines are kept, cut to a limit and screened. If the server waits for review, agents
 * see only the operator's name for it and its capabilities.
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

/** A placeholder. The protocol requires a version, but the version of a server that waits for review is not shown. */
const UNKNOWN_VERSION = { version: '0.0.0' }

/** Describes a server that waits for review. The era is left out, so no result of this server passes unchanged. */
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

/** The texts to keep, each with its maximum number of characters. */
const TEXTS: ReadonlyMap<string, number> = new Map([
  ['name', 256],
  ['version', 256],
  ['title', 256],
  ['description', 2048],
  ['websiteUrl', 2048],
])
/**
 * Maximum length of all icons as JSON, in characters. The limit is high because icon URLs can contain small pictures.
 */
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
 * The server capabilities that the protocol defines, each with its flags. The tasks of revision 2025-11-25 are left out,
 * because Hintgate supports tasks only as an extension.
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

/** Capabilities whose members can have any name, because servers and clients agree on the names among themselves. */
const OWN_FEATURES = ['experimental', 'extensions']
const MOST_OWN = 4096

function readOwnFeatures(said: Json, rules: ResultRules): Json {
  const small = OWN_FEATURES.filter(key => isJsonObject(said[key]) && isSmall(said[key], MOST_OWN, rules))
  return Object.fromEntries(small.map(key => [key, said[key]]))
}

/**
 * True if a value is short and passes screening unchanged. These values are kept whole or not at all, because a part of
 * one would be useless.
 */
function isSmall(value: unknown, most: number, rules: ResultRules): boolean {
  return writeJson(value).length <= most && screenOwnWords(value, rules) === value
}

/** Cuts a server's text to a maximum length, because agents see the text with every answer. */
export function cut(text: string, most: number): string {
  return text.length <= most ? text : text.slice(0, beforePair(text, most))
}

/**
 * Returns the screened value that agents are allowed to see. Returns undefined if it must be withheld or would need a
 * warning, because a description has no place for one.
 */
function screenOwnWords(value: unknown, rules: ResultRules): unknown {
  return shownOf(value, checkResult({ value }, checkingBy(rules)))
}

/** Does the same as `screenOwnWords` for a text that can be long. */
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
