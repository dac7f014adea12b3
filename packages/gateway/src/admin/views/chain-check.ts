import { setImmediate } from 'node:timers/promises'
import type { Sealer } from '../../audit/sealer.ts'
import { verifyChains } from '../../audit/verify-chains.ts'
import type { AuditStore } from '../../store/audit-store.ts'
import type { Output } from '../contract/contract.ts'

type ChainState = Output<'getChain'>

const NEVER: ChainState = { isRunning: false, rows: 0, writers: 0, sealed: 0, problemCount: 0, problems: [] }

/** The last verification of the log. Two who ask for one at the same time get the same. */
export class ChainCheck {
  readonly #audit: AuditStore
  readonly #sealer: Sealer
  #last = NEVER
  #running: Promise<ChainState> | undefined

  constructor(audit: AuditStore, sealer: Sealer) {
    this.#audit = audit
    this.#sealer = sealer
  }

  get state(): ChainState {
    return { ...this.#last, isRunning: this.#running !== undefined }
  }

  run(): Promise<ChainState> {
    this.#running ??= this.#verify().finally(() => {
      this.#running = undefined
    })
    return this.#running
  }

  async #verify(): Promise<ChainState> {
    const { audit } = { audit: this.#politely() }
    const { rows, writers, sealed, problemCount, problems } = await verifyChains(audit, this.#sealer)
    this.#last = {
      verifiedAt: Date.now(),
      isRunning: false,
      rows,
      writers,
      sealed,
      problemCount,
      problems: problems.map(({ kind, writer, seq, text }) => ({
        kind,
        writer,
        ...(seq === undefined ? {} : { seq }),
        text,
      })),
    }
    return this.#last
  }

  /** Calls come first: between two slices of the log everybody else gets a turn. */
  #politely(): AuditStore {
    const audit = this.#audit
    return {
      ...audit,
      writers: which => audit.writers(which),
      check: async (after, limit) => {
        await setImmediate()
        return audit.check(after, limit)
      },
    }
  }
}
