import { CALL_VARIANTS, kindOfVariant } from '@hintgate/metadata'
import { sessionOf } from '../../exchange/session-name.ts'
import { SilentExchange } from '../../exchange/silent-exchange.ts'
import type { Explained } from '../../policy/decide.ts'
import type { Rules } from '../../policy/rules.ts'
import { readEnvelope } from '../../protocol/modern.ts'
import { writeJson } from '../../protocol/parse-json.ts'
import type { Input, Output } from '../contract/contract.ts'
import type { AdminDeps } from '../http/admin-deps.ts'
import { AdminProblem } from '../http/problem.ts'
import { findScope } from './find-scope.ts'

type Call = Input<'tryPolicy'>['body']['call']
type Tried = Output<'tryPolicy'>

/** Anybody who may look may try, so less than a call may have; as much as a draft of a policy file. */
const MOST_ARGUMENTS = 100_000

/** What would become of a call, step by step. Nothing is called. */
export async function tryCall(deps: AdminDeps, call: Call, rules?: Rules): Promise<Tried> {
  const { server, tool, args = {} } = call
  if (writeJson(args).length > MOST_ARGUMENTS)
    throw new AdminProblem(
      'too_large',
      `body.call.args: Arguments may have ${MOST_ARGUMENTS} characters where a call is only tried.`,
    )
  const principal = await findScope(deps, call.agent)
  const session = sessionOf(undefined, principal)
  const caller = { principal, era: 'modern', session, envelope: readEnvelope(undefined) } as const
  const variant = CALL_VARIANTS.find(known => kindOfVariant(known) === call.variant)
  const explained = await deps.explain(
    {
      exchange: new SilentExchange('explain', caller),
      server,
      tool,
      typed: `${server}:${tool}`,
      params: { arguments: args },
      ...(variant === undefined ? {} : { claim: { variant } }),
    },
    rules,
  )
  if (explained.kind === 'unresolved') {
    const { code, message } = explained.refusal
    return { reasons: [], notes: [], path: [], refusal: { code, message } }
  }
  const { decision, path, wrong } = explained
  return {
    verdict: decision.verdict,
    ...(decision.verdict === 'deny' ? { code: decision.code } : {}),
    reasons: [...decision.reasons],
    notes: [...decision.notes],
    path: path.map(describeStep),
    ...(wrong === undefined ? {} : { refusal: { code: wrong.code, message: wrong.message } }),
  }
}

function describeStep({ step, result }: Explained): Tried['path'][number] {
  return {
    step,
    result: result.kind,
    ...(result.kind === 'deny' ? { code: result.code } : {}),
    reasons: result.kind === 'deny' || result.kind === 'ask' ? [...result.reasons] : [],
    notes: result.kind === 'note' ? [...result.notes] : [],
  }
}
