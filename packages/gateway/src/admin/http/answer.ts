import { createHash } from 'node:crypto'
import type { OpenResponse } from '../../admission/ledger.ts'
import { writeJson } from '../../protocol/parse-json.ts'
import { hasRole, type Role } from '../../scope/role.ts'
import type { Principal } from '../../scope/scope.ts'
import { isForeign } from '../../tokens/oauth/issuers.ts'
import { type Input, OPERATIONS, type OperationName } from '../contract/contract.ts'
import { type Operation, takesKey } from '../contract/operations.ts'
import type { AdminDeps } from './admin-deps.ts'
import type { Asker, Handler, Handlers, Visit } from './handler.ts'
import type { IdempotentAnswers } from './idempotency.ts'
import { AdminProblem } from './problem.ts'
import { type RequestLimits, readInput, refuseIfBusy } from './read-input.ts'

/** Headers that forbid caching, framing and content sniffing. */
export const SAFE_HEADERS = {
  'cache-control': 'no-store',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
}

interface Question {
  readonly request: Request
  readonly params: Readonly<Record<string, string>>
  /**
   * The open response, which counts towards the principal's limits; undefined for a sign-in, which has no principal
   * yet.
   */
  readonly opened: OpenResponse | undefined
  readonly visit: Visit
  readonly deps: AdminDeps
  readonly limits: RequestLimits
  readonly handlers: Handlers
  readonly answers: IdempotentAnswers
}

/** Answers a request. Checks the role first, then the input; nothing is executed before both are valid. */
export async function answer(name: OperationName, question: Question): Promise<Response> {
  const { request, handlers, answers, opened, limits } = question
  const operation: Operation = OPERATIONS[name]
  const asker = admit(operation, question)
  const input = await readInput(name, question)
  // A stream ends when its credential expires.
  if (operation.streams !== undefined && opened !== undefined)
    refuseIfBusy(limits.open.become(opened, 'stream'))
  const handle = handlers[name as keyof Handlers] as Handler<typeof name>
  const run = async (): Promise<Response> =>
    toResponse(operation, await handle(input as Input<typeof name>, asker))
  const key = takesKey(operation) ? request.headers.get('idempotency-key') : null
  if (key === null) return run()
  const digest = createHash('sha256')
    .update(writeJson([name, input]))
    .digest('base64')
  return answers.once({ owner: asker.principal.id, key, digest }, run)
}

const NOBODY: Principal = {
  id: 'nobody',
  name: 'nobody',
  kind: 'person',
  scope: { permissions: [], servers: [], role: 'viewer' },
  credential: '',
}

function admit(operation: Operation, { opened, request, visit }: Question): Asker {
  const match = readMatch(request)
  const principal = opened?.principal
  if (operation.role === 'public') return { principal: NOBODY, role: 'viewer', match, visit }
  if (principal === undefined) throw new AdminProblem('not_signed_in', 'Sign in first.')
  const role = roleOf(principal)
  if (!hasRole(role, operation.role))
    throw new AdminProblem(
      'role_needed',
      `This operation needs the role ${operation.role}. Your role is ${role}.`,
    )
  if (operation.needsMatch && match === '')
    throw new AdminProblem(
      'match_needed',
      'Send the etag of the version that you loaded in the If-Match header.',
    )
  return { principal, role, match, visit }
}

function readMatch(request: Request): string {
  return (request.headers.get('if-match') ?? '').trim().replace(/^(?:W\/)?"(.*)"$/, '$1')
}

function toResponse({ status }: Operation, body: object | undefined): Response {
  if (body instanceof Response) return body
  const etag = body !== undefined && 'etag' in body ? { etag: `"${String(body.etag)}"` } : {}
  return new Response(writeJson(body ?? {}), {
    status: status ?? 200,
    headers: { ...SAFE_HEADERS, 'content-type': 'application/json', ...etag },
  })
}

/**
 * Returns a principal's role. Tokens created before roles existed have all rights; people from an issuer are viewers
 * unless the config says otherwise.
 */
function roleOf({ scope, credential }: Principal): Role {
  return scope.role ?? (isForeign(credential) ? 'viewer' : 'admin')
}
