import { showUntrusted } from '@hintgate/metadata'
import type { Step } from './finding.ts'

const PLAIN = /^[\p{L}_$][\w$-]{0,63}$/u
const MAX_LENGTH = 300

/** A place in the arguments as people write it: `to[0].address`, `headers["x y"]`. */
export function showPath(path: readonly Step[]): string {
  let text = ''
  for (const step of path) {
    if (typeof step === 'number') text += `[${step}]`
    else if (PLAIN.test(step)) text += text === '' ? step : `.${step}`
    else text += `["${showUntrusted(step, 64)}"]`
  }
  return text.length > MAX_LENGTH ? `…${text.slice(-MAX_LENGTH)}` : text
}
