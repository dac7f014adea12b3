import { useSyncExternalStore } from 'react'
import { useTheme } from './theme.ts'

const query = matchMedia('(prefers-color-scheme: dark)')

/** Whether the page is dark. For canvases, which style sheets cannot colour. */
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
