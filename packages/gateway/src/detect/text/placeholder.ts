/** What stands where a secret would: a variable, a template, a word for it, the same letter over and over. */
const VARIABLE = /^[$%#@]?[({[<]|^\$|^%[A-Za-z(]|%s|\{\{|\}\}|^`|\$\(|\$\{|<[\w -]{2,40}>|\[[A-Z_ ]{3,30}\]/
const WORDS =
  /example|sample|placeholder|changeme|change_me|change-me|your[_-]|redacted|dummy|fake|xxxx|\*{3}|\.{3}|12345678|abcdef|insert|replace[_-]|getenv|environ|^(?:todo|undefined|null|none|true|false|secret|password|token)$/i
const FEW = 4

/** Whether a value only says that a secret belongs here. */
export function isPlaceholder(value: string): boolean {
  if (VARIABLE.test(value)) return true
  if (WORDS.test(value) && !/\d{3}[A-Z]|[a-z]\d[a-z]\d/.test(value)) return true
  return hasFew(value)
}

/** Whether it has few different characters. Most values show after some that they have more. */
function hasFew(value: string): boolean {
  const seen: string[] = []
  for (const character of value) {
    if (seen.includes(character)) continue
    if (seen.length === FEW) return false
    seen.push(character)
  }
  return true
}
