export interface StoredApproval {
  readonly id: string
  readonly principal: string
  readonly session: string
  /** `server:tool`. */
  readonly tool: string
  /** One digest of what is approved: caller, tool, its fingerprint, the arguments and the rules. */
  readonly binding: string
  /** `person`: the caller's own client must not answer for a person. */
  readonly channel: 'any' | 'person'
  /** What the approver sees, as JSON. */
  readonly shown: string
  readonly state: ApprovalState
  readonly createdAt: number
  /** The approval expires if it is not decided or used by then. */
  readonly expiresAt: number
  readonly decision?: ApprovalDecision
}

/** `standing` approvals are not used up: they apply to a session, or to every call with the same arguments. */
type ApprovalState = 'pending' | 'approved' | 'denied' | 'spent' | 'standing'

export interface ApprovalDecision {
  readonly by: string
  readonly via: string
  readonly at: number
  readonly note?: string
}

export type ApprovalVote = Pick<ApprovalDecision, 'by' | 'via' | 'at'>

export interface ApprovalStore {
  insert(approval: StoredApproval): Promise<void>
  find(id: string): Promise<StoredApproval | undefined>
  /** The newest approval with this binding that is neither spent nor expired, optionally only in some states. */
  findByBinding(
    binding: string,
    now: number,
    states?: readonly ApprovalState[],
  ): Promise<StoredApproval | undefined>
  countPending(principal: string, now: number): Promise<number>
  /** Only the ids of all pending approvals. */
  listPending(now: number): Promise<readonly string[]>
  /** Newest first, without expired ones unless requested. */
  list(filter: {
    readonly states?: readonly ApprovalState[]
    readonly now: number
    readonly limit?: number
  }): Promise<readonly StoredApproval[]>
  /** False unless it is pending and has not expired. The first decision counts. */
  decide(id: string, state: 'approved' | 'denied', decision: ApprovalDecision): Promise<boolean>
  /**
   * One person's yes where several people must agree; false if this person has already said it, or if it is not pending
   * any more.
   */
  vote(id: string, vote: ApprovalVote): Promise<boolean>
  /** Oldest first. */
  votes(id: string): Promise<readonly ApprovalVote[]>
  /**
   * False unless it is approved, has not expired and has this binding. Only one of several concurrent attempts
   * succeeds.
   */
  spend(id: string, binding: string, now: number): Promise<boolean>
  /** Deletes everything that expired before the given moment. Returns how many. */
  removeBefore(moment: number): Promise<number>
  /**
   * Deletes all but the newest `keep` of a caller's expired or client-declined approvals, and likewise of its unused
   * approvals and of its standing ones; a call whose approval is deleted asks again. Returns how many.
   */
  removeOver(principal: string, keep: number, now: number): Promise<number>
}
