export interface StoredApproval {
  readonly id: string
  readonly principal: string
  readonly session: string
  /** `server:tool`. */
  readonly tool: string
  /** What exactly may happen: caller, tool, its fingerprint, the arguments and the rules, as one digest. */
  readonly binding: string
  /** `person`: the caller's own client may not answer for a person. */
  readonly channel: 'any' | 'person'
  /** What the one who decides is shown, as JSON. */
  readonly shown: string
  readonly state: ApprovalState
  readonly createdAt: number
  /** Not decided or not used by then: over. */
  readonly expiresAt: number
  readonly decision?: ApprovalDecision
}

/** `standing` approvals are not used up: they were given for a session, or for the same arguments again. */
type ApprovalState = 'pending' | 'approved' | 'denied' | 'spent' | 'standing'

export interface ApprovalDecision {
  readonly by: string
  readonly via: string
  readonly at: number
  readonly note?: string
}

export interface ApprovalStore {
  insert(approval: StoredApproval): Promise<void>
  find(id: string): Promise<StoredApproval | undefined>
  /** The newest of this binding that is neither spent nor over; where only some states count, among those. */
  findByBinding(
    binding: string,
    now: number,
    states?: readonly ApprovalState[],
  ): Promise<StoredApproval | undefined>
  countPending(principal: string, now: number): Promise<number>
  /** The ids of all questions that nobody has answered yet, and nothing else of them. */
  listPending(now: number): Promise<readonly string[]>
  /** Newest first, without what is over unless asked for. */
  list(filter: {
    readonly states?: readonly ApprovalState[]
    readonly now: number
    readonly limit?: number
  }): Promise<readonly StoredApproval[]>
  /** False unless it is pending and not over: who decides first has decided. */
  decide(id: string, state: 'approved' | 'denied', decision: ApprovalDecision): Promise<boolean>
  /** False unless it is approved, not over and of this binding. It succeeds once, whoever asks at the same time. */
  spend(id: string, binding: string, now: number): Promise<boolean>
  /** How many were forgotten: all that were over before the given moment. */
  removeBefore(moment: number): Promise<number>
  /**
   * All but the newest of a caller's questions that are over or that its own client declined; and likewise of its
   * approvals that were not used yet, and of those that last: who lost one is asked again. Says how many.
   */
  removeOver(principal: string, keep: number, now: number): Promise<number>
}
