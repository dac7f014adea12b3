import type { DoctorFinding } from './finding.ts'
import type { StoreFacts } from './inspect-store.ts'
import { quote } from './repair.ts'

/** What is wrong with the file of a store. Whoever opens what is missing or strange is told more. */
export function checkStore(store: StoreFacts): readonly DoctorFinding[] {
  if (store.kind !== 'ours') return []
  return [...checkVersion(store), ...checkDamage(store), ...checkResults(store)]
}

/** Whether it can be opened without anything being changed in it. */
export function mayOpen(store: StoreFacts): boolean {
  if (store.kind !== 'ours') return store.kind === 'strange'
  return store.version >= store.known && (store.damage ?? []).length === 0
}

type OurStore = Extract<StoreFacts, { readonly kind: 'ours' }>

function checkVersion({ file, version, known }: OurStore): readonly DoctorFinding[] {
  if (version >= known) return []
  return [
    {
      code: 'store_older',
      level: 'warning',
      text: `${file} has tables of version ${version}, and this Hintgate wants ${known}; the next start changes them, after a backup. Until then nobody looked at what is in it`,
      fix: 'hintgate store migrate',
    },
  ]
}

function checkDamage({ file, damage }: OurStore): readonly DoctorFinding[] {
  const check = `sqlite3 ${quote(file)} 'pragma quick_check'`
  if (damage === undefined) {
    const text = `${file} is so large that nobody looked through it for damage`
    return [{ code: 'store_unchecked', level: 'info', text, fix: check }]
  }
  if (damage.length === 0) return []
  return [
    {
      code: 'store_corrupt',
      level: 'error',
      text: [`${file} is damaged`, ...damage.map(line => `  | ${line}`)].join('\n'),
      fix: `stop the gateway and put a backup in its place (docs/operations.md, "Restore"), or save what can be read: sqlite3 ${quote(file)} .recover`,
    },
  ]
}

function checkResults({ file, expired, version, known }: OurStore): readonly DoctorFinding[] {
  if (expired === 0 || version !== known) return []
  return [
    {
      code: 'results_expired',
      level: 'info',
      text: `${expired} kept ${expired === 1 ? 'result' : 'results'} in ${file} should have been forgotten by now`,
      fix: 'hintgate doctor --fix',
      repair: { does: 'forget results', store: `sqlite:${file}` },
    },
  ]
}
