import type { ServerResponse } from 'node:http'
import type { Busy } from '../../admission/open-responses.ts'
import { pageOf } from '../../base/errors.ts'
import { PROBLEM_KINDS, type ProblemCode } from './problem-kinds.ts'

/** What becomes of requests that do not come as far as the application. */
const DETAILS: Readonly<Partial<Record<ProblemCode, string>>> = {
  not_signed_in:
    'Send a token of a person (Authorization: Bearer hg_admin_…), or open the link that hintgate console prints.',
  not_for_agents: 'The token is one of an agent; hintgate tokens create NAME --admin makes one for a person.',
  csrf: 'With the cookie, changes need the header X-Hintgate-Csrf: 1 and must come from the console itself.',
  method_not_allowed: 'This can only be read: use GET.',
}

/** RFC 9457, without anything that has to be loaded for it. */
export function sendProblem(
  res: ServerResponse,
  code: ProblemCode,
  headers: Readonly<Record<string, string>> = {},
): void {
  send(res, { code, detail: DETAILS[code] ?? PROBLEM_KINDS[code].title, headers })
}

/** There is no room for this caller, or for anybody. */
export function sendBusy(res: ServerResponse, { message }: Busy): void {
  send(res, { code: 'too_many', detail: `There is no room: ${message}.`, headers: { 'retry-after': '1' } })
}

interface Told {
  readonly code: ProblemCode
  readonly detail: string
  readonly headers: Readonly<Record<string, string>>
}

function send(res: ServerResponse, { code, detail, headers }: Told): void {
  const { status, title } = PROBLEM_KINDS[code]
  const body = JSON.stringify({ type: 'about:blank', title, status, detail, code, docs: pageOf(code) })
  res.writeHead(status, { 'content-type': 'application/problem+json', ...headers }).end(body)
}
