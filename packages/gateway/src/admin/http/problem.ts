import type { ServerResponse } from 'node:http'
import type { Busy } from '../../admission/ledger.ts'
import { HintgateError, hasCode, pageOf } from '../../base/errors.ts'
import type { Problem } from '../contract/contract.ts'

/** Everything that the admin API refuses, apart from what the whole gateway refuses alike. */
export const PROBLEM_KINDS = {
  invalid_request: { status: 400, title: 'The request cannot be understood' },
  not_signed_in: { status: 401, title: 'Nobody is signed in' },
  sign_in_failed: { status: 401, title: 'The code is not good (any more)' },
  not_for_agents: { status: 403, title: 'This is for people' },
  role_needed: { status: 403, title: 'Another role is needed' },
  csrf: { status: 403, title: 'The request does not come from the console' },
  not_found: { status: 404, title: 'There is no such thing' },
  method_not_allowed: { status: 405, title: 'This cannot be done here' },
  body_late: { status: 408, title: 'The rest of the body did not come' },
  already_decided: { status: 409, title: 'Somebody has decided already' },
  changed_meanwhile: { status: 409, title: 'It has changed since you looked' },
  config_changed: { status: 409, title: 'The config file has changed meanwhile' },
  config_unwritable: { status: 409, title: 'The config file cannot be written' },
  name_taken: { status: 409, title: 'The name is taken' },
  confirmation_expired: { status: 410, title: 'The time to decide is over' },
  stale_edit: { status: 412, title: 'Somebody else has changed it meanwhile' },
  too_large: { status: 413, title: 'The body is too long' },
  not_json: { status: 415, title: 'The body must be JSON' },
  refused: { status: 422, title: 'It would not work' },
  idempotency_mismatch: { status: 422, title: 'The key was used for another request' },
  match_needed: { status: 428, title: 'If-Match is needed' },
  too_many: { status: 429, title: 'Too many at once' },
  fault: { status: 500, title: 'A fault of ours' },
} as const satisfies Record<string, { readonly status: number; readonly title: string }>

export type ProblemCode = keyof typeof PROBLEM_KINDS

type Detail = NonNullable<Problem['errors']>[number]

export class AdminProblem extends Error {
  readonly problem: Problem

  constructor(code: ProblemCode, detail: string, errors?: readonly Detail[]) {
    super(detail)
    this.problem = createProblem(code, detail, errors)
  }
}

export function orMissing<T>(found: T | undefined, detail: string): T {
  if (found === undefined) throw new AdminProblem('not_found', detail)
  return found
}

export function createProblem(code: ProblemCode, detail: string, errors?: readonly Detail[]): Problem {
  return writeProblem({ code, detail, ...PROBLEM_KINDS[code], errors: errors && [...errors] })
}

/** RFC 9457. */
function writeProblem({ title, status, detail, code, errors }: Omit<Problem, 'type' | 'docs'>): Problem {
  return { type: 'about:blank', title, status, detail, code, docs: pageOf(code), errors }
}

/** Elsewhere these keep a gateway from starting; here they are answers to an edit. */
const STATUSES: ReadonlyMap<string, number> = new Map([
  ['config_invalid', 422],
  ['policy_invalid', 422],
  ['config_unwritable', 409],
])

/** Undefined for a fault of ours, of which clients learn nothing. */
export function toProblem(error: unknown): Problem | undefined {
  if (error instanceof AdminProblem) return error.problem
  if (!(error instanceof HintgateError)) return undefined
  const { code, message, remedy } = error
  const problems =
    hasCode(error, 'config_invalid') || hasCode(error, 'policy_invalid') ? error.payload.problems : undefined
  const detail = `${message}. ${remedy}`
  const status = STATUSES.get(code) ?? error.http
  return writeProblem({ code, title: message, status, detail, errors: problems?.map(toDetail) })
}

export function toDetail(problem: {
  readonly path?: string
  readonly file?: string
  readonly line: number
  readonly column: number
  readonly message: string
  readonly fix: string
}): Detail {
  const { path, file, line, column, message, fix } = problem
  return { path: path ?? file ?? '', message, fix, line, column }
}

const DETAILS: Readonly<Partial<Record<ProblemCode, string>>> = {
  not_signed_in:
    'Send a token of a person (Authorization: Bearer hg_admin_…), or open the link that hintgate console prints.',
  not_for_agents: 'The token is one of an agent; hintgate tokens create NAME --admin makes one for a person.',
  csrf: 'With the cookie, changes need the header X-Hintgate-Csrf: 1 and must come from the console itself.',
  method_not_allowed: 'This can only be read: use GET.',
}

/** For requests that do not come as far as the application, which is loaded when the first of them does. */
export function sendProblem(
  res: ServerResponse,
  code: ProblemCode,
  headers: Readonly<Record<string, string>> = {},
): void {
  send(res, createProblem(code, DETAILS[code] ?? PROBLEM_KINDS[code].title), headers)
}

export function sendBusy(res: ServerResponse, { message }: Busy): void {
  send(res, createProblem('too_many', `There is no room: ${message}.`), { 'retry-after': '1' })
}

function send(res: ServerResponse, problem: Problem, headers: Readonly<Record<string, string>>): void {
  const type = 'application/problem+json'
  res.writeHead(problem.status, { 'content-type': type, ...headers }).end(JSON.stringify(problem))
}
