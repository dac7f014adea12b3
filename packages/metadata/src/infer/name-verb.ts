import { findBaseVerb, type VerbForm } from './verb-forms.ts'

/** A verb in a name, with its weight: 1 if the word is certainly a verb, like "delete" in `delete_file`. */
export interface NamedVerb {
  readonly verb: VerbForm
  readonly weight: number
  readonly text: string
  readonly at: number
}

const CONJUNCTIONS = new Set(['and', 'or', 'then'])

/**
 * Verbs to look for in names without separators, such as `getguidance`. Only verbs that are long or distinctive enough
 * not to be the start of a common noun.
 */
const GLUED_VERBS = [
  'get',
  'list',
  'create',
  'update',
  'delete',
  'fetch',
  'validate',
  'generate',
  'retrieve',
  'search',
]
const NOT_GLUED = new Set(
  'getting listing listings listen listener listeners updates creator deletes'.split(' '),
)

/**
 * Finds the verbs of a name that has been split and stripped of its namespace. A plain verb at the start comes first,
 * then one at the end (`crm_contact_delete`), then one in the middle. Words that are often nouns come last.
 */
export function findNameVerbs(words: readonly string[], nouns: ReadonlySet<string>): readonly NamedVerb[] {
  const candidates: NamedVerb[] = []
  words.forEach((word, at) => {
    const verb = findBaseVerb(word)
    if (verb !== undefined) {
      candidates.push({ verb, weight: weigh(verb, at, { last: words.length - 1, nouns }), text: word, at })
    }
  })
  const [first, ...rest] = candidates
  if (first === undefined) return findGluedVerb(words)
  const main = pickMain([first, ...rest], words.length)
  const joined = candidates.filter(other => other !== main && isJoined(words, main, other))
  return [main, ...joined]
}

/** Reading verbs that are also common nouns, as in `access_list_create` and `user_read_set`. */
const READING_NOUNS = new Set(['list', 'read'])

/**
 * Picks the verb with the most weight. Between two plain verbs that are not at the start, the first wins if it cannot
 * be a noun (`x_get_last_update` gets something); otherwise the one that changes something wins (`x_create_access_list`
 * creates something).
 */
function pickMain(candidates: readonly [NamedVerb, ...NamedVerb[]], length: number): NamedVerb {
  return candidates.reduce((best, next) => {
    if (best.at > 0 && !best.verb.noun && !next.verb.noun && next.at === length - 1) {
      const reads = best.verb.rule.readOnly > 0
      if (reads ? !READING_NOUNS.has(best.verb.base) : next.verb.rule.readOnly > 0) return best
      return next
    }
    return next.weight > best.weight ? next : best
  })
}

function weigh(verb: VerbForm, at: number, place: { last: number; nouns: ReadonlySet<string> }): number {
  const edge = at === 0 ? 1 : at === place.last ? 0.95 : 0.85
  if (!verb.noun) return edge
  const doubt = place.nouns.has(verb.base) && place.last > 0 ? 0.4 : 0.8
  // For doubtful verbs, being at the start or the end counts for less: "test" in `get_test` and `test_run` is rarely
  // the verb.
  return doubt * (at === 0 ? 1 : at === place.last ? 0.8 : 0.5)
}

/**
 * Returns true if two verbs are both actions: joined by a word, as in `find_and_replace`, or two plain writes side by
 * side, as in `disable_delete_user`.
 */
function isJoined(words: readonly string[], main: NamedVerb, other: NamedVerb): boolean {
  if (other.verb.rule === main.verb.rule) return false
  const between = words.slice(Math.min(main.at, other.at) + 1, Math.max(main.at, other.at))
  if (between.length === 1) return CONJUNCTIONS.has(between[0] ?? '')
  return between.length === 0 && words.length > 2 && isPlainWrite(main) && isPlainWrite(other)
}

function isPlainWrite({ verb }: NamedVerb): boolean {
  return !verb.noun && verb.rule.readOnly < 0
}

function findGluedVerb(words: readonly string[]): readonly NamedVerb[] {
  for (const at of words.length > 1 ? [0, words.length - 1] : [0]) {
    const word = words[at] ?? ''
    if (NOT_GLUED.has(word)) continue
    const base = GLUED_VERBS.find(glued => word.startsWith(glued) && word.length >= glued.length + 3)
    const verb = base === undefined ? undefined : findBaseVerb(base)
    if (verb !== undefined) return [{ verb, weight: 0.6, text: word, at }]
  }
  return []
}
