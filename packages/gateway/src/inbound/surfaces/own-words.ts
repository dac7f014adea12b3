import type { ResultRules } from '../../policy/rules.ts'
import { type Beside, type Checked, checkResult, checkResultBeside } from '../../results/check-result.ts'
import { beforePair } from '../../results/kept/measure-json.ts'

/** What a server says of itself comes with everything that agents read, so it has a length. */
export function cut(text: string, most: number): string {
  return text.length <= most ? text : text.slice(0, beforePair(text, most))
}

/** As it may be read; undefined where it may not, or only with a warning before it, for which there is no place here. */
export function screenOwnWords(value: unknown, rules: ResultRules): unknown {
  return shownOf(value, checkResult({ value }, checkingBy(rules)))
}

/** The same for texts that may be long. */
export async function screenOwnText(
  text: string,
  rules: ResultRules,
  beside: Beside,
): Promise<string | undefined> {
  const checked = await checkResultBeside({ value: text }, checkingBy(rules), beside)
  return shownOf(text, checked) as string | undefined
}

function shownOf(value: unknown, checked: Checked): unknown {
  if (checked.kind === 'clean') return value
  const isMarked = checked.kind === 'tainted' && checked.warning !== undefined
  return checked.kind === 'blocked' || isMarked ? undefined : checked.result.value
}

function checkingBy(rules: ResultRules) {
  return { rules, isOpenWorld: true, misfit: undefined }
}
