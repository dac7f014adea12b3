/** Matches the start of a field: `key: value`, `- item`, `{`, `[`, a row of a table. */
const FIELD = /^(?:- )?["']?[\p{L}\p{N}_ .-]{1,40}["']?:(?:\s|$)|^[-*•] |^[[{|]/u
const KEY = /^(?:- )?["']?[\p{L}\p{N}_ .-]{1,40}["']?:(?:\s+|$)["'|>]?/u
const LONGEST_KEY = 40

const NOT_ASCII = -2
const NO_KEY = -1

/** Whether a line begins a field or an item of a list, so that it does not continue the line before. */
export function startsField(line: string): boolean {
  const first = line.charCodeAt(0)
  if (first === 91 || first === 123 || first === 124) return true
  if ((first === 45 || first === 42) && line.charCodeAt(1) === 32) return true
  const colon = findColon(line)
  return colon === NOT_ASCII ? FIELD.test(line) : colon !== NO_KEY
}

/** Returns the index at which the value of a field begins; 0 if the text has no key. */
export function endOfKey(text: string): number {
  const colon = findColon(text)
  if (colon === NO_KEY) return 0
  if (colon === NOT_ASCII) return KEY.exec(text)?.[0].length ?? 0
  const at = skipBlanks(text, colon + 1)
  const code = text.charCodeAt(at)
  return isQuote(code) || code === 124 || code === 62 ? at + 1 : at
}

/**
 * Finds the colon after the key with which a line begins. This does the same as the patterns above, but much faster; they
 * are used for keys with characters outside ASCII.
 */
function findColon(line: string): number {
  const isItem = line.charCodeAt(0) === 45 && line.charCodeAt(1) === 32
  const found = isItem ? findColonFrom(line, 2) : NO_KEY
  return found === NO_KEY ? findColonFrom(line, 0) : found
}

function findColonFrom(line: string, start: number): number {
  let at = isQuote(line.charCodeAt(start)) ? start + 1 : start
  const first = at
  while (at - first < LONGEST_KEY && isInKey(line.charCodeAt(at))) at += 1
  const code = line.charCodeAt(at)
  if (code > 127) return NOT_ASCII
  if (at === first) return NO_KEY
  if (isQuote(code)) at += 1
  if (line.charCodeAt(at) !== 58) return NO_KEY
  return at + 1 === line.length || isBlank(line.charCodeAt(at + 1)) ? at : NO_KEY
}

function isInKey(code: number): boolean {
  return (
    (code >= 97 && code <= 122) ||
    (code >= 65 && code <= 90) ||
    (code >= 48 && code <= 57) ||
    code === 32 ||
    code === 95 ||
    code === 46 ||
    code === 45
  )
}

function isQuote(code: number): boolean {
  return code === 34 || code === 39
}

const BLANK = /\s/

function isBlank(code: number): boolean {
  return code <= 32
    ? code === 32 || (code >= 9 && code <= 13)
    : code > 127 && BLANK.test(String.fromCharCode(code))
}

function skipBlanks(text: string, start: number): number {
  let at = start
  while (at < text.length && isBlank(text.charCodeAt(at))) at += 1
  return at
}

/** Whether a paragraph is written in JSON or a similar format. */
export function isJson(paragraph: string): boolean {
  const first = paragraph.charCodeAt(0)
  return first === 91 || first === 123
}

/** 1 for quotes, 2 for closing brackets, 3 for a comma, 4 for opening brackets. */
const SEPARATORS = new Uint8Array(128)
for (const [at, signs] of ['', '"\'', '}]', ',', '{['].entries())
  for (const sign of signs) SEPARATORS[sign.charCodeAt(0)] = at

/**
 * Takes the values out of JSON. The separators are a quote with a colon or comma, closing brackets, a comma before another
 * quote or bracket, and opening brackets, each with the blanks and the quote beside it. This is a scanner, because a
 * pattern with so many alternatives is slow.
 */
export function splitValues(text: string, take: (value: string) => void): void {
  let start = 0
  for (let at = 0; at < text.length; ) {
    const code = text.charCodeAt(at)
    const end = code < 128 && SEPARATORS[code] !== 0 ? endOfSeparator(text, at) : at
    if (end === at) at += 1
    else {
      if (at > start) take(text.slice(start, at))
      start = end
      at = end
    }
  }
  if (start < text.length) take(text.slice(start))
}

/** Returns the end of the separator that begins here, or the same index if none does. */
function endOfSeparator(text: string, at: number): number {
  switch (SEPARATORS[text.charCodeAt(at)]) {
    case 1:
      return afterColonOrComma(text, at + 1) ?? afterClosing(text, at + 1) ?? at
    case 2:
      return afterClosing(text, at) ?? at
    case 3: {
      const next = skipBlanks(text, at + 1)
      const kind = kindAt(text, next)
      return kind === 1 || kind === 4 ? next + 1 : at
    }
    default: {
      const next = skipWhile(text, at, 4)
      return kindAt(text, next) === 1 ? next + 1 : next
    }
  }
}

function afterColonOrComma(text: string, start: number): number | undefined {
  const sign = skipBlanks(text, start)
  const code = text.charCodeAt(sign)
  if (code !== 58 && code !== 44) return undefined
  const next = skipBlanks(text, sign + 1)
  return kindAt(text, next) === 1 ? next + 1 : next
}

function afterClosing(text: string, start: number): number | undefined {
  const closed = skipWhile(text, start, 2)
  if (closed === start) return undefined
  const next = skipBlanks(text, closed)
  return text.charCodeAt(next) === 44 ? skipBlanks(text, next + 1) : next
}

function skipWhile(text: string, start: number, kind: number): number {
  let at = start
  while (kindAt(text, at) === kind) at += 1
  return at
}

function kindAt(text: string, at: number): number {
  return at < text.length ? (SEPARATORS[text.charCodeAt(at)] ?? 0) : 0
}
