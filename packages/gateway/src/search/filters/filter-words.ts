/** The filters that a query can express in words. */
export type WordedFilter = 'read_only' | 'exclude_destructive' | 'exclude_open_world' | 'idempotent'

export interface HintWord {
  readonly filter: WordedFilter
  /**
   * True if the word describes tools that are wanted ("read-only"); false if it describes tools to exclude
   * ("destructive").
   */
  readonly isWanted: boolean
}

const wanted = (filter: WordedFilter): HintWord => ({ filter, isWanted: true })
const unwanted = (filter: WordedFilter): HintWord => ({ filter, isWanted: false })

/**
 * Words that state a hint, written without hyphens and spaces. A query can write them as one word, with a hyphen, or as
 * two words.
 */
export const HINT_WORDS: ReadonlyMap<string, HintWord> = new Map([
  ['readonly', wanted('read_only')],
  ['nondestructive', wanted('exclude_destructive')],
  ['nonopenworld', wanted('exclude_open_world')],
  ['idempotent', wanted('idempotent')],
  ['closedworld', wanted('exclude_open_world')],
  ['destructive', unwanted('exclude_destructive')],
  ['openworld', unwanted('exclude_open_world')],
])

/** The first words of hints that can be written as two words. */
export const FIRST_HALVES = words('read closed open')
/** Before a hint such as "open-world", these words ask for tools without it: "not open-world". */
export const HINT_NEGATIONS = words('non not')

export const TOOLS = words('tool tools ones')

/**
 * Words for things other than tools that a hint can describe: "read-only access", "destructive testing", "idempotent
 * keys".
 */
export const THINGS = words(
  'access account accounts attribute attributes credential credentials field fields flag flags key keys link links ' +
    'lock locks mode modes permission permissions property properties replica replicas request requests role roles ' +
    'share shares test tests testing token tokens user users view views',
)

/** Words that begin another phrase, so a topic ends before them. */
export const SMALL_WORDS = words(
  'a an and are as at but by do for from if in into is it not of on or that the then these this those to what which ' +
    'with without you your',
)

/**
 * Words that exclude at the end of a query even without the word "tools" after them: "database tools, exclude
 * destructive".
 */
export const EXCLUDING = words('exclude excluding except omit omitting hide hiding skip skipping')
export const WITHOUT = words(
  'exclude excluding except omit omitting hide hiding skip skipping without no avoid not',
)
/** Pairs of words that exclude, such as "leave out", written as one word. */
export const WITHOUT_PAIRS = words('leaveout leavingout filterout filteringout exceptfor otherthan butnot')

export const DETERMINERS = words('any all the only every')
/** Words that introduce a clause, as in "tools that are read-only". */
export const RELATIVES = words('that which')
export const VERBS = words('are is')
export const NEGATED_VERBS = words("aren't isn't")
export const NEGATIONS = words("not non don't never cannot can't")
/** After these words, "read" in "read only" is a verb. */
export const SUBJECTS = words('to can should will must may i we you they that which')
/**
 * Words before "to exclude" that turn the phrase into a request: "I want to exclude …" is a request, but "a tool to
 * exclude …" is not.
 */
export const WISHES = words('want like need prefer wish please sure remember')
export const RESULTS = words('result results list search answer')

/** Words that ask for tools without saying which, such as "show me all" in "show me all read-only tools". */
export const REQUEST_WORDS = words(
  'a all an and any are available but can do find for from get give have i in is like list me my need of only please ' +
    'results search show tell that the there to us want what which with would you your tool tools ones',
)

function words(text: string): ReadonlySet<string> {
  return new Set(text.split(' '))
}
