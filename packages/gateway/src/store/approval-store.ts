export interface StoredApproval {
  readonly id: string
  readonly principal: string
  readonly session: string
  /** The tool's id, `server:tool`. */
  readonly tool: string
  /** A digest of everything that is approved: the caller, the tool and its fingerprint, the arguments and the rules. */
  readonly binding: string
  /** With `person`, only a person may answer, and not the client that made the call. */
  readonly channel: 'any' | 'person'
  /** The content that the approver sees, as JSON. */
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
  /** Returns only the ids of all pending approvals. */
  listPending(now: number): Promise<readonly string[]>
  /** Lists approvals, newest first. */
  list(filter: {
    readonly states?: readonly ApprovalState[]
    readonly now: number
    readonly limit?: number
  }): Promise<readonly StoredApproval[]>
  /** Decides a pending approval. False if it is already decided or has expired: only the first decision counts. */
  decide(id: string, state: 'approved' | 'denied', decision: ApprovalDecision): Promise<boolean>
  /**
   * Stores one person's approval where several people must agree. False if this person has already approved, or if the
   * approval is no longer pending.
   */
  vote(id: string, vote: ApprovalVote): Promise<boolean>
  /** Oldest first. */
  votes(id: string): Promise<readonly ApprovalVote[]>
  /**
   * Uses up an approval. False unless it is approved, has not expired and has this binding. Only one of several
   * concurrent attempts succeeds.
   */
  spend(id: string, binding: string, now: number): Promise<boolean>
  /** Deletes the approvals that expired before the given moment, and returns how many there were. */
  removeBefore(moment: number): Promise<number>
  /**
   * Deletes all but the newest `keep` of a caller's expired or client-declined approvals, and likewise of its unused
   * approvals and of its standing ones; a call whose approval is deleted asks again. Returns how many.
   */
  removeOver(principal: string, keep: number, now: number): Promise<number>
}
