import { useCallback, useMemo } from 'react'
import { navigate, useHashPath, useHashSearch } from './hash-location.ts'

export type Filters = Readonly<Record<string, string>>

/**
 * Reads and changes a page's filters. They are part of the address, so they are included in links, and the back button
 * restores them.
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
