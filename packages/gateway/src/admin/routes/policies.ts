import { CALL_VARIANTS, kindOfVariant } from '@hintgate/metadata'
import { replayCalls } from '../../audit/replay-calls.ts'
import { callerOf, imagineCall } from '../../exchange/silent-exchange.ts'
import type { Explained } from '../../policy/decide.ts'
import { parsePolicies } from '../../policy/rules/parse-policies.ts'
import type { Rule } from '../../policy/rules/policy-set.ts'
import { asDrafts } from '../../policy/rules/read-yaml.ts'
import { sayRule } from '../../policy/rules/say-rule.ts'
import type { Rules } from '../../policy/rules.ts'
import { writeJson } from '../../protocol/parse-json.ts'
import { PolicyFiles, readBundled } from '../config/policy-files.ts'
import type { Input, Output, Policies } from '../contract/contract.ts'
import type { AdminDeps } from '../http/admin-deps.ts'
import { etagOf, type Handlers, requireMatch } from '../http/handler.ts'
import { AdminProblem } from '../http/problem.ts'
import { readMoment } from '../http/read-input.ts'
import { findScope } from './agents.ts'

const REPLAYED = 10_000
const SHOWN_CHANGES = 500

type Names = 'getPolicies' | 'checkPolicy' | 'tryPolicy' | 'replayPolicies' | 'savePolicy'

export function createPolicyHandlers(deps: AdminDeps): Pick<Handlers, Names> {
  const files = new PolicyFiles(deps)
  const fallback = () => deps.config().policyDefault
  return {
    async getPolicies() {
      const read = files.read()
      const { rules, problems } = parsePolicies(read.files, { fallback: fallback() })
      const all = [...read.problems, ...problems]
      return {
        files: read.files.map(({ path, text }) => ({
          path,
          text,
          etag: etagOf(text),
          problems: all.filter(({ file }) => file === path),
        })),
        rules: rules.map(describeRule),
        default: fallback(),
        guardrails: describeGuardrails(deps),
        bundled: readBundled().map(file => ({ ...file })),
      }
    },
    async checkPolicy({ body }) {
      const { rules, problems } = parsePolicies(asDrafts([body]), { fallback: fallback() })
      return { problems: [...problems], rules: rules.map(describeRule) }
    },
    async tryPolicy({ body: { call, files: drafts } }) {
      if (drafts === undefined) return tryCall(deps, call)
      const { set } = files.compile(files.readWith(asDrafts(drafts)))
      return tryCall(deps, call, { ...deps.rules(), policies: set })
    },
    async replayPolicies({ body: { files: drafts, since, limit = REPLAYED } }) {
      const { set } = files.compile(files.readWith(asDrafts(drafts)))
      const { policies: before } = deps.rules()
      const from = readMoment(since, Date.now(), 'body.since')
      const found = await replayCalls(deps.store, { before, after: set, last: limit, since: from })
      return {
        looked: found.calls,
        skipped: found.calls - found.judged,
        changedCount: found.changes.length,
        changed: found.changes.slice(0, SHOWN_CHANGES).map(({ time, rules, ...change }) => {
          return { ...change, at: Date.parse(time), rules: [...rules] }
        }),
      }
    },
    async savePolicy({ params: { path }, body: { text } }, { match }) {
      requireMatch(match, files.etagOf(path))
      await files.save(path, text)
      return { path, text, etag: etagOf(text), problems: [] }
    },
  }
}

function describeRule(rule: Rule): Policies['rules'][number] {
  const { id, effect, reason, when, source } = rule
  const at = source.lastIndexOf(':')
  const place = { file: source.slice(0, at), line: Number(source.slice(at + 1)) }
  return { id, effect, prose: sayRule(rule), reason, cel: when?.text, ...place }
}

/**
 * Describes guardrails as written in the config, because the values of `${env:…}` and `${file:…}` must not be shown.
 */
function describeGuardrails({ config }: AdminDeps): Policies['guardrails'] {
  return config().guardrails.flatMap(({ layer, agent, server, tools, rules, written = rules }) => {
    const whose = [agent, server, ...(tools ?? [])].filter(name => name !== undefined).join(' ')
    return written.map(raw => {
      const { rule, ...settings } = raw as { readonly rule: string }
      return { rule, layer: whose === '' ? layer : `${layer} ${whose}`, settings }
    })
  })
}

type Call = Input<'tryPolicy'>['body']['call']
type Tried = Output<'tryPolicy'>

/**
 * Maximum number of characters in a hypothetical call's arguments. They are limited, because every viewer can try
 * calls.
 */
const MOST_ARGUMENTS = 100_000

/** Returns the verdict on a call, step by step, without making the call. */
async function tryCall(deps: AdminDeps, call: Call, rules?: Rules): Promise<Tried> {
  const { server, tool, args = {} } = call
  if (writeJson(args).length > MOST_ARGUMENTS)
    throw new AdminProblem(
      'too_large',
      `body.call.args: the arguments of a hypothetical call can have at most ${MOST_ARGUMENTS} characters.`,
    )
  const principal = await findScope(deps, call.agent)
  const variant = CALL_VARIANTS.find(known => kindOfVariant(known) === call.variant)
  const imagined = { server, tool, typed: `${server}:${tool}`, args, variant }
  const explained = await deps.explain(imagineCall(callerOf(principal), imagined), rules)
  if (explained.kind === 'unresolved') {
    const { code, message } = explained.refusal
    return { reasons: [], notes: [], path: [], refusal: { code, message } }
  }
  const { decision, path, wrong } = explained
  return {
    verdict: decision.verdict,
    code: decision.verdict === 'deny' ? decision.code : undefined,
    reasons: [...decision.reasons],
    notes: [...decision.notes],
    path: path.map(describeStep),
    refusal: wrong && { code: wrong.code, message: wrong.message },
  }
}

function describeStep({ step, result }: Explained): Tried['path'][number] {
  return {
    step,
    result: result.kind,
    code: result.kind === 'deny' ? result.code : undefined,
    reasons: result.kind === 'deny' || result.kind === 'ask' ? [...result.reasons] : [],
    notes: result.kind === 'note' ? [...result.notes] : [],
  }
}
