import { NO_FINGERPRINT } from '../judge-definition.ts'
import type { Objection } from './objection.ts'
import { hasFingerprint, idOf } from './review-item.ts'
import type { Chosen } from './select-items.ts'

export interface Sorted {
  readonly sound: readonly Chosen[]
  /** What nobody should approve along with many others. */
  readonly left: readonly Objection[]
  /** What was asked for by name and cannot be. */
  readonly refused: readonly Objection[]
}

/** What has a name that passes for another is approved by its own name only; what cannot be told apart, never. */
export function sortOut(chosen: readonly Chosen[], isApproval: boolean): Sorted {
  const sound: Chosen[] = []
  const left: Objection[] = []
  const refused: Objection[] = []
  for (const one of chosen) {
    const doubt = isApproval ? findDoubt(one) : undefined
    if (doubt === undefined) sound.push(one)
    else if (one.how === 'by filter') left.push(doubt)
    else refused.push(doubt)
  }
  return { sound, left, refused }
}

function findDoubt({ stored, current, shadowing, how }: Chosen): Objection | undefined {
  const id = JSON.stringify(idOf(stored))
  if (!hasFingerprint(current))
    return {
      isUsage: false,
      message: `${id} cannot be approved: it has ${current.fingerprint.replace(NO_FINGERPRINT, '')}`,
      fix: 'the author of the server has to mend its definition',
    }
  if (shadowing === undefined || how !== 'by filter') return undefined
  return {
    isUsage: false,
    message: `${id} was left out: ${shadowing}`,
    fix: `look at it, then hintgate tools approve ${id}`,
  }
}
