import { CLOSE_LIST, CLOSE_OBJECT, endOfString, OPEN_LIST, OPEN_OBJECT, QUOTE } from './json-text.ts'

const COLON = 58
const MAX_DEPTH = 100

/**
 * The text of a response's `result` as the server wrote it, where passing it on is as good as writing it anew: when no
 * object in it has a key twice, so that no reader can see in it what another does not. Writing a long text anew costs
 * ten times as much as this look at its outline. Undefined when in doubt. The text must be JSON: parse it first.
 */
export function sliceResult(text: string): string | undefined {
  const keys: (Set<string> | undefined)[] = []
  let start = -1
  let end = -1
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code === QUOTE) {
      const close = endOfString(text, at)
      const colon = isKey(text, close)
      if (colon > 0) {
        const key = text.slice(at + 1, close)
        const siblings = keys.at(-1)
        // An escaped key may be another one in disguise.
        if (siblings === undefined || siblings.has(key) || key.includes('\\')) return undefined
        siblings.add(key)
        if (keys.length === 1 && start >= 0 && end < 0) end = beforeComma(text, at)
        if (keys.length === 1 && key === 'result') start = colon + 1
      }
      at = close
    } else if (code === OPEN_OBJECT || code === OPEN_LIST) {
      if (keys.push(code === OPEN_OBJECT ? new Set() : undefined) > MAX_DEPTH) return undefined
    } else if (code === CLOSE_OBJECT || code === CLOSE_LIST) {
      keys.pop()
      if (keys.length === 0 && start >= 0 && end < 0) end = at
    }
  }
  const result = start < 0 || end < 0 ? undefined : text.slice(start, end)
  // Lines end messages on a pipe and fields in an event stream.
  return result === undefined || /[\r\n]/.test(result) ? undefined : result
}

/** Where the colon after a string stands, if it is a key; else 0. */
function isKey(text: string, close: number): number {
  let at = close + 1
  while (text.charCodeAt(at) <= 32) at += 1
  return text.charCodeAt(at) === COLON ? at : 0
}

/** Where the value before a key ends: at the comma between them. */
function beforeComma(text: string, key: number): number {
  return text.lastIndexOf(',', key)
}
