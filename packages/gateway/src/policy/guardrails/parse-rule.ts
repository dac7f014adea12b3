import { z } from 'zod'
import { explainIssues, suggest } from './explain-problems.ts'
import type { GuardrailProblem } from './guardrail.ts'
import { RULE_KINDS } from './registry.ts'
import { type Rate, readRate } from './rules/rate-limit.ts'
import { type Selector, selectorParams } from './selector.ts'
import type { Check, RuleEffect, RuleKind } from './values/rule.ts'

export interface Rule {
  readonly name: string
  readonly selector: Selector
  readonly effect: RuleEffect
  /** The reason that the operator wrote. It is shown after the built-in message. */
  readonly words: string | undefined
  readonly check: Check
  readonly readsTexts: boolean
  readonly rate: Rate | undefined
}

type Parsed = { readonly rule: Rule } | { readonly problems: readonly GuardrailProblem[] }

const COMMON_KEYS = ['rule', 'effect', 'reason', ...Object.keys(selectorParams)]

/** Reads one rule of the config, or lists all of its problems. */
export function parseRule(raw: unknown, path: readonly (string | number)[]): Parsed {
  if (typeof raw !== 'object' || raw === null || Array.isArray(raw)) {
    return refuse(
      path,
      'the guardrail is not an object',
      'write an object such as { "rule": "secret_detect" }',
    )
  }
  const name = 'rule' in raw ? raw.rule : undefined
  const kind = typeof name === 'string' ? RULE_KINDS.get(name) : undefined
  if (kind === undefined) return refuseName(name, path)
  const own: Record<string, unknown> = {}
  const common: Record<string, unknown> = {}
  for (const [key, value] of Object.entries(raw)) (COMMON_KEYS.includes(key) ? common : own)[key] = value
  return parseKind(kind, { own, common, path })
}

interface Parts {
  readonly own: Record<string, unknown>
  readonly common: Record<string, unknown>
  readonly path: readonly (string | number)[]
}

function parseKind(kind: RuleKind, { own, common, path }: Parts): Parsed {
  const known = [...Object.keys(kind.schema.shape), ...COMMON_KEYS]
  const readOwn = kind.schema.safeParse(own, { reportInput: true })
  const readCommon = commonSchema(kind).safeParse(common, { reportInput: true })
  const problems = [
    ...explainIssues(readCommon.error?.issues ?? [], path, known),
    ...explainIssues(readOwn.error?.issues ?? [], path, known),
    ...findMissing(kind, own, path),
  ]
  if (problems.length > 0 || !readCommon.success) return { problems }
  const { rule: name, effect, reason, ...selector } = readCommon.data
  return {
    rule: {
      name,
      selector,
      effect: effect ?? kind.effects[0] ?? 'deny',
      words: reason,
      check: kind.compile(own),
      readsTexts: kind.readsTexts,
      rate: name === 'rate_limit' ? readRate(own) : undefined,
    },
  }
}

function commonSchema({ effects }: RuleKind) {
  return z.strictObject({
    ...selectorParams,
    rule: z.string(),
    reason: z.string().min(1).max(300).optional(),
    // If a rule has only one possible effect, no other value is accepted.
    effect: z
      .enum(['deny', 'confirm'])
      .refine(effect => effects.includes(effect), {
        error: 'this rule does not support this effect',
        params: { fix: effects.length === 0 ? 'remove it' : `write "${effects[0]}", or remove it` },
      })
      .optional(),
  })
}

function findMissing(
  { needs }: RuleKind,
  own: Record<string, unknown>,
  path: Parts['path'],
): GuardrailProblem[] {
  return needs
    .filter(keys => keys.every(key => own[key] === undefined))
    .map(([first = '', second = '']) => ({
      path,
      message: `"${first}" or "${second}" is missing`,
      fix: `add one of them`,
    }))
}

function refuse(path: Parts['path'], message: string, fix: string): Parsed {
  return { problems: [{ path, message, fix }] }
}

function refuseName(name: unknown, path: Parts['path']): Parsed {
  const known = [...RULE_KINDS.keys()]
  if (typeof name !== 'string')
    return refuse(path, '"rule" is missing', `add it, with one of these values: ${known.join(', ')}`)
  return refuse([...path, 'rule'], 'unknown rule', suggest(name, known))
}
