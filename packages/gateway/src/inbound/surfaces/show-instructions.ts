import type { ResultRules } from '../../policy/rules.ts'
import type { Beside } from '../../results/check-result.ts'
import type { Handshake } from '../../upstream/connection/upstream-request.ts'
import { cut, screenOwnText } from './describe-server.ts'

/** Maximum number of characters. Instructions are limited because they stay in a model's context all the time. */
const MOST = 16_384

interface Kept {
  readonly rules: ResultRules
  readonly shown: Promise<string | undefined>
}

/** The instructions for each connection. They are cached, because all clients get the same text. */
const kept = new WeakMap<Handshake, Kept>()

/**
 * Returns the part of a server's instructions that agents are allowed to see. Whether they are approved is checked
 * elsewhere.
 */
export function showInstructions(
  handshake: Handshake,
  rules: ResultRules,
  beside: Beside,
): Promise<string | undefined> {
  const known = kept.get(handshake)
  if (known?.rules === rules) return known.shown
  const { instructions } = handshake
  const shown =
    instructions === undefined
      ? Promise.resolve(undefined)
      : screenOwnText(cut(instructions, MOST), rules, beside)
  kept.set(handshake, { rules, shown })
  return shown
}
