import type { Store, StoredDefinition } from '../store/store.ts'

/** The latest moment at which the store knows that something happened. Undefined: it is empty. */
export async function findLatestMoment(
  { audit, tokens }: Pick<Store, 'audit' | 'tokens'>,
  known: readonly StoredDefinition[],
): Promise<number | undefined> {
  const moments = [
    ...(await audit.writers()).flatMap(({ startedAt, seenAt }) => [startedAt, seenAt]),
    ...(await tokens.list()).flatMap(({ createdAt, lastUsedAt = 0 }) => [createdAt, lastUsedAt]),
    ...known.flatMap(({ versions }) => versions.map(({ lastSeenAt }) => lastSeenAt)),
  ]
  // Not by spreading: a store may know of more than a function takes arguments.
  return moments.length === 0 ? undefined : moments.reduce((latest, at) => Math.max(latest, at))
}
