import {
  addRiskFactors,
  type RiskFactorMark,
  type RiskView,
  type RiskyTool,
  type SessionRiskFactors,
  viewRisk,
} from '@hintgate/metadata'

/** The risk factors that one conversation has touched. They are counted in the same way as in the gateway. */
export class Session {
  /** The name of this session at a gateway. */
  readonly name: string | undefined
  /** The user's request, in the user's own words. */
  readonly task: string | undefined
  #riskFactors: SessionRiskFactors = {}

  constructor(name: string | undefined, task: string | undefined) {
    this.name = name
    this.task = task
  }

  get riskFactors(): SessionRiskFactors {
    return this.#riskFactors
  }

  get risk(): RiskView {
    return viewRisk(this.#riskFactors)
  }

  /**
   * Records an allowed call before its answer arrives. Calls that run at the same time then take each other into
   * account, and calls that get no answer count too.
   */
  note(effective: RiskyTool, call: Pick<RiskFactorMark, 'tool' | 'request' | 'at'>): void {
    this.#riskFactors = addRiskFactors(this.#riskFactors, effective, call)
  }

  /** Starts a new conversation. The session at a gateway is not affected. */
  reset(): void {
    this.#riskFactors = {}
  }
}
