import { errorResponse, isJsonObject, type Response, RPC } from './messages.ts'
import { refuseNumberForText } from './refuse-numbers.ts'

/** By these a client recognises its own requests. Each stands in everything that is said of one, and that may be often. */
const LONGEST_NAME = 1024

/** The answer to a message that nobody can do anything with; undefined for every other. */
export function refuseOdd(message: unknown): Response | undefined {
  return refuseLongName(message) ?? refuseNumberForText(message)
}

function refuseLongName(message: unknown): Response | undefined {
  if (!isJsonObject(message)) return undefined
  const { id, params } = message
  if (isLong(id)) return tooLong('id', null)
  const meta = isJsonObject(params) ? params._meta : undefined
  const isTokenLong = isJsonObject(meta) && isLong(meta.progressToken)
  return isTokenLong
    ? tooLong('progressToken', typeof id === 'number' || typeof id === 'string' ? id : null)
    : undefined
}

function isLong(name: unknown): boolean {
  return typeof name === 'string' && name.length > LONGEST_NAME
}

function tooLong(field: string, id: string | number | null): Response {
  const message = `Invalid Request: "${field}" may have ${LONGEST_NAME} characters`
  return errorResponse(id, { code: RPC.invalidRequest, message })
}
