import { replayCalls } from '../../audit/replay-calls.ts'
import { parsePolicies } from '../../policy/rules/parse-policies.ts'
import type { Rule } from '../../policy/rules/policy-set.ts'
import { asDrafts } from '../../policy/rules/read-yaml.ts'
import { sayRule } from '../../policy/rules/say-rule.ts'
import { PolicyFiles, readBundled } from '../config/policy-files.ts'
import type { Policies } from '../contract/contract.ts'
import type { AdminDeps } from '../http/admin-deps.ts'
import { etagOf, requireMatch } from '../http/etag.ts'
import type { Handlers } from '../http/handler.ts'
import { readMoment } from '../http/read-input.ts'
import { tryCall } from '../views/try-call.ts'

type Names = 'getPolicies' | 'checkPolicy' | 'tryPolicy' | 'replayPolicies' | 'savePolicy'

const REPLAYED = 10_000
const SHOWN_CHANGES = 500

/** The rules that verdicts go by. */
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
        changed: found.changes.slice(0, SHOWN_CHANGES).map(({ time, rules, ...change }) => ({
          ...change,
          at: Date.parse(time),
          rules: [...rules],
        })),
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
  return {
    id,
    effect,
    prose: sayRule(rule),
    reason,
    ...(when === undefined ? {} : { cel: when.text }),
    file: source.slice(0, at),
    line: Number(source.slice(at + 1)),
  }
}

/** As they are written: what `${env:…}` and `${file:…}` stand for is for the rules alone. */
function describeGuardrails({ config }: AdminDeps): Policies['guardrails'] {
  return config().guardrails.flatMap(({ layer, agent, server, tools, rules, written = rules }) => {
    const whose = [agent, server, ...(tools ?? [])].filter(name => name !== undefined).join(' ')
    return written.map(raw => {
      const { rule, ...settings } = raw as { readonly rule: string }
      return { rule, layer: whose === '' ? layer : `${layer} ${whose}`, settings }
    })
  })
}
