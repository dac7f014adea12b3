/** The filters that a query may put in words. */
export type WordedFilter = 'read_only' | 'exclude_destructive' | 'exclude_open_world' | 'idempotent'

export interface HintWord {
  readonly filter: WordedFilter
  /** Whether tools that are so are wanted ("read-only"), or tools that are not ("destructive"). */
  readonly isWanted: boolean
}

const wanted = (filter: WordedFilter): HintWord => ({ filter, isWanted: true })
const unwanted = (filter: WordedFilter): HintWord => ({ filter, isWanted: false })

/** Written as one word, with hyphens or apart. */
export const HINT_WORDS: ReadonlyMap<string, HintWord> = new Map([
  ['readonly', wanted('read_only')],
  ['nondestructive', wanted('exclude_destructive')],
  ['nonopenworld', wanted('exclude_open_world')],
  ['idempotent', wanted('idempotent')],
  ['closedworld', wanted('exclude_open_world')],
  ['destructive', unwanted('exclude_destructive')],
  ['openworld', unwanted('exclude_open_world')],
])

/** The first words of those that may be written apart. */
export const FIRST_HALVES = words('read closed open')
/** Before a hint that is unwanted, these ask for tools without it: "not open-world". */
export const HINT_NEGATIONS = words('non not')

export const TOOLS = words('tool tools ones')

/** Other things that are called so: "read-only access", "destructive testing", "idempotent keys". */
export const THINGS = words(
  'access account accounts attribute attributes credential credentials field fields flag flags key keys link links ' +
    'lock locks mode modes permission permissions property properties replica replicas request requests role roles ' +
    'share shares test tests testing token tokens user users view views',
)

/** Words that begin something else, so that a topic ends before them. */
export const SMALL_WORDS = words(
  'a an and are as at but by do for from if in into is it not of on or that the then these this those to what which ' +
    'with without you your',
)

/** At the end of a query, these exclude without the word "tools": "database tools, exclude destructive". */
export const EXCLUDING = words('exclude excluding except omit omitting hide hiding skip skipping')
export const WITHOUT = words(
  'exclude excluding except omit omitting hide hiding skip skipping without no avoid not',
)
/** "leave out", "other than". */
export const WITHOUT_PAIRS = words('leaveout leavingout filterout filteringout exceptfor otherthan butnot')

export const DETERMINERS = words('any all the only every')
/** "tools that are read-only". */
export const RELATIVES = words('that which')
export const VERBS = words('are is')
export const NEGATED_VERBS = words("aren't isn't")
export const NEGATIONS = words("not non don't never cannot can't")
/** Behind these, "read only" is a verb. */
export const SUBJECTS = words('to can should will must may i we you they that which')
/** "I want to exclude …" asks for it; "a tool to exclude …" is about something else. */
export const WISHES = words('want like need prefer wish please sure remember')
export const RESULTS = words('result results list search answer')

/** What remains of "show me all read-only tools" asks for nothing more. */
export const REQUEST_WORDS = words(
  'a all an and any are available but can do find for from get give have i in is like list me my need of only please ' +
    'results search show tell that the there to us want what which with would you your tool tools ones',
)

function words(text: string): ReadonlySet<string> {
  return new Set(text.split(' '))
}
