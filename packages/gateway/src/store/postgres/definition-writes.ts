import type { Kysely, RawBuilder } from 'kysely'
import { sql } from '../sql/kysely.ts'
import type { Tables } from '../sql/schema.ts'
import type { DefinitionKind, DefinitionReview, SeenDefinition } from '../store.ts'
import { withNul, withoutNul } from './nul.ts'

interface Seen {
  readonly server: string
  readonly kinds: readonly DefinitionKind[]
  readonly definitions: readonly SeenDefinition[]
  readonly at: number
}

/** What a server says now, in a few statements however much it is. */
export async function writeSeen(db: Kysely<Tables>, { server, kinds, definitions, at }: Seen): Promise<void> {
  const current = lastOfEach(definitions, ({ kind, name }) => `${kind} ${name}`)
  const keys = [current.map(({ kind }) => kind), current.map(nameOf)] as const
  await sql`
    update hintgate.definitions as known set current = null
    where server = ${server} and kind = any(${kinds}::text[]) and current is not null and not exists (
      select 1 from unnest(${keys[0]}::text[], ${keys[1]}::text[]) as seen (kind, name)
      where seen.kind = known.kind and seen.name = known.name)`.execute(db)
  await sql`
    insert into hintgate.definitions as known (server, kind, name, current)
    select ${server}, kind, name, fingerprint
    from unnest(${keys[0]}::text[], ${keys[1]}::text[], ${current.map(fingerprintOf)}::text[])
      as seen (kind, name, fingerprint)
    on conflict (server, kind, name) do update set current = excluded.current
    where known.current is distinct from excluded.current`.execute(db)
  const versions = lastOfEach(definitions, one => `${one.kind} ${one.name} ${one.fingerprint}`)
  await sql`
    insert into hintgate.definition_versions
      (server, kind, name, fingerprint, definition, first_seen_at, last_seen_at)
    select ${server}, kind, name, fingerprint, definition, ${at}::bigint, ${at}::bigint
    from unnest(${versions.map(({ kind }) => kind)}::text[], ${versions.map(nameOf)}::text[],
      ${versions.map(fingerprintOf)}::text[], ${versions.map(one => one.definition)}::text[])
      as seen (kind, name, fingerprint, definition)
    on conflict (server, kind, name, fingerprint) do update set last_seen_at = excluded.last_seen_at`.execute(
    db,
  )
  const ruled = versions.flatMap(({ review, ...key }) =>
    review === undefined ? [] : [{ ...key, server, review }],
  )
  // What a rule decides never replaces a review that is there.
  await update(db, ruled, sql`versions.verdict is null`)
}

/** Gives back those that are not about the version that the server sent last. */
export async function writeReviews(
  db: Kysely<Tables>,
  reviews: readonly DefinitionReview[],
): Promise<readonly DefinitionReview[]> {
  const isCurrent = sql<boolean>`exists (
    select 1 from hintgate.definitions as known
    where known.server = versions.server and known.kind = versions.kind and known.name = versions.name
      and known.current = versions.fingerprint)`
  const updated = await update(db, reviews, isCurrent)
  return reviews.filter(review => !updated.has(keyOf(review)))
}

/** The keys of those that met the condition. */
async function update(
  db: Kysely<Tables>,
  given: readonly DefinitionReview[],
  condition: RawBuilder<boolean>,
): Promise<ReadonlySet<string>> {
  const reviews = lastOfEach(given, keyOf)
  if (reviews.length === 0) return new Set()
  const texts = (value: (review: DefinitionReview) => string | null) => sql`${reviews.map(value)}::text[]`
  const { rows } = await sql<VersionKey>`
    update hintgate.definition_versions as versions
    set verdict = given.verdict, reviewed_by = given.by, reviewed_at = given.at, note = given.note
    from unnest(${texts(({ server }) => server)}, ${texts(({ kind }) => kind)},
      ${texts(({ name }) => withoutNul(name))}, ${texts(({ fingerprint }) => fingerprint)},
      ${texts(({ review }) => review.verdict)}, ${texts(({ review }) => review.by)},
      ${reviews.map(({ review }) => review.at)}::bigint[], ${texts(({ review }) => review.note ?? null)})
      as given (server, kind, name, fingerprint, verdict, by, at, note)
    where versions.server = given.server and versions.kind = given.kind and versions.name = given.name
      and versions.fingerprint = given.fingerprint and ${condition}
    returning versions.server, versions.kind, versions.name, versions.fingerprint`.execute(db)
  return new Set(rows.map(row => keyOf({ ...row, name: withNul(row.name) })))
}

type VersionKey = Pick<DefinitionReview, 'server' | 'kind' | 'name' | 'fingerprint'>

function keyOf({ server, kind, name, fingerprint }: VersionKey): string {
  return JSON.stringify([server, kind, name, fingerprint])
}

const nameOf = ({ name }: SeenDefinition): string => withoutNul(name)
const fingerprintOf = ({ fingerprint }: SeenDefinition): string => fingerprint

/** A statement writes a row once; where something is said twice, the last time counts. */
function lastOfEach<T>(given: readonly T[], key: (one: T) => string): readonly T[] {
  return [...new Map(given.map(one => [key(one), one])).values()]
}
