import { ownString } from '../definition/own-property.ts'
import type { ToolDefinition } from '../definition/tool-definition.ts'
import { splitWords } from '../infer/split-words.ts'

const ACRONYMS = new Set(
  'ai api aws ci cd cli cpu csv css db dns dom gpu html http https id ids ip json jwt llm mcp ml os pdf pr prs rss sdk sql ssh ssl tls ui uri url urls uuid vm xml yaml'.split(
    ' ',
  ),
)

/**
 * Turns a name into readable words.
 *
 * @example
 * import { humaniseName } from '@hintgate/metadata'
 * humaniseName('get_userById') // => 'Get user by ID'
 */
export function humaniseName(name: string): string {
  const words = splitWords(name).map(word =>
    ACRONYMS.has(word) ? word.toUpperCase().replace(/S$/, pluralOf(word)) : word,
  )
  const sentence = words.join(' ')
  return sentence === '' ? name : sentence.charAt(0).toUpperCase() + sentence.slice(1)
}

/** Turns `ids` into `IDs`. A word that only ends in "s", such as `css`, becomes `CSS`. */
function pluralOf(word: string): string {
  return ACRONYMS.has(word.slice(0, -1)) ? 's' : 'S'
}

/**
 * Returns a tool's display name: its title, or the title in its annotations, or its name in readable words.
 *
 * @example
 * import { displayTitle } from '@hintgate/metadata'
 * displayTitle({ name: 'send_email', annotations: { title: 'Send an email' } }) // => 'Send an email'
 * displayTitle({ name: 'send_email' }) // => 'Send email'
 */
export function displayTitle(definition: ToolDefinition): string {
  const titles = [ownString(definition, 'title'), ownString(definition.annotations, 'title')]
  return titles.find(title => title !== undefined && title.trim() !== '') ?? humaniseName(definition.name)
}
