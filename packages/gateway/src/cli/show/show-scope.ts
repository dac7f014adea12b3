import type { Rate, Scope } from '../../scope/scope.ts'

const UNITS = [
  ['d', 86_400_000],
  ['h', 3_600_000],
  ['m', 60_000],
  ['s', 1000],
] as const

/** As `tokens create --rate` takes it: `10/m`, `5/10s`. */
export function showRate({ limit, windowMs }: Rate): string {
  const [unit, size] = UNITS.find(([, ms]) => windowMs % ms === 0) ?? (['ms', 1] as const)
  const windows = windowMs / size
  return `${limit}/${windows === 1 ? '' : windows}${unit}`
}

/** As `tokens create --confirm` takes it: `destructive=never`. */
export function showConfirm(confirm: NonNullable<Scope['confirm']>): string {
  return Object.entries(confirm)
    .map(([kind, when]) => `${kind}=${when}`)
    .join(', ')
}
