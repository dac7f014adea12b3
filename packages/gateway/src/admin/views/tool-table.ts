import {
  type Assessment,
  assessTool,
  type HintValues,
  type Override,
  type ScanContext,
  type ToolDefinition,
} from '@hintgate/metadata'
import type { ReviewState } from '../../catalog/judge-definition.ts'
import { mapInSlices } from '../../catalog/map-in-slices.ts'
import { KnownBodies } from '../../catalog/review/find-resemblance.ts'
import {
  gatherEvidence,
  type ReviewEvidence,
  scanDefinition,
  surroundingsOf,
} from '../../catalog/review/gather-evidence.ts'
import { type Desk, idOf, loadDesk, type ReviewItem } from '../../catalog/review/review-item.ts'
import { findContradictions } from '../../catalog/to-catalog-tool.ts'
import type { Config } from '../../config/config.ts'
import type { AdminDeps } from '../http/admin-deps.ts'

export interface ToolRow {
  readonly id: string
  readonly item: ReviewItem
  readonly state: ReviewState
  readonly assessment: Assessment
  readonly contradictions: number
  readonly why?: string
  /** The hints that operators set for this tool by command. */
  readonly override?: HintValues | undefined
}

export interface Table {
  readonly desk: Desk
  /** All tools, ordered by id. */
  readonly rows: readonly ToolRow[]
  readonly byId: ReadonlyMap<string, ToolRow>
  readonly scans: ScanCounts
  readonly siblings: ReadonlyMap<string, readonly ToolDefinition[]>
  /** Computed on first use. */
  readonly bodies: () => KnownBodies
}

interface Loaded {
  readonly key: string
  readonly config: Config
  readonly at: number
  readonly table: Promise<Table>
}

const MANY = 1000
const PATIENCE_MS = 2000

/** A table of all tools with everything known about them, loaded on request and again after changes. */
export class ToolTable {
  readonly #deps: AdminDeps
  #changes = 0
  #loaded: Loaded | undefined
  /**
   * How long a large table can be used after a change, in milliseconds; 0 for a small table, which is reloaded
   * immediately.
   */
  #patience = 0
  /** Assessments of tools that cannot be called. The catalog assesses only callable tools. */
  #judged = new Map<string, Assessment>()

  constructor(deps: AdminDeps) {
    this.#deps = deps
    deps.catalog.onChange(() => {
      this.#changes += 1
    })
  }

  async load(): Promise<Table> {
    await this.#deps.settled()
    const config = this.#deps.config()
    const key = `${this.#deps.store.version()} ${this.#changes}`
    const loaded = this.#findGood(key, config) ?? {
      key,
      config,
      at: performance.now(),
      table: this.#gather(),
    }
    this.#loaded = loaded
    // A failed load is forgotten, because the store might work the next time.
    loaded.table.catch(() => this.forget())
    return loaded.table
  }

  /** Discards the loaded table after a change by this process. */
  forget(): void {
    this.#loaded = undefined
  }

  /**
   * Returns the loaded table if it can still be used. A large table is not reloaded after every change, because most
   * changes do not concern tools.
   */
  #findGood(key: string, config: Config): Loaded | undefined {
    const loaded = this.#loaded
    if (loaded === undefined || loaded.config !== config) return undefined
    const isYoung = performance.now() - loaded.at < this.#patience
    return loaded.key === key || isYoung ? loaded : undefined
  }

  async #gather(): Promise<Table> {
    const { store, config } = this.#deps
    const desk = await loadDesk(store, config())
    const tools = desk.items.filter(({ stored }) => stored.kind === 'tool' && desk.servers.has(stored.server))
    const siblings = groupByServer(tools)
    const set = new Map(
      (await store.overrides.list()).map(one => [idOf({ ...one, name: one.tool }), one.hints]),
    )
    const judged = new Map<string, Assessment>()
    const rows = await mapInSlices(tools, (item): ToolRow => {
      const { server, name } = item.stored
      const id = idOf(item.stored)
      const override = desk.overrides.find(server, name, desk.config.overrides)
      const live = this.#deps.catalog.find(server, name)
      const held = this.#deps.catalog.findHeld(server, name)
      const state = live === undefined ? (held?.state ?? item.state) : 'approved'
      const others = siblings.get(server) ?? []
      const assessment = live?.assessment ?? this.#judge({ item, state, override, others, judged })
      const why = held?.why ?? item.shadowing
      const own = set.get(id)
      return {
        id,
        item,
        state,
        assessment,
        contradictions: findContradictions(assessment, override).length,
        ...(why === undefined || state === 'approved' ? {} : { why }),
        override: own,
      }
    })
    this.#judged = judged
    this.#patience = rows.length > MANY ? PATIENCE_MS : 0
    return {
      desk,
      rows,
      byId: new Map(rows.map(row => [row.id, row])),
      scans: new ScanCounts(desk),
      siblings,
      bodies: once(() => new KnownBodies(desk.known)),
    }
  }

  #judge({ item, state, override, others, judged }: Judging): Assessment {
    const { profile } = this.#deps.config()
    const key = JSON.stringify([idOf(item.stored), item.current.fingerprint, state, override, profile])
    const assessment =
      this.#judged.get(key) ??
      assessTool(item.definition, {
        vouched: state === 'approved',
        profile,
        siblings: others,
        ...(override === undefined ? {} : { override }),
      })
    judged.set(key, assessment)
    return assessment
  }
}

interface Judging {
  readonly item: ReviewItem
  readonly state: ReviewState
  readonly override: Override | undefined
  readonly others: readonly ToolDefinition[]
  readonly judged: Map<string, Assessment>
}

function groupByServer(tools: readonly ReviewItem[]): ReadonlyMap<string, readonly ToolDefinition[]> {
  const groups = new Map<string, ToolDefinition[]>()
  for (const { stored, definition } of tools) {
    const group = groups.get(stored.server)
    if (group === undefined) groups.set(stored.server, [definition])
    else group.push(definition)
  }
  return groups
}

function once<T extends object>(make: () => T): () => T {
  let made: T | undefined
  return () => {
    made ??= make()
    return made
  }
}

export function weighItem(
  { stored, definition }: ReviewItem,
  { desk, scans, siblings }: Pick<Table, 'desk' | 'scans' | 'siblings'>,
): ReviewEvidence {
  const { server, kind, name } = stored
  const { profile } = desk.config
  const override = desk.overrides.find(server, name, desk.config.overrides)
  return gatherEvidence(definition, {
    kind,
    assess: {
      profile,
      siblings: siblings.get(server) ?? [],
      ...(override === undefined ? {} : { override }),
    },
    scan: scans.contextOf(server),
  })
}

/** Counts the scanner's findings in definitions; each definition is scanned once. */
export class ScanCounts {
  readonly #desk: Desk
  readonly #contexts = new Map<string, ScanContext>()
  readonly #counts = new Map<string, number>()

  constructor(desk: Desk) {
    this.#desk = desk
  }

  contextOf(server: string): ScanContext {
    const context = this.#contexts.get(server) ?? surroundingsOf(server, this.#desk.known)
    this.#contexts.set(server, context)
    return context
  }

  countOf(item: ReviewItem): number {
    const id = idOf(item.stored)
    const known = this.#counts.get(id)
    if (known !== undefined) return known
    const count = scanDefinition(item.definition, this.contextOf(item.stored.server)).length
    this.#counts.set(id, count)
    return count
  }
}
