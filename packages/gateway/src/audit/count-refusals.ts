import { hash } from 'node:crypto'
import { writeJson } from '../protocol/parse-json.ts'
import type { IntentEntry, OutcomeEntry } from './entry.ts'

const MINUTE_MS = 60_000
/** Maximum number of refusals of one kind, with different arguments, that get their own rows in a minute. */
const OWN_ROWS = 10
/** Maximum number of kinds counted separately per caller, because a caller can invent any number of names. */
const KINDS_APART = 200

/** The refusals of one caller, tool, code and approval in one minute. */
interface Kind {
  /** The digests of the arguments that already have a row. */
  readonly written: Set<string>
  repeats: number
  last: OutcomeEntry | undefined
}

/**
 * Limits how much refused calls add to the log. The first refusal of a caller, tool and code gets a row immediately,
 * and so do some with other arguments. All others in the same minute are counted in one row, without arguments.
 */
export class RefusalCounter {
  readonly #write: (entry: OutcomeEntry) => void
  /** The counted refusals, by caller and then by the digest of their kind. */
  readonly #callers = new Map<string, Map<string, Kind>>()
  #timer: NodeJS.Timeout | undefined

  /** `write` receives, for each kind that was repeated, one entry with the count. */
  constructor(write: (entry: OutcomeEntry) => void) {
    this.#write = write
  }

  /** Counts a refusal. Returns false if the refusal needs a row of its own instead. */
  count(entry: OutcomeEntry): boolean {
    if (entry.outcome !== 'refused') return false
    this.#timer ??= setTimeout(() => this.flush(), MINUTE_MS).unref()
    const kind = this.#kindOf(entry)
    const digest = digestOf(entry.call)
    if (!kind.written.has(digest) && kind.written.size < OWN_ROWS) {
      kind.written.add(digest)
      return false
    }
    kind.repeats += 1
    kind.last = { ...entry, call: withoutLongTexts(entry.call) }
    return true
  }

  /** Ends the minute and writes the counts. */
  flush(): void {
    clearTimeout(this.#timer)
    this.#timer = undefined
    const kinds = [...this.#callers.values()].flatMap(own => [...own.values()])
    this.#callers.clear()
    for (const { last, repeats } of kinds) if (last !== undefined) this.#write({ ...last, repeats })
  }

  #kindOf({ call, code = '' }: OutcomeEntry): Kind {
    // Approvals are counted separately, so that a person can look up each of them in the log.
    const { principal, server, tool, door, set = '', approval = '' } = call
    const own = this.#callers.get(principal) ?? new Map<string, Kind>()
    this.#callers.set(principal, own)
    const name = hash('sha256', JSON.stringify([server, tool, door, set, code, approval]), 'base64url')
    const key = own.has(name) || own.size < KINDS_APART ? name : code
    const known = own.get(key)
    if (known !== undefined) return known
    const kind: Kind = { written: new Set(), repeats: 0, last: undefined }
    own.set(key, kind)
    return kind
  }
}

function digestOf({ typed, arguments: args }: IntentEntry): string {
  const text = args === undefined ? '' : writeJson(args)
  return hash('sha256', `${JSON.stringify(typed)}${text}`, 'base64url')
}

/** Maximum number of characters kept of a name. It is more than any row shows. */
const LONGEST_NAME = 1024

/** Removes long texts from a call that is kept for a minute, because callers can send many of them. */
function withoutLongTexts(call: IntentEntry): IntentEntry {
  const cut = (name: string) => name.slice(0, LONGEST_NAME)
  const { server, tool, typed } = call
  const names = { server: cut(server), tool: cut(tool), typed: cut(typed) }
  return { ...call, ...names, intent: undefined, arguments: undefined }
}
