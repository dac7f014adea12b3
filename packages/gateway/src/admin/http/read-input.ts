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
  readonly turnstile: Turnstile
}

/** Of a body from nobody in particular: a code is all that they have to say. */
const MOST_OF_ANYBODY = 4096

/** Holds a request against the contract, whole: what is not in it is not accepted. */
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
    throw new AdminProblem('invalid_request', 'There is nothing to be asked in the query here.')
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
      'The body has a number with more digits than are kept here. Where it is an id, send it as a text.',
    )
  throw new AdminProblem('invalid_request', `The body cannot be read: ${parsed.reason}.`)
}

/**
 * Only arguments of calls may have numbers that are kept exactly; they are texts in memory, and would pass for one. The
 * arguments of a program are a list.
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
    `${where}: expected 24h, 2027-01-31, or milliseconds since the epoch`,
  )
}

/** Where requests are counted, and where long ones wait for each other: those of people, and those of agents. */
export interface Turnstile {
  readonly open: Ledger
  readonly longWork: LongWork
}

interface Coming {
  readonly visit: Pick<Visit, 'req'>
  /** As it is counted. Absent: of somebody who is not known yet. */
  readonly opened: OpenResponse | undefined
  readonly turnstile: Turnstile
}

/** All of a body, within the share of whose it is; if it is long, when its turn has come. */
async function receiveBody(coming: Coming, maxBytes: number): Promise<string> {
  const { opened, turnstile } = coming
  if (opened === undefined) return readText(coming, maxBytes)
  const { open, longWork } = turnstile
  requireRoom(open.become(opened, 'body'))
  const text = await readText(coming, maxBytes)
  if (isLongBody(text)) {
    // It stands still until its turn comes, which is not its client's fault.
    opened.isWhole = true
    // Who hangs up meanwhile leaves the line, and the body goes with them.
    const isHere = await longWork.turn(opened.principal.id, {
      onCancel: leave => opened.res.once('close', leave),
    })
    if (!isHere) throw new AdminProblem('body_late', 'The client went away.')
  }
  requireRoom(open.become(opened, 'call'))
  return text
}

/** What is too long is not even read to its end. */
function readText({ visit, opened, turnstile }: Coming, maxBytes: number): Promise<string> {
  return new Promise((resolve, reject) => {
    const mayGrow = (bytes: number): boolean => {
      const busy = opened === undefined ? undefined : turnstile.open.grow(opened, bytes)
      if (busy !== undefined) reject(busyProblem(busy))
      return busy === undefined
    }
    if (opened !== undefined)
      opened.onLate = () =>
        reject(new AdminProblem('body_late', 'The rest of the body did not come; see limits.bodyTime.'))
    readBody(visit.req, { maxBytes, mayGrow }, (text, fault) => {
      if (text !== undefined) resolve(text)
      else reject(new AdminProblem('too_large', `It was not read: ${describeFault(fault, maxBytes)}.`))
    })
  })
}

/** Undefined: there is some. */
export function requireRoom(busy: Busy | undefined): void {
  if (busy !== undefined) throw busyProblem(busy)
}

function busyProblem({ message }: Busy): AdminProblem {
  return new AdminProblem('too_many', `There is no room: ${message}.`)
}
