import { CALL_VARIANTS, type CallVariant, META_EFFECTIVE, showUntrusted } from '@hintgate/metadata'
import { ERRORS, type ErrorCode } from '../../base/errors.ts'
import { isJsonObject, type Json, type Notification, RPC, type RpcError } from '../../protocol/messages.ts'
import { withEnvelope } from '../../protocol/modern.ts'
import { version } from '../terminal/context.ts'
import { type Ending, EXIT } from '../terminal/output.ts'

export type Reply = { readonly result: Json } | { readonly error: RpcError }

export type OnNotification = (notification: Notification) => void

export interface Wanted {
  readonly method: string
  readonly params?: Json
}

/** A modern MCP client of a gateway, which can run in this process or elsewhere. */
export interface SurfaceClient {
  /** Resolves when every server has started or failed. Failures are already printed. */
  ready(): Promise<{ readonly failed: readonly string[]; readonly started: number }>
  /** Sends one request to the surface at a path. `onNotification` receives the request's progress. */
  request(path: string, wanted: Wanted, onNotification?: OnNotification): Promise<Reply>
  close(): Promise<void>
}

const CLIENT_INFO = { name: 'hintgate-cli', version: version() }

/**
 * Writes a request's parameters. They declare no client capabilities, because the command cannot answer questions
 * during a call.
 */
export function writeParams(params: Json = {}, onNotification?: OnNotification): Json {
  const asked = onNotification === undefined ? params : { ...params, _meta: { progressToken: 1 } }
  return withEnvelope(asked, { capabilities: {}, clientInfo: CLIENT_INFO })
}

interface Refused {
  readonly code: ErrorCode
  readonly message: string
  readonly reasons: readonly string[]
  readonly remedy: string
}

export type SurfaceAnswer =
  | { readonly kind: 'answered'; readonly result: Json }
  | { readonly kind: 'refused'; readonly refusal: Refused; readonly result: Json }
  | { readonly kind: 'error'; readonly error: RpcError }

export async function askSearch(
  client: SurfaceClient,
  { name, args }: { readonly name: string; readonly args: Json },
  onNotification?: OnNotification,
): Promise<SurfaceAnswer> {
  const wanted = { method: 'tools/call', params: { name, arguments: args } }
  return toSurfaceAnswer(await client.request('/mcp', wanted, onNotification))
}

/** Lists every tool that the caller is allowed to use, in the shape of `describe_tool`. */
export async function listTools(client: SurfaceClient): Promise<readonly Json[] | RpcError> {
  const reply = await client.request('/mcp/direct', { method: 'tools/list' })
  if ('error' in reply) return reply.error
  const { tools } = reply.result
  return Array.isArray(tools) ? tools.filter(isJsonObject).map(toView) : []
}

/** Finds a tool's variant. Undefined for an unknown tool, which the call itself will report. */
export async function findVariant(client: SurfaceClient, id: string): Promise<CallVariant | undefined> {
  const described = await askSearch(client, { name: 'describe_tool', args: { name: id } })
  if (described.kind === 'answered') return readVariant(described.result.structuredContent)
  // An agent without permission to search can still list the tools that it is allowed to call.
  const mayNotAsk = described.kind === 'refused' && described.refusal.code === 'permission_denied'
  const listed = mayNotAsk ? await listTools(client) : []
  return 'code' in listed ? undefined : readVariant(listed.find(tool => tool.id === id))
}

function readVariant(tool: unknown): CallVariant | undefined {
  const given = isJsonObject(tool) ? tool.call_with : undefined
  return CALL_VARIANTS.find(variant => variant === given)
}

/**
 * Converts a tool of the direct surface, which is named `server__tool`. A server's name contains no double underscore.
 */
function toView({ name, title, description, annotations, _meta }: Json): Json {
  const effective = isJsonObject(_meta) ? _meta[META_EFFECTIVE] : undefined
  return {
    id: String(name).replace('__', ':'),
    title,
    description,
    annotations,
    ...(isJsonObject(effective) ? effective : {}),
  }
}

function toSurfaceAnswer(reply: Reply): SurfaceAnswer {
  if ('error' in reply) return { kind: 'error', error: reply.error }
  const { result } = reply
  const refusal = result.isError === true ? readRefusal(result.structuredContent) : undefined
  return refusal === undefined ? { kind: 'answered', result } : { kind: 'refused', refusal, result }
}

function readRefusal(structured: unknown): Refused | undefined {
  const error = isJsonObject(structured) ? structured.error : undefined
  if (!isJsonObject(error) || !isErrorCode(error.code)) return undefined
  const { code, message, remedy, reasons } = error
  const texts = (Array.isArray(reasons) ? reasons : []).map(reason =>
    isJsonObject(reason) ? reason.text : undefined,
  )
  return {
    code,
    message: String(message),
    remedy: String(remedy),
    reasons: texts.filter(text => typeof text === 'string'),
  }
}

function isErrorCode(code: unknown): code is ErrorCode {
  return typeof code === 'string' && Object.hasOwn(ERRORS, code)
}

const MAX = 1000

export function endOfFailure(answer: Exclude<SurfaceAnswer, { readonly kind: 'answered' }>): Ending {
  if (answer.kind === 'error') return { code: EXIT.failed, err: showError(answer.error) }
  return { code: ERRORS[answer.refusal.code].exit, err: showRefusal(answer.refusal) }
}

function showRefusal({ code, message, reasons, remedy }: Refused): string {
  const lines = [
    `hintgate: ${showUntrusted(message, MAX)}`,
    // Reasons that only repeat the message are left out.
    ...reasons
      .filter(reason => !message.includes(reason))
      .map(reason => `  why: ${showUntrusted(reason, MAX)}`),
    `  fix: ${showUntrusted(remedy, MAX)}`,
    `  more: hintgate explain ${code}`,
  ]
  return `${lines.join('\n')}\n`
}

export function showError({ code, message }: RpcError): string {
  if (code === RPC.missingCapability) return showQuestion(message)
  return `hintgate: the call failed with error ${code}: ${showUntrusted(message, MAX)}\n`
}

export function showQuestion(why: string): string {
  return (
    `hintgate: the server asks for input, which this command cannot give: ${showUntrusted(why, MAX)}\n` +
    '  fix: Call the tool from an MCP client that can answer questions.\n'
  )
}
