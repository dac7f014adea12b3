import { readTable } from '../../../detect/text/read-table.ts'
import { anyDepth, type FieldPath, foldKey, joinWords } from '../../../protocol/field-path.ts'
import rows from './usual-fields.json' with { type: 'json' }

const ROWS = readTable('usual-fields.json', rows, {
  of: 'text',
  /** Explains the list to people who read the file. */
  about: 'text',
  /** Must match a whole field name, written in lower case and without separators between its words. */
  pattern: 'pattern',
})

export function isUsualFor(what: string): (name: string) => boolean {
  const row = ROWS.find(({ of }) => of === what)
  if (row === undefined) throw new Error(`usual-fields.json: no fields for "${what}"`)
  const pattern = new RegExp(row.pattern)
  const known = new Map<string, boolean>()
  return name => {
    const before = known.get(name)
    if (before !== undefined) return before
    const isOne = pattern.test(joinWords(name))
    if (known.size < MOST_KNOWN && name.length <= LONGEST_KNOWN) known.set(name, isOne)
    return isOne
  }
}

/** Maximum number of cached names. Argument names are few, and the same in every call. */
const MOST_KNOWN = 1000
const LONGEST_KNOWN = 40

/** Returns the usual fields for one kind of value, at any depth. */
export function usualFields(what: string): readonly FieldPath[] {
  return anyDepth({ has: isUsualFor(what) })
}

export const RECIPIENT_FIELDS = usualFields('recipients')

/** Endings of the names of fields for links. They must not match `subdomain`, `symlink`, `curl` or `stashRef`. */
const ENDING =
  '(?:(?<!^c|[^a-z]c)url|uri|(?<!stas|branc|pus|has|patc|batc|matc|searc|fetc)href|(?<!sym|un)link|webhook|endpoint|(?<!sub)domain|host)'
const ONE = new RegExp(`${ENDING}$`)
const SEVERAL = new RegExp(`${ENDING}s$`)

/** Fields for one link, such as `url`, `callbackUrl` and `redirect_uri`, including everything in an object there. */
export const LINK_FIELDS = anyDepth({ has: name => ONE.test(name) })

/**
 * Fields for several links, such as `urls` and `image_links`. Objects in them are skipped, because such objects have
 * their own field for the link: `links: [{ title, href }]`.
 */
export const LINK_LISTS = withoutObjects(anyDepth({ has: name => SEVERAL.test(name) }))

/** Fields for one link or several, without objects. */
export const HOST_FIELDS = withoutObjects(anyDepth({ has: name => ONE.test(name) || SEVERAL.test(name) }))

function withoutObjects(fields: readonly FieldPath[]): readonly FieldPath[] {
  return fields.map(({ source, steps }) => ({ source, steps: [...steps, { kind: 'scalars' }] }))
}

/** Whether a field is for links, such as `callback_url` and `urls[*]`. Any other field could hold recipients. */
export function isForLinks({ source }: FieldPath): boolean {
  const name = foldKey(source.replace(/(?:\[[^\]]*\])+$/, ''))
  return ONE.test(name) || SEVERAL.test(name)
}
