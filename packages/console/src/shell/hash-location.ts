import { useSyncExternalStore } from 'react'

/**
 * Pages live behind the `#`, with their filters: `#/activity?agent=bot`. The gateway serves one page and no path of a
 * page reaches its log. wouter's own hash location keeps the search of the page that was left, so filters would wander.
 */

const subscribe = (listener: () => void): (() => void) => {
  addEventListener('hashchange', listener)
  return () => removeEventListener('hashchange', listener)
}

const path = (): string => splitHash(location.hash).path
const search = (): string => splitHash(location.hash).search

export function splitHash(hash: string): { readonly path: string; readonly search: string } {
  const [before = '', ...rest] = hash.replace(/^#/, '').split('?')
  return { path: before.startsWith('/') ? before : `/${before}`, search: rest.join('?') }
}

export function navigate(to: string, { replace = false }: { readonly replace?: boolean } = {}): void {
  const target = `#${to}`
  if (location.hash === target) return
  if (!replace) {
    location.hash = target
    return
  }
  history.replaceState(history.state, '', target)
  dispatchEvent(new HashChangeEvent('hashchange'))
}

export function useHashPath(): [string, typeof navigate] {
  return [useSyncExternalStore(subscribe, path), navigate]
}

export function useHashSearch(): string {
  return useSyncExternalStore(subscribe, search)
}
