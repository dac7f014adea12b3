import { actionSentence, type SessionRiskFactors, viewRisk } from '@hintgate/metadata'
import { maskValue, WHOLE } from '../audit/mask.ts'
import { findSecrets } from '../detect/secrets/find-secrets.ts'
import { type Finding, redact } from '../detect/text/finding.ts'
import { isWord } from '../detect/text/looks.ts'
import type { Classified } from '../exchange/incoming-call.ts'
import type { Decision } from '../policy/decide.ts'
import type { OriginFacts } from '../policy/facts/facts.ts'
import { isJsonObject, type Json } from '../protocol/messages.ts'
import { spellNumbers } from '../protocol/parse-json.ts'
import type { NewApproval } from './approvals.ts'
import { type Bindings, type ShownOrigin, showHints } from './shown-request.ts'

const LONG_RUNS = /[A-Za-z0-9]{8,}/g
/** Matches a password in a URL. It must be longer than a port number, which can stand in the same place. */
const URL_PASSWORD = /^[A-Za-z0-9]{6,}$/

/**
 * Masks secrets in a text that an approver must be able to check. Only random-looking letters and digits within a
 * finding are masked. All other characters and words stay visible, because they can belong to a command, path or
 * address, and showing a piece of a secret does far less harm than hiding a command.
 *
 * @example
 * maskForApprover('/srv/token=a1b2c3d4e5f6/../etc') // => '/srv/token=[redacted:assigned-secret]/../etc'
 */
export function maskForApprover(text: string): string {
  const found = findSecrets(text)
  return found.length === 0
    ? text
    : redact(
        text,
        found.flatMap(finding => hiddenOf(finding, text)),
      )
}

function hiddenOf(finding: Finding, text: string): readonly Finding[] {
  // Only the finding is searched, not the whole text, because a long text can have thousands of findings.
  const found = text.slice(finding.start, finding.end)
  // Between `://user:` and `@`, there can be only a password, whatever it looks like.
  if (finding.rule === 'password-in-url' && URL_PASSWORD.test(found)) return [finding]
  const hidden: Finding[] = []
  for (const { 0: run, index } of found.matchAll(LONG_RUNS)) {
    const start = finding.start + index
    if (looksRandom(run)) hidden.push({ ...finding, start, end: start + run.length })
  }
  return hidden
}

/** True for a long number, and for mixed characters that do not form words, unlike those of `wipeBackups2024`. */
function looksRandom(run: string): boolean {
  const kinds = [/[a-z]/, /[A-Z]/, /\d/].filter(kind => kind.test(run)).length
  return kinds === 1 ? LONG_NUMBER.test(run) : lettersInWords(run) < run.length * MOSTLY
}

const MOSTLY = 0.6
/** Matches a number that is longer than any amount or date. */
const LONG_NUMBER = /^\d{12,}$/
const WORDS = /[A-Za-z][a-z]{3,}/g

function lettersInWords(run: string): number {
  const words = run.match(WORDS) ?? []
  return words.reduce((letters, word) => letters + (isWord(word) ? word.length : 0), 0)
}

interface Surroundings {
  /** The call's parameters other than its arguments, with all digits of their numbers. */
  readonly others: Json | undefined
  readonly bindings: Bindings
  readonly riskFactors: SessionRiskFactors
  readonly preview: string | undefined
  readonly validMs: number
}

export function describeRequest(
  { call, tool, variant }: Classified,
  { channel, reasons, remember, origin, approvers }: Extract<Decision, { verdict: 'confirm' }>,
  { others, bindings, riskFactors, preview, validMs }: Surroundings,
): NewApproval {
  const { principal, session } = call.exchange.caller
  const { effective, title, declared } = tool.assessment
  // Numbers are written out first, because masking creates new objects, which lose the original digits.
  const args = mask(spellNumbers(call.params.arguments ?? {}))
  const template = declared.action
  return {
    principal: principal.id,
    session,
    tool: `${tool.server}:${tool.name}`,
    binding: bindings.once,
    channel,
    validMs,
    shown: {
      agent: principal.name,
      server: tool.server,
      tool: tool.name,
      title,
      action: actionSentence({
        title,
        args: knownOf(args, tool.definition),
        ...(template === undefined ? {} : { template }),
      }),
      variant,
      consequences: tool.assessment.consequence.kinds,
      ...(approvers === undefined ? {} : { approvers }),
      arguments: args,
      ...(others === undefined ? {} : { others: mask(others) }),
      hints: showHints(effective),
      reasons,
      session_risk: viewRisk(riskFactors),
      ...(origin === undefined ? {} : { origin: showOrigin(origin) }),
      ...(preview === undefined ? {} : { preview }),
      remember,
      standing: { arguments: bindings.arguments, session: bindings.session, target: bindings.target },
    },
  }
}

/**
 * Masks secrets but cuts nothing, because the part that is cut would be executed although no approver saw it. The
 * calling code has checked the length.
 */
function mask(value: unknown): unknown {
  return maskValue(value, maskForApprover, WHOLE)
}

function showOrigin({ argument, server, tool, request, at, passage }: OriginFacts): ShownOrigin {
  return { argument, server, tool, request, at, passage: String(mask(passage)) }
}

/**
 * Returns only the arguments that the tool declares. With undeclared ones, a caller could put its own words into the
 * sentence that people read before they decide.
 */
function knownOf(args: unknown, { inputSchema }: { readonly inputSchema?: unknown }): Json {
  const { properties } = isJsonObject(inputSchema) ? inputSchema : {}
  if (!isJsonObject(args) || !isJsonObject(properties)) return {}
  return Object.fromEntries(Object.entries(args).filter(([key]) => Object.hasOwn(properties, key)))
}
