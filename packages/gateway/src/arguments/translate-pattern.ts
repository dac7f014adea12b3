export interface Translated {
  readonly text: string
  /** What it will compile to, in simple instructions. */
  readonly size: number
}

const TOKEN =
  /\\u\{[0-9a-fA-F]{1,6}\}|\\u[0-9a-fA-F]{4}|\\x[0-9a-fA-F]{2}|\\c[A-Za-z]|\\[pP]\{\w{1,64}\}|\\.|\{\d*(?:,\d*)?\}|./gsu
/** What JavaScript takes for white space and RE2 does not. */
const MORE_SPACE =
  '\\v\\x{a0}\\x{1680}\\x{2000}-\\x{200a}\\x{2028}\\x{2029}\\x{202f}\\x{205f}\\x{3000}\\x{feff}'
export const MAX_LENGTH = 2_000

/**
 * A pattern as schemas write it (ECMAScript), in the words of RE2. Undefined when it says anything that servers do not agree
 * on: `\Z` is an anchor in Python and a letter in JavaScript. (`.` stays as it is: RE2's matches `\r` as well.)
 */
export function translatePattern(source: string): Translated | undefined {
  if (source.length > MAX_LENGTH) return undefined
  const size = new SizeEstimate()
  let text = ''
  let isInClass = false
  let previous = ''
  for (const [token] of source.matchAll(TOKEN)) {
    const written = token.length > 1 && token.startsWith('\\') ? translateEscape(token, isInClass) : token
    if (written === undefined) return undefined
    if (isInClass) {
      // `[]` and `[^]` are a class to JavaScript and the beginning of one to RE2.
      if (token === ']' && (previous === '[' || previous === '[^')) return undefined
      text += token === '[' ? '\\[' : written
      isInClass = token !== ']'
      size.addToClass(token)
      previous = token === '^' && previous === '[' ? '[^' : ''
    } else {
      if (token === '\\' || token.startsWith('{,') || token === '{}') return undefined
      text += written
      isInClass = token === '['
      previous = token
      size.add(token)
    }
  }
  return isInClass ? undefined : { text, size: size.total }
}

function translateEscape(token: string, isInClass: boolean): string | undefined {
  const what = token[1] ?? ''
  if (token.length > 2) return translateCode(token, what)
  if (what === 's') return isInClass ? `\\s${MORE_SPACE}` : `[\\s${MORE_SPACE}]`
  if (what === 'S' && !isInClass) return `[^\\s${MORE_SPACE}]`
  if (what === 'b' && isInClass) return '\\x08'
  if (/[dDwWSbBtnvfr]/.test(what)) return token
  if (/[a-zA-Z0-9]/.test(what)) return undefined
  return /[ -~]/.test(what) ? token : what
}

/** `\u0041`, `\x41`, `\cA`, `\p{Lu}`. */
function translateCode(token: string, what: string): string | undefined {
  if (what === 'c') return `\\x{${((token.codePointAt(2) ?? 0) % 32).toString(16)}}`
  if (what !== 'u') return token
  const digits = token.replaceAll(/[^0-9a-fA-F]/g, '')
  const isHalf = /^d[89a-f]..$/i.test(digits)
  return isHalf ? undefined : `\\x{${digits}}`
}

/** A property of Unicode is some hundred ranges of characters. */
function sizeOf(token: string): number {
  return /^\\[pP]/.test(token) ? 20 : 1
}

/** Counted loops are written out by RE2, so `(…){1000}` is a thousand times what it holds. */
class SizeEstimate {
  readonly #groups: number[] = [0]
  #last = 0

  add(token: string): void {
    const counts = /^\{(\d+)(?:,(\d*))?\}$/.exec(token)
    if ('*+?'.includes(token)) this.#last += 1
    else if (counts) this.#last *= Math.max(Number(counts[1]) + 1, Number(counts[2] ?? 0))
    else if (token === '(') {
      this.#close()
      this.#groups.push(0)
    } else if (token === ')') {
      this.#close()
      this.#last = 2 + (this.#groups.length > 1 ? (this.#groups.pop() ?? 0) : 0)
    } else {
      this.#close()
      this.#last = sizeOf(token)
    }
  }

  addToClass(token: string): void {
    this.#last += sizeOf(token) - 1
  }

  get total(): number {
    this.#close()
    return this.#groups.reduce((sum, size) => sum + size, 0)
  }

  #close(): void {
    this.#groups.push((this.#groups.pop() ?? 0) + this.#last)
    this.#last = 0
  }
}
