import {
  addRiskFactors,
  type EffectiveHints,
  type RiskFactorMark,
  type RiskView,
  type SessionRiskFactors,
  viewRisk,
} from '@hintgate/metadata'

/** What this conversation has seen and can reach: the gateway's rule, kept here. */
export class Session {
  /** As a gateway knows it. */
  readonly name: string | undefined
  #riskFactors: SessionRiskFactors = {}

  constructor(name: string | undefined) {
    this.name = name
  }

  get riskFactors(): SessionRiskFactors {
    return this.#riskFactors
  }

  get risk(): RiskView {
    return viewRisk(this.#riskFactors)
  }

  /**
   * A call was allowed. It counts from here on and not from its answer, so that calls that run at the same time know of
   * each other, and what was never answered is not forgotten.
   */
  note(effective: EffectiveHints, call: Pick<RiskFactorMark, 'tool' | 'request' | 'at'>): void {
    this.#riskFactors = addRiskFactors(this.#riskFactors, effective, call)
  }

  /** A new conversation that knows nothing of the old one. A gateway's own memory is not touched. */
  reset(): void {
    this.#riskFactors = {}
  }
}
