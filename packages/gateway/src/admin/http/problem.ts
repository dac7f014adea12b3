import { HintgateError, hasCode, pageOf } from '../../base/errors.ts'
import type { Problem } from '../contract/contract.ts'
import { PROBLEM_KINDS, type ProblemCode } from './problem-kinds.ts'

type Detail = NonNullable<Problem['errors']>[number]

/** A refusal on its way to the client. */
export class AdminProblem extends Error {
  readonly problem: Problem

  constructor(code: ProblemCode, detail: string, errors?: readonly Detail[]) {
    super(detail)
    this.problem = createProblem(code, detail, errors)
  }
}

/** RFC 9457. */
export function createProblem(code: ProblemCode, detail: string, errors?: readonly Detail[]): Problem {
  const { status, title } = PROBLEM_KINDS[code]
  return {
    type: 'about:blank',
    title,
    status,
    detail,
    code,
    docs: pageOf(code),
    ...(errors === undefined ? {} : { errors: [...errors] }),
  }
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
  return {
    type: 'about:blank',
    title: message,
    status: STATUSES.get(code) ?? error.http,
    detail: `${message}. ${remedy}`,
    code,
    docs: pageOf(code),
    ...(problems === undefined ? {} : { errors: problems.map(toDetail) }),
  }
}

/** What is wrong with a config or a policy file, place by place. */
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
