import type { Filters } from '../../shell/use-filters.ts'

const STATES = ['pending', 'approved', 'changed', 'rejected', 'disabled'] as const
const VARIANTS = ['read', 'write', 'destructive'] as const
const SOURCES = ['override', 'declared', 'inferred', 'default'] as const
const SORTS = ['id', '-id', 'risk', '-risk', 'state', '-state'] as const

function oneOf<T extends string>(known: readonly T[], value: string | undefined): T | undefined {
  return known.find(each => each === value)
}

/**
 * Converts the filters in the address to an API query. Unknown values are ignored, because an address can contain
 * anything.
 */
export function toQuery({ query, server, state, variant, hint, source, sort }: Filters) {
  return dropAbsent({
    query,
    server,
    hint,
    state: oneOf(STATES, state),
    variant: oneOf(VARIANTS, variant),
    source: oneOf(SOURCES, source),
    sort: oneOf(SORTS, sort),
  })
}

type Present<T> = { [K in keyof T]?: Exclude<T[K], undefined> }

export function dropAbsent<T extends object>(fields: T): Present<T> {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as Present<T>
}
