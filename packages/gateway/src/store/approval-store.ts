export interface StoredApproval {
  readonly id: string
  readonly principal: string
  readonly session: string
  /** The tool's id, in the form `server:tool`. */
  readonly tool: string
  /**
   * A digest of everything to which the approval applies: the caller, the tool and its fingerprint, the arguments and
   * the rules.
   */
  readonly binding: string
  /**
   * The way in which the approval can be answered. `person` means that a person must answer, and not through the client
   * that made the call.
   */
  readonly channel: 'any' | 'person'
  /** The content that the approver sees, as JSON. */
  readonly shown: string
  readonly state: ApprovalState
  readonly createdAt: number
  /** The time at which the approval expires if it was not decided or used before. */
  readonly expiresAt: number
  readonly decision?: ApprovalDecision
  /** The task that used the approval up, if a task did. */
  readonly spentBy?: string
  /** What a lasting approval covers. Absent in approvals that older versions stored. */
  readonly remembers?: 'session' | 'arguments' | 'target' | 'rule'
  /** Set if a person ended a lasting approval before its time. */
  readonly revokedBy?: string
  readonly revokedAt?: number
}

/** A `standing` approval is a lasting one: it is not used up, and `remembers` says which calls it covers. */
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
  /**
   * Finds the newest approval with this binding that is neither spent nor expired nor revoked, optionally only in certain
   * states.
   */
  findByBinding(
    binding: string,
    now: number,
    states?: readonly ApprovalState[],
  ): Promise<StoredApproval | undefined>
  countPending(principal: string, now: number): Promise<number>
  /** Lists the ids of all pending approvals, without their content. */
  listPending(now: number): Promise<readonly string[]>
  /** Lists approvals, newest first. */
  list(filter: {
    readonly states?: readonly ApprovalState[]
    readonly now: number
    readonly limit?: number
  }): Promise<readonly StoredApproval[]>
  /**
   * Revokes a lasting approval. Returns false if it is not a lasting one, or has expired or been revoked before, so that
   * only the first revocation counts.
   */
  revoke(id: string, revocation: { readonly by: string; readonly at: number }): Promise<boolean>
  /**
   * Decides a pending approval. Returns false if it was already decided or has expired, because only the first decision
   * counts.
   */
  decide(id: string, state: 'approved' | 'denied', decision: ApprovalDecision): Promise<boolean>
  /**
   * Stores one person's vote where several people must approve. Returns false if this person has already voted or the
   * approval is no longer pending.
   */
  vote(id: string, vote: ApprovalVote): Promise<boolean>
  /** Oldest first. */
  votes(id: string): Promise<readonly ApprovalVote[]>
  /**
   * Uses up an approval. Returns false unless it is approved, has not expired and has this binding. Of several
   * concurrent attempts, only one succeeds. `by` is recorded as `spentBy`.
   */
  spend(id: string, binding: string, now: number, by?: string): Promise<boolean>
  /** Deletes the approvals that expired before the given time. Returns how many there were. */
  removeBefore(moment: number): Promise<number>
  /**
   * Deletes a caller's older approvals of each of three kinds: expired or declined in the client, not yet used, and
   * lasting. The newest `keep` of each kind stay. A call whose approval is deleted asks again. Returns the number of
   * deleted approvals.
   */
  removeOver(principal: string, keep: number, now: number): Promise<number>
}
