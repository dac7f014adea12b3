import { isJsonObject, type Json } from '../protocol/messages.ts'
import { LEGACY_VERSIONS, META, MODERN_VERSION } from '../protocol/modern.ts'
import { isText, writeJson } from '../protocol/parse-json.ts'
import type { Era } from '../store/store.ts'
import type { ServerReply } from './attempt.ts'
import type { Failure } from './channel/channel.ts'
import type { Connection } from './connection/connection.ts'
import type { Handshake } from './connection/upstream-request.ts'
import { askOver } from './repeat.ts'

export interface HandshakeOptions {
  readonly clientInfo: { readonly name: string; readonly version: string }
  /** The capabilities that the gateway declares to the server. */
  readonly capabilities: Json
  /** The era of the last connection. If it is known, no probe is needed. */
  readonly remembered: Era | undefined
  readonly probeTimeoutMs: number
  readonly timeoutMs: number
}

/** Thrown when the handshake with a server fails. */
export class HandshakeError extends Error {
  readonly failure: Failure | undefined

  constructor(message: string, failure?: Failure) {
    super(message)
    this.failure = failure
  }
}

/**
 * Finds out which era a server belongs to, and performs that era's handshake. If the server is silent for a while, the
 * legacy handshake is sent as well. A server that was only slow to start can still answer the first request.
 */
export async function shakeHands(connection: Connection, options: HandshakeOptions): Promise<Handshake> {
  const handshake = await greet(connection, options)
  // Only the first result counts: even a server that answers both handshakes has one era.
  connection.handshake = handshake
  if (handshake.era === 'legacy') {
    connection.notify('notifications/initialized')
    connection.listen()
  }
  return handshake
}

async function greet(connection: Connection, options: HandshakeOptions): Promise<Handshake> {
  if (options.remembered === 'legacy') return initialize(connection, options)
  const probe = discover(connection, options)
  const early = await Promise.race([probe, silence(options.probeTimeoutMs)])
  return early === undefined
    ? greetBothWays(connection, options, probe)
    : conclude(early, connection, options)
}

type Probed = { readonly modern: Handshake } | { readonly legacy: true }

async function conclude(
  probed: Probed,
  connection: Connection,
  options: HandshakeOptions,
): Promise<Handshake> {
  return 'modern' in probed ? probed.modern : initialize(connection, options)
}

async function greetBothWays(
  connection: Connection,
  options: HandshakeOptions,
  probe: Promise<Probed>,
): Promise<Handshake> {
  const greeting = initialize(connection, options).then(handshake => ({ ...handshake, isCertain: false }))
  greeting.catch(() => {}) // A modern server may refuse this after it has answered the probe.
  const late = probe.then(probed => ('modern' in probed ? probed.modern : greeting))
  return Promise.race([late, greeting])
}

function silence(ms: number): Promise<undefined> {
  return new Promise(resolve => setTimeout(resolve, ms, undefined).unref())
}

async function discover(connection: Connection, options: HandshakeOptions, isRetry = false): Promise<Probed> {
  const reply = await askOver(connection, {
    method: 'server/discover',
    envelope: { capabilities: options.capabilities, clientInfo: options.clientInfo },
    timeoutMs: options.timeoutMs,
  })
  if (reply.kind === 'failure' && reply.failure.kind === 'unauthorized')
    throw new HandshakeError(reply.failure.detail, reply.failure)
  if (reply.kind !== 'answer') return { legacy: true }
  const { result, error } = reply.message
  const offered = result?.supportedVersions ?? (isJsonObject(error?.data) ? error.data.supported : undefined)
  if (!Array.isArray(offered) || !offered.includes(MODERN_VERSION)) return { legacy: true }
  // A server may refuse the first request and list the versions that it supports. If the gateway supports one of them,
  // it asks once more with that version.
  if (result === undefined) return isRetry ? { legacy: true } : discover(connection, options, true)
  const meta = isJsonObject(result._meta) ? result._meta : {}
  return {
    modern: {
      era: 'modern',
      isCertain: true,
      protocolVersion: MODERN_VERSION,
      capabilities: objectOr(result.capabilities),
      ...readSelfDescription(meta[META.serverInfo] ?? result.serverInfo, result.instructions),
    },
  }
}

async function initialize(connection: Connection, options: HandshakeOptions): Promise<Handshake> {
  const reply = await askOver(connection, {
    method: 'initialize',
    params: {
      protocolVersion: LEGACY_VERSIONS[0],
      capabilities: options.capabilities,
      clientInfo: options.clientInfo,
    },
    envelope: { capabilities: {} },
    timeoutMs: options.timeoutMs,
  })
  const result = reply.kind === 'answer' ? reply.message.result : undefined
  const version = result?.protocolVersion
  if (result === undefined || typeof version !== 'string' || !VERSION.test(version))
    throw new HandshakeError(explain(reply), reply.kind === 'failure' ? reply.failure : undefined)
  return {
    era: 'legacy',
    isCertain: true,
    protocolVersion: version,
    capabilities: objectOr(result.capabilities),
    ...readSelfDescription(result.serverInfo, result.instructions),
  }
}

/**
 * Maximum length of a description, the same as for a definition: it is stored, compared and searched again and again.
 */
const LONGEST_DESCRIPTION = 256 * 1024

type SelfDescription = Pick<Handshake, 'serverInfo' | 'instructions' | 'leftOut'>

/** Returns what the server says about itself, without parts that are too long. */
function readSelfDescription(serverInfo: unknown, instructions: unknown): SelfDescription {
  const isInfoLong = isJsonObject(serverInfo) && writeJson(serverInfo).length > LONGEST_DESCRIPTION
  const text = isText(instructions) ? instructions : undefined
  const isTextLong = text !== undefined && text.length > LONGEST_DESCRIPTION
  const leftOut = [...(isInfoLong ? ['serverInfo'] : []), ...(isTextLong ? ['instructions'] : [])]
  return {
    serverInfo: isInfoLong ? undefined : serverInfo,
    ...(text === undefined || isTextLong ? {} : { instructions: text }),
    ...(leftOut.length === 0 ? {} : { leftOut }),
  }
}

function explain(reply: ServerReply): string {
  switch (reply.kind) {
    case 'failure':
      return reply.failure.detail
    case 'timeout':
      return 'the server did not answer `initialize` in time'
    case 'cancelled':
    case 'overloaded':
      return 'the start was cancelled'
    case 'answer':
      return `the server refused \`initialize\`: ${reply.message.error?.message ?? 'no protocol version in its answer'}`
  }
}

/** Matches a valid protocol version. The version goes into headers and logs, so it must be checked. */
const VERSION = /^[\w.-]{1,64}$/

function objectOr(value: unknown): Json {
  return isJsonObject(value) ? value : {}
}
