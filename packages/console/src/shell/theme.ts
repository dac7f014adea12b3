import { useSyncExternalStore } from 'react'

export type Theme = 'system' | 'light' | 'dark'

const KEY = 'hintgate.theme'
const watchers = new Set<() => void>()

function current(): Theme {
  const saved = localStorage.getItem(KEY)
  return saved === 'light' || saved === 'dark' ? saved : 'system'
}

/** Applies a theme. It must be called before the first paint, or the page would flash. */
export function applyTheme(theme: Theme = current()): void {
  if (theme === 'system') delete document.documentElement.dataset.theme
  else document.documentElement.dataset.theme = theme
}

export function setTheme(theme: Theme): void {
  localStorage.setItem(KEY, theme)
  applyTheme(theme)
  for (const watcher of watchers) watcher()
}

export function useTheme(): Theme {
  return useSyncExternalStore(watcher => {
    watchers.add(watcher)
    return () => watchers.delete(watcher)
  }, current)
}
