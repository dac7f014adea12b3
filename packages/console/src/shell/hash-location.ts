import { useSyncExternalStore } from 'react'

/**
 * The path and filters of a page are in the hash, as in `#/activity?agent=bot`. The gateway therefore serves only one
 * page, and paths never appear in its log. wouter's own hash location is not used, because it would keep the previous
 * page's filters.
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
