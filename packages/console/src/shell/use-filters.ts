import { useCallback, useMemo } from 'react'
import { navigate, useHashPath, useHashSearch } from './hash-location.ts'

export type Filters = Readonly<Record<string, string>>

/**
 * Reads and changes the filters of a page. They are in the address, so that links include them and the back button
 * works.
 */
export function useFilters(): readonly [
  Filters,
  (changes: Readonly<Record<string, string | undefined>>) => void,
] {
  const [path] = useHashPath()
  const search = useHashSearch()
  const filters = useMemo(() => Object.fromEntries(new URLSearchParams(search)), [search])
  const change = useCallback(
    (changes: Readonly<Record<string, string | undefined>>) => {
      const next = new URLSearchParams(search)
      for (const [name, value] of Object.entries(changes))
        if (value === undefined || value === '') next.delete(name)
        else next.set(name, value)
      navigate(next.size === 0 ? path : `${path}?${next}`, { replace: true })
    },
    [path, search],
  )
  return [filters, change]
}
