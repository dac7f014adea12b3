import { findSecrets } from '../detect/secrets/find-secrets.ts'
import { type Finding, redact } from '../detect/text/finding.ts'
import { isWord } from '../detect/text/looks.ts'

const LONG_RUNS = /[A-Za-z0-9]{8,}/g
/** Longer than a port, which may stand in its place. */
const URL_PASSWORD = /^[A-Za-z0-9]{6,}$/

/**
 * The text without its secrets, for somebody who has to see what is executed. Of what was found only letters and digits
 * that look random are left out. Every other character is shown, since commands, paths and addresses are made with them,
 * and so are words: a piece of a secret that is shown does far less harm than a command that is not.
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

/** The parts of a finding that are not shown. */
function hiddenOf(finding: Finding, text: string): readonly Finding[] {
  // Within the finding alone: there may be thousands, and the text is long.
  const found = text.slice(finding.start, finding.end)
  // Between `://user:` and `@` there is nothing but a password, whatever it looks like.
  if (finding.rule === 'password-in-url' && URL_PASSWORD.test(found)) return [finding]
  const hidden: Finding[] = []
  for (const { 0: run, index } of found.matchAll(LONG_RUNS)) {
    const start = finding.start + index
    if (looksRandom(run)) hidden.push({ ...finding, start, end: start + run.length })
  }
  return hidden
}

/**
 * A long number, or letters of both cases or with digits that are not words for the most part: `wipeBackups2024` is a
 * name, of somebody's program or table perhaps.
 */
function looksRandom(run: string): boolean {
  const kinds = [/[a-z]/, /[A-Z]/, /\d/].filter(kind => kind.test(run)).length
  return kinds === 1 ? LONG_NUMBER.test(run) : lettersInWords(run) < run.length * MOSTLY
}

const MOSTLY = 0.6
/** No amount or date has as many digits. */
const LONG_NUMBER = /^\d{12,}$/
const WORDS = /[A-Za-z][a-z]{3,}/g

function lettersInWords(run: string): number {
  const words = run.match(WORDS) ?? []
  return words.reduce((letters, word) => letters + (isWord(word) ? word.length : 0), 0)
}
