import type { Busy, Ledger, OpenResponse } from '../../admission/ledger.ts'
import type { LongWork } from '../../admission/long-work.ts'
import { momentOf } from '../../audit/moment-of.ts'
import { describeFault, isLongBody, readBody } from '../../http/read-body.ts'
import { isJsonObject } from '../../protocol/messages.ts'
import { exactDigits, holdsExactNumbers, parseJson } from '../../protocol/parse-json.ts'
import { OPERATIONS, type OperationName, SCHEMAS, type Schemas } from '../contract/contract.ts'
import type { Operation } from '../contract/operations.ts'
import type { AdminDeps } from './admin-deps.ts'
import type { Visit } from './handler.ts'
import { AdminProblem } from './problem.ts'

interface Asked {
  readonly request: Request
  readonly params: Readonly<Record<string, string>>
  readonly deps: Pick<AdminDeps, 'config'>
  readonly visit: Pick<Visit, 'req'>
  readonly opened: OpenResponse | undefined
  readonly limits: RequestLimits
}

/** Maximum number of bytes in an unauthenticated body, which contains only a sign-in code. */
const MOST_OF_ANYBODY = 4096

/** Checks a request against the contract. Unknown parts are refused. */
export async function readInput(name: OperationName, asked: Asked) {
  const { request, params } = asked
  const schemas: Schemas = SCHEMAS[name]
  const query = Object.fromEntries(new URL(request.url).searchParams)
  return {
    params: check(schemas.params, params, 'path'),
    query: check(schemas.query, query, 'query'),
    body:
      schemas.body === undefined ? undefined : check(schemas.body, await readJsonBody(name, asked), 'body'),
  }
}

function check(schema: Schemas['params'], given: unknown, where: string): unknown {
  if (schema === undefined) {
    if (where !== 'query' || Object.keys(given as object).length === 0) return undefined
    throw new AdminProblem('invalid_request', 'This operation has no query parameters.')
  }
  const { success, data, error } = schema.safeParse(given)
  if (success) return data
  const errors = error.issues.map(({ path, message }) => ({ path: [where, ...path].join('.'), message }))
  const [first] = errors
  throw new AdminProblem('invalid_request', `${first?.path ?? where}: ${first?.message ?? ''}`, errors)
}

async function readJsonBody(name: OperationName, asked: Asked): Promise<unknown> {
  const { request, deps } = asked
  const { bodyBytes, jsonDepth, members } = deps.config().limits
  if (!/^application\/json(?:\s*;|$)/i.test(request.headers.get('content-type') ?? ''))
    throw new AdminProblem('not_json', 'Send the body as application/json.')
  const operation: Operation = OPERATIONS[name]
  const most = operation.role === 'public' ? Math.min(MOST_OF_ANYBODY, bodyBytes) : bodyBytes
  const parsed = parseJson(await receiveBody(asked, most), jsonDepth, members)
  if (parsed.ok && !hasLongNumber(parsed.value)) return parsed.value
  if (parsed.ok)
    throw new AdminProblem(
      'invalid_request',
      'The body contains a number with more digits than can be processed exactly. If the number is an id, send it as a string.',
    )
  throw new AdminProblem('invalid_request', `The body cannot be read: ${parsed.reason}.`)
}

/**
 * True if an input contains a number with too many digits for a JavaScript number. In memory it is a string object,
 * which would be accepted as a string, so it is refused outside a call's arguments. A call's arguments are an object; a
 * program's arguments are a list.
 */
function hasLongNumber(value: unknown): boolean {
  if (typeof value !== 'object' || value === null || !holdsExactNumbers(value)) return false
  return Object.entries(value).some(([key, part]) => {
    if ((key === 'args' || key === 'arguments') && isJsonObject(part)) return false
    return exactDigits(part) !== undefined || hasLongNumber(part)
  })
}

export function readMoment(text: string | undefined, now: number, where: string): number | undefined {
  if (text === undefined) return undefined
  const at = /^\d{11,16}$/.test(text) ? Number(text) : momentOf(text, now)
  if (at !== undefined) return at
  throw new AdminProblem(
    'invalid_request',
    `${where}: expected an age such as 24h, a date such as 2027-01-31, or milliseconds since the epoch`,
  )
}

/** Counts requests, and makes long ones wait; people and agents are counted separately. */
export interface RequestLimits {
  readonly open: Ledger
  readonly longWork: LongWork
}

interface Coming {
  readonly visit: Pick<Visit, 'req'>
  /** The open response, which counts towards the caller's limits; undefined for unauthenticated requests. */
  readonly opened: OpenResponse | undefined
  readonly limits: RequestLimits
}

/** Receives a body within the caller's limits; a long body waits for its turn. */
async function receiveBody(coming: Coming, maxBytes: number): Promise<string> {
  const { opened, limits } = coming
  if (opened === undefined) return readText(coming, maxBytes)
  const { open, longWork } = limits
  refuseIfBusy(open.become(opened, 'body'))
  const text = await readText(coming, maxBytes)
  if (isLongBody(text)) {
    // Waiting for a turn must not count as a stalled client.
    opened.isWhole = true
    // A client that disconnects leaves the queue, and its body is freed.
    const isHere = await longWork.turn(opened.principal.id, {
      onCancel: leave => opened.res.once('close', leave),
    })
    if (!isHere) throw new AdminProblem('body_late', 'The client disconnected.')
  }
  refuseIfBusy(open.become(opened, 'call'))
  return text
}

/** Reads a body as text. A body over the limit is not read to the end. */
function readText({ visit, opened, limits }: Coming, maxBytes: number): Promise<string> {
  return new Promise((resolve, reject) => {
    const mayGrow = (bytes: number): boolean => {
      const busy = opened === undefined ? undefined : limits.open.grow(opened, bytes)
      if (busy !== undefined) reject(busyProblem(busy))
      return busy === undefined
    }
    if (opened !== undefined)
      opened.onLate = () =>
        reject(
          new AdminProblem(
            'body_late',
            'The rest of the request body did not arrive within limits.bodyTime.',
          ),
        )
    readBody(visit.req, { maxBytes, mayGrow }, (text, fault) => {
      if (text !== undefined) resolve(text)
      else
        reject(
          new AdminProblem('too_large', `The request body was refused: ${describeFault(fault, maxBytes)}.`),
        )
    })
  })
}

/** Throws if a limit is reached. */
export function refuseIfBusy(busy: Busy | undefined): void {
  if (busy !== undefined) throw busyProblem(busy)
}

function busyProblem({ message }: Busy): AdminProblem {
  return new AdminProblem('too_many', `The request was refused: ${message}.`)
}
