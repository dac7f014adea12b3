import {
  addLegs,
  type EffectiveHints,
  type LegMark,
  type RiskView,
  type SessionLegs,
  viewRisk,
} from '@hintgate/metadata'

/** What this conversation has seen and can reach: the gateway's rule, kept here. */
export class Session {
  /** As a gateway knows it. */
  readonly name: string | undefined
  #legs: SessionLegs = {}

  constructor(name: string | undefined) {
    this.name = name
  }

  get legs(): SessionLegs {
    return this.#legs
  }

  get risk(): RiskView {
    return viewRisk(this.#legs)
  }

  /**
   * A call was allowed. It counts from here on and not from its answer, so that calls that run at the same time know of
   * each other, and what was never answered is not forgotten.
   */
  note(effective: EffectiveHints, call: Pick<LegMark, 'tool' | 'request' | 'at'>): void {
    this.#legs = addLegs(this.#legs, effective, call)
  }

  /** A new conversation that knows nothing of the old one. A gateway's own memory is not touched. */
  reset(): void {
    this.#legs = {}
  }
}
