import {
  addRiskFactors,
  type RiskFactorMark,
  type RiskView,
  type RiskyTool,
  type SessionRiskFactors,
  viewRisk,
} from '@hintgate/metadata'

/** The risk factors that one conversation has touched, counted as in the gateway. */
export class Session {
  /** The session's name at a gateway. */
  readonly name: string | undefined
  /** The user's request, in the user's words. */
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
   * Notes a call that was allowed, before its answer arrives. This way, calls that run at the same time see each other,
   * and calls without an answer count too.
   */
  note(effective: RiskyTool, call: Pick<RiskFactorMark, 'tool' | 'request' | 'at'>): void {
    this.#riskFactors = addRiskFactors(this.#riskFactors, effective, call)
  }

  /** Starts a new conversation. A gateway's own session state is not changed. */
  reset(): void {
    this.#riskFactors = {}
  }
}
