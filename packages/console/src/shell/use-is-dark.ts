import { useSyncExternalStore } from 'react'
import { useTheme } from './theme.ts'

const query = matchMedia('(prefers-color-scheme: dark)')

/** Returns true if the page is dark. It is for canvases, which style sheets cannot colour. */
export function useIsDark(): boolean {
  const theme = useTheme()
  const prefersDark = useSyncExternalStore(
    listener => {
      query.addEventListener('change', listener)
      return () => query.removeEventListener('change', listener)
    },
    () => query.matches,
  )
  return theme === 'system' ? prefersDark : theme === 'dark'
}
