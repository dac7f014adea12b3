import type { RawBuilder } from 'kysely'
import type { DefinitionKind, DefinitionReview, DefinitionStore, SeenDefinition } from '../store.ts'
import { noteIfChanged, portions, rowsOf, type SqlDatabase, type Steps } from './database.ts'
import { forgetDefinitions } from './forget-definitions.ts'
import { groupBy, joinDefinitions } from './join-definitions.ts'
import { sql } from './kysely.ts'

type VersionKey = Pick<DefinitionReview, 'server' | 'kind' | 'name' | 'fingerprint'>
type Seen = Parameters<DefinitionStore['see']>[1]

export function createDefinitionStore(database: SqlDatabase): DefinitionStore {
  const { db, schema, runSteps, note, names } = database
  const named = <T extends { name: string }>(row: T): T => ({ ...row, name: names.read(row.name) })
  const keyIn = ({ server, kind, name }: Omit<VersionKey, 'fingerprint'>) => ({
    server,
    kind,
    name: names.write(name),
  })
  const definitions = db.selectFrom('definitions').selectAll()
  const versions = db.selectFrom('definition_versions').selectAll()

  /** Stores a server's current definitions. The number of statements does not depend on how many there are. */
  function* see(server: string, { kinds, definitions: all }: Seen, at: number): Steps<void> {
    const seen = all.map(one => ({ ...one, name: names.write(one.name) }))
    yield* writeCurrent(server, kinds, lastOfEach(seen, nameOf))
    const said = lastOfEach(seen, ({ fingerprint, ...one }) => `${nameOf(one)} ${fingerprint}`)
    for (const some of portions(said))
      yield db
        .insertInto('definition_versions')
        .values(
          some.map(({ review: _, ...version }) => ({
            server,
            ...version,
            first_seen_at: at,
            last_seen_at: at,
          })),
        )
        .onConflict(conflict =>
          conflict.columns(['server', 'kind', 'name', 'fingerprint']).doUpdateSet({ last_seen_at: at }),
        )
    const ruled = said.flatMap(({ review, ...one }) =>
      review === undefined ? [] : [{ ...one, server, review }],
    )
    // A rule's decision never replaces a review that already exists.
    yield* write(ruled, sql`verdict is null`)
    yield* forgetDefinitions(server, schema)
  }

  /** Writes only differences, so a server that sends the same list again causes no writes. */
  function* writeCurrent(
    server: string,
    kinds: readonly DefinitionKind[],
    seen: readonly SeenDefinition[],
  ): Steps<void> {
    const known = new Map(
      (yield* rowsOf(definitions.where('server', '=', server))).map(row => [nameOf(row), row]),
    )
    const now = new Set(seen.map(nameOf))
    for (const kind of kinds) {
      const left = [...known.values()].filter(row => row.kind === kind && row.current !== null)
      const gone = left.filter(row => !now.has(nameOf(row))).map(({ name }) => name)
      const those = db.updateTable('definitions').where('server', '=', server).where('kind', '=', kind)
      for (const some of portions(gone)) yield those.where('name', 'in', some).set({ current: null })
    }
    const changed = seen.filter(one => known.get(nameOf(one))?.current !== one.fingerprint)
    for (const some of portions(changed))
      yield db
        .insertInto('definitions')
        .values(some.map(({ kind, name, fingerprint: current }) => ({ server, kind, name, current })))
        .onConflict(conflict =>
          conflict
            .columns(['server', 'kind', 'name'])
            .doUpdateSet(eb => ({ current: eb.ref('excluded.current') })),
        )
  }

  /** Stores reviews, and returns those whose version is not the current one. */
  function* review(reviews: readonly DefinitionReview[]): Steps<readonly DefinitionReview[]> {
    const asKept = <T extends { name: string }>(one: T): T => ({ ...one, name: names.write(one.name) })
    const versions = sql.raw(`${schema}definition_versions`)
    const isCurrent = sql`exists (
      select 1 from ${sql.raw(`${schema}definitions`)} as known
      where known.server = ${versions}.server and known.kind = ${versions}.kind
        and known.name = ${versions}.name and known.current = ${versions}.fingerprint)`
    const written = yield* write(lastOfEach(reviews.map(asKept), keyOf), isCurrent)
    return reviews.filter(one => !written.has(keyOf(asKept(one))))
  }

  /**
   * Writes reviews, and returns the keys of those that met the condition. Reviews with equal values share a statement,
   * because most reviews in bulk are equal.
   */
  function* write(
    reviews: readonly DefinitionReview[],
    condition: RawBuilder<unknown>,
  ): Steps<ReadonlySet<string>> {
    const written = new Set<string>()
    const alike = groupBy(reviews, ({ server, review }) => JSON.stringify([server, review]))
    for (const group of alike.values())
      for (const some of portions(group)) {
        const [{ server, review }] = some as [DefinitionReview]
        const keys = some.map(({ kind, name, fingerprint }) => sql`(${kind}, ${name}, ${fingerprint})`)
        const those = db
          .updateTable('definition_versions')
          .set({
            verdict: review.verdict,
            reviewed_by: review.by,
            reviewed_at: review.at,
            note: review.note ?? null,
          })
          .where('server', '=', server)
          .where(sql<boolean>`(kind, name, fingerprint) in (values ${sql.join(keys)})`)
          .where(sql<boolean>`${condition}`)
        for (const row of yield* rowsOf(those.returning(['server', 'kind', 'name', 'fingerprint'])))
          written.add(keyOf(row))
      }
    return written
  }

  /** Writes all reviews in one commit, so listeners re-evaluate only once. */
  async function reviewAll(reviews: readonly DefinitionReview[]): Promise<readonly DefinitionReview[]> {
    if (reviews.length === 0) return []
    const servers = reviews.map(({ server }) => server)
    const refused = await runSteps({ servers }, () => review(reviews))
    if (refused.length < reviews.length) await note()
    return refused
  }

  return {
    async load(server, only) {
      const which = only === undefined ? { server } : keyIn({ server, ...only })
      const known = await definitions.where(eb => eb.and(which)).execute()
      const seen = await versions.where(eb => eb.and(which)).execute()
      return joinDefinitions(known.map(named), seen.map(named))
    },
    async loadReviewed(server) {
      const known = await definitions.where('server', '=', server).execute()
      const reviewed = versions.where('server', '=', server).where('verdict', 'is not', null)
      return joinDefinitions(known.map(named), (await reviewed.execute()).map(named))
    },
    async servers() {
      const rows = await db.selectFrom('definitions').select('server').distinct().orderBy('server').execute()
      return rows.map(({ server }) => server)
    },
    // Locks the server's definitions, because several replicas may list that server at the same time.
    see: (server, seen, at) => runSteps({ servers: [server] }, () => see(server, seen, at)),
    async review(key, fingerprint, said) {
      const [refused] = await reviewAll([{ ...key, fingerprint, review: said }])
      return refused === undefined
    },
    reviewAll,
    async disable(key, isDisabled) {
      const one = db.updateTable('definitions').where(eb => eb.and(keyIn(key)))
      const result = await one.set({ is_disabled: isDisabled ? 1 : 0 }).executeTakeFirst()
      return noteIfChanged(result.numUpdatedRows, note)
    },
  }
}

function nameOf({ kind, name }: Pick<VersionKey, 'kind' | 'name'>): string {
  return `${kind} ${name}`
}

function keyOf({ server, kind, name, fingerprint }: VersionKey): string {
  return JSON.stringify([server, kind, name, fingerprint])
}

/** Keeps only the last value for each key, because one statement cannot write the same row twice. */
function lastOfEach<T>(given: readonly T[], key: (one: T) => string): readonly T[] {
  return [...new Map(given.map(one => [key(one), one])).values()]
}
