const LOWER = 1
const UPPER = 2
const DIGIT = 3
const OTHER = 0

function classOf(code: number): number {
  if (code >= 97 && code <= 122) return LOWER
  if (code >= 65 && code <= 90) return UPPER
  if (code >= 48 && code <= 57) return DIGIT
  return code > 127 ? LOWER : OTHER
}

/** Names are read up to this length. Real names are shorter, and reading more would only take time. */
export const MAX_NAME_LENGTH = 160

/**
 * Words that form one verb when they follow each other. They are joined, so "roll back" and "rollback" match the same
 * rule.
 */
const COMPOUNDS = new Map(
  (
    'roll back,log in,log out,sign in,sign out,set up,clean up,look up,back up,check out,shut down,fail over,' +
    'cherry pick,double click,go to,roll out,re run,re start,un publish,un subscribe,un archive,un lock,up sert,' +
    'create or update,add or update,insert or update,create or replace'
  )
    .split(',')
    .map(words => [words, words.includes(' or ') ? 'upsert' : words.replaceAll(' ', '')]),
)

/**
 * Splits an identifier into lower-case words at changes of case, underscores, dashes, dots and digits. Acronyms stay
 * together: `getHTTPUrl2` is get, http, url, 2.
 */
export function splitWords(name: string): string[] {
  const text = name.length > MAX_NAME_LENGTH ? name.slice(0, MAX_NAME_LENGTH) : name
  const words: string[] = []
  let start = -1
  let previous = OTHER
  for (let at = 0; at < text.length; at += 1) {
    const kind = classOf(text.charCodeAt(at))
    if (start >= 0 && endsWord(previous, kind, text, at)) {
      words.push(text.slice(start, at).toLowerCase())
      start = -1
    }
    if (kind !== OTHER && start < 0) start = at
    previous = kind
  }
  if (start >= 0) words.push(text.slice(start).toLowerCase())
  return joinCompounds(words)
}

function endsWord(previous: number, kind: number, text: string, at: number): boolean {
  if (kind === OTHER) return true
  if (previous === LOWER && kind === UPPER) return true
  // The last capital in a row starts the next word: HTTPUrl is HTTP and Url. `IDs` is not split.
  if (previous === UPPER && kind === UPPER) {
    return classOf(text.charCodeAt(at + 1)) === LOWER && text.slice(at + 1, at + 3) !== 's'
  }
  return (previous === DIGIT) !== (kind === DIGIT)
}

function joinCompounds(words: string[]): string[] {
  for (let at = 0; at + 1 < words.length; at += 1) {
    const pair = `${words[at]} ${words[at + 1]}`
    const joined = COMPOUNDS.get(pair)
    if (joined !== undefined) words.splice(at, 2, joined)
    const upsert = words[at + 1] === 'or' ? COMPOUNDS.get(`${pair} ${words[at + 2]}`) : undefined
    if (upsert !== undefined) words.splice(at, 3, upsert)
  }
  return words
}
