import { RE2JS } from 're2js'

/**
 * What an expression remembers of the texts it has seen grows to megabytes; after so many characters it is
 * made afresh.
 */
const MAX_READ = 5_000_000

/** Whether an expression can be read. Compiled once here and once for use: that is at load, not per call. */
export function isPattern(source: string): boolean {
  try {
    RE2JS.compile(source)
    return true
  } catch {
    return false
  }
}

/**
 * A test for an expression that takes time in proportion to the text: these come from operators, the texts
 * from agents, and JavaScript's own engine can be made to run for ever.
 */
export function createMatcher(source: string, isCaseSensitive: boolean): (text: string) => boolean {
  const flags = isCaseSensitive ? 0 : RE2JS.CASE_INSENSITIVE
  let expression = RE2JS.compile(source, flags)
  let read = 0
  return text => {
    read += text.length
    if (read > MAX_READ) {
      expression = RE2JS.compile(source, flags)
      read = text.length
    }
    return expression.test(text)
  }
}
