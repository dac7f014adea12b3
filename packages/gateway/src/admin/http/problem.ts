import type { ServerResponse } from 'node:http'
import type { Busy } from '../../admission/ledger.ts'
import { HintgateError, hasCode, pageOf } from '../../base/errors.ts'
import type { Problem } from '../contract/contract.ts'

/** Problems that only the admin API reports. It also uses the error codes that the whole gateway shares. */
export const PROBLEM_KINDS = {
  invalid_request: { status: 400, title: 'Invalid request' },
  not_signed_in: { status: 401, title: 'Not signed in' },
  sign_in_failed: { status: 401, title: 'The code is invalid or has expired' },
  not_for_agents: { status: 403, title: 'Agent tokens cannot be used here' },
  role_needed: { status: 403, title: 'Insufficient role' },
  csrf: { status: 403, title: 'The request did not come from the console' },
  not_found: { status: 404, title: 'Not found' },
  method_not_allowed: { status: 405, title: 'Method not allowed' },
  body_late: { status: 408, title: 'The request body did not arrive in time' },
  already_decided: { status: 409, title: 'Already decided' },
  changed_meanwhile: { status: 409, title: 'The resource has changed since you loaded it' },
  config_changed: { status: 409, title: 'The config file has changed' },
  config_unwritable: { status: 409, title: 'The config file cannot be written' },
  name_taken: { status: 409, title: 'The name is already in use' },
  confirmation_expired: { status: 410, title: 'The approval has expired' },
  stale_edit: { status: 412, title: 'The resource was changed by another request' },
  too_large: { status: 413, title: 'The request body is too long' },
  not_json: { status: 415, title: 'The request body must be JSON' },
  refused: { status: 422, title: 'The change was refused' },
  idempotency_mismatch: { status: 422, title: 'The Idempotency-Key was used for another request' },
  match_needed: { status: 428, title: 'If-Match is required' },
  too_many: { status: 429, title: 'Too many requests' },
  fault: { status: 500, title: 'Internal error' },
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

/** Writes a problem as RFC 9457 describes it. */
function writeProblem({ title, status, detail, code, errors }: Omit<Problem, 'type' | 'docs'>): Problem {
  return { type: 'about:blank', title, status, detail, code, docs: pageOf(code), errors }
}

/** HTTP statuses of config problems. At startup they stop the gateway; here they are the answer to an edit. */
const STATUSES: ReadonlyMap<string, number> = new Map([
  ['config_invalid', 422],
  ['policy_invalid', 422],
  ['config_unwritable', 409],
])

/** Converts an error to a problem; undefined for an internal error, whose details clients must not see. */
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
    "Send a person's token (Authorization: Bearer hg_admin_…), or open the link that hintgate console prints.",
  not_for_agents:
    'The token belongs to an agent. Create one for a person with hintgate tokens create NAME --admin.',
  csrf: 'A change that uses the session cookie must come from the console and have the header X-Hintgate-Csrf: 1.',
  method_not_allowed: 'This resource is read-only. Use GET.',
}

/** Refuses a request before it reaches the application, which is loaded on first use. */
export function sendProblem(
  res: ServerResponse,
  code: ProblemCode,
  headers: Readonly<Record<string, string>> = {},
): void {
  send(res, createProblem(code, DETAILS[code] ?? PROBLEM_KINDS[code].title), headers)
}

export function sendBusy(res: ServerResponse, { message }: Busy): void {
  send(res, createProblem('too_many', `The request was refused: ${message}.`), { 'retry-after': '1' })
}

function send(res: ServerResponse, problem: Problem, headers: Readonly<Record<string, string>>): void {
  const type = 'application/problem+json'
  res.writeHead(problem.status, { 'content-type': type, ...headers }).end(JSON.stringify(problem))
}
