import { foldLookAlikes } from '@hintgate/metadata'
import { foldKey } from './field-path.ts'

/** Length above which keys are not compared but always count as resembling. */
const LONG_KEY = 256

/**
 * Returns the first key, other than the name itself, that a server might confuse with the name. Many servers ignore
 * case, and some ignore `_` and `-`.
 */
export function findResembling(keys: object, name: string): string | undefined {
  const folded = foldName(name)
  for (const key in keys) {
    if (key === name) continue
    if (key.length > LONG_KEY || foldName(key) === folded) return key
  }
  return undefined
}

function foldName(name: string): string {
  return foldLookAlikes(foldKey(name)).replaceAll(/[^\p{L}\p{N}]/gu, '')
}
