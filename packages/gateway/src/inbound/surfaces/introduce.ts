import type { Catalog } from '../../catalog/catalog.ts'
import type { ResultRules, Rules } from '../../policy/rules.ts'
import { isJsonObject, type Json } from '../../protocol/messages.ts'
import { isText, writeJson } from '../../protocol/parse-json.ts'
import { type Beside, type Checked, checkResult, checkResultBeside } from '../../results/check-result.ts'
import { beforePair } from '../../results/kept/measure-json.ts'
import type { Handshake } from '../../upstream/connection/upstream-request.ts'
import type { UpstreamServer } from '../../upstream/upstream-server.ts'
import type { Origin } from './answer-call.ts'

/** A server in its own words, as far as agents may read them. */
export interface Introduction extends Origin {
  readonly serverInfo: Json
  readonly capabilities: Json
}

interface IntroduceDeps {
  readonly catalog: Pick<Catalog, 'isWhollyHeld'>
  readonly rules: () => Pick<Rules, 'results'>
}

interface Kept {
  readonly rules: ResultRules
  readonly isHeld: boolean
  readonly introduction: Introduction
}

/** It stands in every answer to a modern client, so it is made once. */
const kept = new WeakMap<Handshake, Kept>()

/**
 * What a server says of itself: nobody reviews it, and it comes with everything that agents read. So it has the members
 * that the protocol has, they have bounds, and they are looked through. Of a server that waits for review it is nothing.
 */
export function introduce(server: UpstreamServer, deps: IntroduceDeps): Introduction | undefined {
  const { handshake, name } = server
  if (handshake === undefined) return undefined
  const rules = deps.rules().results(name)
  const isHeld = deps.catalog.isWhollyHeld(server)
  const known = kept.get(handshake)
  if (known?.rules === rules && known.isHeld === isHeld) return known.introduction
  const introduction = isHeld ? withoutWords(name, handshake) : inOwnWords(name, handshake, rules)
  kept.set(handshake, { rules, isHeld, introduction })
  return introduction
}

/** Both have to be there; what an operator calls the server is the only name that we vouch for. */
const UNSAID = { version: '0.0.0' }

/** It has no era either: no result of it passes just as it is. */
function withoutWords(name: string, { capabilities }: Handshake): Introduction {
  return { serverInfo: { name, ...UNSAID }, capabilities: readFeatures(capabilities) }
}

function inOwnWords(name: string, said: Handshake, rules: ResultRules): Introduction {
  const { era, serverInfo, capabilities } = said
  return {
    era,
    serverInfo: { name, ...UNSAID, ...readInfo(isJsonObject(serverInfo) ? serverInfo : {}, rules) },
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
/** As JSON, all of them: small pictures may stand in their addresses. */
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

/** What the protocol lets a server offer, and of each what can be said. Tasks would bring results by a way that nobody looks at. */
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

/** What servers and clients agree upon among themselves may be called anything. */
const OWN_FEATURES = ['experimental', 'extensions']
const MOST_OWN = 4096

function readOwnFeatures(said: Json, rules: ResultRules): Json {
  const small = OWN_FEATURES.filter(key => isJsonObject(said[key]) && isSmall(said[key], MOST_OWN, rules))
  return Object.fromEntries(small.map(key => [key, said[key]]))
}

/** Short, and nothing in it that would have to be changed: parts of it would be of no use. */
function isSmall(value: unknown, most: number, rules: ResultRules): boolean {
  return writeJson(value).length <= most && screenOwnWords(value, rules) === value
}

/** What a server says of itself comes with everything that agents read, so it has a length. */
export function cut(text: string, most: number): string {
  return text.length <= most ? text : text.slice(0, beforePair(text, most))
}

/** As it may be read; undefined where it may not, or only with a warning before it, for which there is no place here. */
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
