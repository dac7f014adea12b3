import { createName } from '../base/create-name.ts'
import { HintgateError } from '../base/errors.ts'
import { Rounds } from '../base/rounds.ts'
import type { Channel } from '../policy/rules.ts'
import type {
  ApprovalDecision,
  ApprovalStore,
  ApprovalVote,
  StoredApproval,
} from '../store/approval-store.ts'
import type { Store } from '../store/store.ts'
import { DecisionWatch } from './decision-watch.ts'
import { answerIdOf, checkLasting, type GrantChange, grantIdOf, type Lasting, STANDING_MS } from './grant.ts'
import {
  continued,
  readShown,
  type ShownRequest,
  shortenShown,
  showMoment,
  shownOfExtended,
} from './shown-request.ts'

interface ApprovalsDeps {
  readonly store: ApprovalStore
  /** Calls the listener when an approval might have been decided. Returns a function that removes the listener. */
  readonly onChange: (listener: () => void) => () => void
  readonly now: () => number
  readonly createId: () => string
  /** The longest time for which an answer can last, in milliseconds. An hour if it is absent. */
  readonly longestMs?: () => number
  /** Records that a person granted or revoked a lasting approval. */
  readonly onGrant?: (change: GrantChange) => void
}

export interface NewApproval {
  readonly principal: string
  readonly session: string
  readonly tool: string
  readonly binding: string
  readonly channel: Channel
  readonly shown: ShownRequest
  readonly validMs: number
}

type Question = Pick<NewApproval, 'principal' | 'binding'>

interface Answer extends Lasting {
  readonly verdict: 'approved' | 'denied'
  readonly by: string
  /** The channel: `cli`, `console`, `elicitation` or `input_required`. */
  readonly via: string
  readonly note?: string | undefined
}

/** Maximum number of open approvals per caller. */
const MOST_PENDING = 100
/**
 * Maximum number of closed approvals that are kept per caller. They are only for people to look at, because the audit
 * log has every call. The same limit applies to lasting approvals and to unused ones.
 */
const MOST_OVER = 200
const FORGET_EVERY = 20

/**
 * Manages approval requests and their answers. All state is in the store, so one process can ask and another can
 * answer.
 */
export class Approvals {
  readonly #deps: ApprovalsDeps
  #inserting: Promise<unknown> = Promise.resolve()
  /** The number of approvals that are being created, by principal. */
  readonly #describing = new Map<string, number>()
  /** The approvals that are being created, by binding: identical requests that arrive together share one. */
  readonly #asking = new Map<string, Promise<StoredApproval | undefined>>()

  readonly #watch: DecisionWatch
  readonly #rounds = new Rounds()
  /** The number of rows added since old ones were removed, by principal. */
  readonly #added = new Map<string, number>()

  constructor(deps: ApprovalsDeps) {
    this.#deps = deps
    this.#watch = new DecisionWatch(deps)
  }

  /**
   * Waits for a turn. Used before an approval is created and after it is answered, because hundreds can arrive
   * together.
   */
  takeTurn(): Promise<void> {
    return this.#rounds.next()
  }

  find(id: string): Promise<StoredApproval | undefined> {
    return this.#deps.store.find(id)
  }

  recall(binding: string): Promise<StoredApproval | undefined> {
    return this.#deps.store.findByBinding(binding, this.#deps.now(), ['approved', 'pending', 'denied'])
  }

  async findStanding(bindings: readonly string[]): Promise<StoredApproval | undefined> {
    for (const binding of bindings) {
      const found = await this.#deps.store.findByBinding(binding, this.#deps.now(), ['standing'])
      if (found !== undefined) return found
    }
    return undefined
  }

  /**
   * Creates one approval for identical concurrent requests. Undefined if this caller has too many open approvals. The
   * request is then not described either, because describing it can need another call.
   */
  ask(question: Question, describe: () => Promise<NewApproval>): Promise<StoredApproval | undefined> {
    const { binding } = question
    const running = this.#asking.get(binding)
    if (running !== undefined) return running
    const asking = this.#ask(question, describe).finally(() => this.#asking.delete(binding))
    this.#asking.set(binding, asking)
    return asking
  }

  /**
   * Creates a single-use approval for the client that continues a call after the server asked a question. It covers
   * only this very call (`once`), even if a lasting approval covers more.
   */
  async extend(
    spent: StoredApproval,
    { once, validMs }: { readonly once: string; readonly validMs: number },
  ): Promise<StoredApproval> {
    const { remembers: _, ...rest } = spent
    const now = this.#deps.now()
    const extended: StoredApproval = {
      ...rest,
      id: this.#deps.createId(),
      binding: continued(once),
      shown: shownOfExtended(spent),
      state: 'approved',
      createdAt: now,
      expiresAt: Math.min(spent.expiresAt, now + validMs),
    }
    await this.#add(extended)
    return extended
  }

  /** False if the approval continues a lasting one that has ended, also if that was during the call. */
  async isInForce({ shown }: StoredApproval): Promise<boolean> {
    const { grant } = readShown(shown)
    if (grant === undefined) return true
    const found = await this.#deps.store.find(grant)
    return found !== undefined && found.revokedAt === undefined && found.expiresAt > this.#deps.now()
  }

  /** Uses up an approval. Succeeds once, and only for the call that was approved. `by` is the task that makes the call. */
  spend(id: string, binding: string, by?: string): Promise<boolean> {
    return this.#deps.store.spend(id, binding, this.#deps.now(), by)
  }

  /**
   * Decides an approval. Fails with `approval_unknown`, `approval_decided`, `approval_own`, `approval_once` or
   * `approval_again`. If several people must approve, it stays pending until enough have; one denial ends it.
   */
  async decide(id: string, answer: Answer): Promise<StoredApproval> {
    const { verdict, by, via, note, remember } = answer
    const { store, now } = this.#deps
    const found = await store.find(id)
    if (found === undefined) throw new HintgateError('approval_unknown', { id })
    // A person's token can also make calls, and the token that made a call must not approve it.
    if (by === found.principal) throw new HintgateError('approval_own', { id, by })
    const shown = readShown(found.shown)
    if (remember !== undefined && !shown.remember.includes(remember))
      throw new HintgateError('approval_once', { id, remember })
    if (verdict === 'approved') checkLasting(id, answer, this.#deps.longestMs?.())
    const at = now()
    const { approvers = 1 } = shown
    const isLast = verdict === 'denied' || approvers === 1
    const agreed = isLast ? { by, via } : await this.#agree(found, { by, via, at }, approvers)
    if (agreed === undefined) return found
    const decision = { ...agreed, at, ...(note === undefined ? {} : { note }) }
    if (!(await store.decide(id, verdict, decision))) {
      const state = found.expiresAt <= at ? 'over' : ((await store.find(id))?.state ?? 'over')
      throw new HintgateError('approval_decided', { id, state, until: showMoment(found.expiresAt) })
    }
    if (verdict === 'approved' && remember !== undefined) await this.#grant(found, decision, answer)
    return { ...found, state: verdict, decision }
  }

  /** Stores the approval of further calls. It is bound to the caller, the definition and the rules, as any approval is. */
  async #grant(
    found: StoredApproval,
    decision: ApprovalDecision,
    { remember = 'arguments', forMs = STANDING_MS, by, via }: Answer,
  ): Promise<void> {
    const { at } = decision
    const grant: StoredApproval = {
      ...found,
      id: grantIdOf(found.id),
      binding: readShown(found.shown).standing[remember],
      shown: shortenShown(found.shown),
      state: 'standing',
      remembers: remember,
      createdAt: at,
      expiresAt: at + forMs,
      decision,
    }
    await this.#add(grant)
    this.#deps.onGrant?.({ change: 'granted', grant, by, via, at })
  }

  /** Returns the lasting approvals in force, newest first; with `all`, also those that have ended. */
  async grants(which: 'active' | 'all' = 'active'): Promise<readonly StoredApproval[]> {
    const { store, now } = this.#deps
    const all = await store.list({ now: which === 'all' ? 0 : now(), states: ['standing'] })
    return which === 'all' ? all : all.filter(({ revokedAt }) => revokedAt === undefined)
  }

  /** Ends a lasting approval: the next call that it would have covered asks again, on every replica. */
  async revoke(id: string, { by, via }: Pick<Answer, 'by' | 'via'>): Promise<StoredApproval> {
    const { store, now } = this.#deps
    const at = now()
    const found = await store.find(id)
    if (found === undefined || !(await store.revoke(id, { by, at })))
      throw new HintgateError('grant_unknown', { id })
    // The answer itself might not have been used yet, because the lasting approval came first.
    const answered = await store.find(answerIdOf(id))
    if (answered?.state === 'approved') await store.spend(answered.id, answered.binding, at)
    const grant = { ...found, revokedBy: by, revokedAt: at }
    this.#deps.onGrant?.({ change: 'revoked', grant, by, via, at })
    return grant
  }

  /** Returns the approvals that people have given so far, if several people must approve. */
  votes(id: string): Promise<readonly ApprovalVote[]> {
    return this.#deps.store.votes(id)
  }

  /** Records one person's approval. Undefined while others still have to approve. */
  async #agree(
    { id, expiresAt }: StoredApproval,
    vote: ApprovalVote,
    approvers: number,
  ): Promise<Pick<ApprovalVote, 'by' | 'via'> | undefined> {
    const { store } = this.#deps
    const isNew = await store.vote(id, vote)
    const votes = await store.votes(id)
    const isOpen = (await store.find(id))?.state === 'pending' && expiresAt > vote.at
    // A second vote by the same person is refused, unless there are enough votes: the first attempt might have been
    // interrupted before it could decide the approval.
    if (!isNew && isOpen && votes.length < approvers)
      throw new HintgateError('approval_again', { id, by: vote.by, missing: approvers - votes.length })
    if (isOpen && votes.length < approvers) return undefined
    const join = (parts: readonly string[]): string => [...new Set(parts)].join(', ')
    return { by: join(votes.map(({ by }) => by)), via: join(votes.map(({ via }) => via)) }
  }

  /** Resolves when the approval is decided or expired; `stop` ends the wait. */
  waitFor(id: string): { readonly decided: Promise<StoredApproval | undefined>; readonly stop: () => void } {
    return this.#watch.waitFor(id)
  }

  async #ask(
    { binding, principal }: Question,
    describe: () => Promise<NewApproval>,
  ): Promise<StoredApproval | undefined> {
    const { store, now } = this.#deps
    const open = await store.findByBinding(binding, now(), ['pending'])
    if (open !== undefined) return open
    const before = this.#describing.get(principal) ?? 0
    this.#describing.set(principal, before + 1)
    try {
      if (before + (await store.countPending(principal, now())) >= MOST_PENDING) return undefined
      return await this.#open(await describe())
    } finally {
      const left = (this.#describing.get(principal) ?? 1) - 1
      if (left === 0) this.#describing.delete(principal)
      else this.#describing.set(principal, left)
    }
  }

  #open({ shown, validMs, ...rest }: NewApproval): Promise<StoredApproval | undefined> {
    const createdAt = this.#deps.now()
    const approval: StoredApproval = {
      ...rest,
      id: this.#deps.createId(),
      shown: JSON.stringify(shown),
      state: 'pending',
      createdAt,
      expiresAt: createdAt + validMs,
    }
    // Approvals are inserted one after the other. Otherwise concurrent requests would all count zero open approvals.
    const inserting = this.#inserting.then(() => this.#insert(approval))
    this.#inserting = inserting.catch(() => {})
    return inserting
  }

  async #insert(approval: StoredApproval): Promise<StoredApproval | undefined> {
    const { store, now } = this.#deps
    if ((await store.countPending(approval.principal, now())) >= MOST_PENDING) return undefined
    await this.#add(approval)
    return approval
  }

  /**
   * Adds an approval and removes old ones. An approval can take 250 kB, so a caller that keeps asking would fill the
   * disk.
   */
  async #add(approval: StoredApproval): Promise<void> {
    const { store, now } = this.#deps
    const { principal } = approval
    await store.insert(approval)
    const added = (this.#added.get(principal) ?? 0) + 1
    if (added < FORGET_EVERY) return void this.#added.set(principal, added)
    this.#added.delete(principal)
    await store.removeOver(principal, MOST_OVER, now())
  }
}

type GrantRules = Pick<ApprovalsDeps, 'longestMs' | 'onGrant'>

export function createApprovals(store: Store, grants: GrantRules = {}): Approvals {
  return new Approvals({
    ...grants,
    store: store.approvals,
    onChange: listener => store.onChange(listener),
    now: Date.now,
    createId: () => `ap_${createName(9)}`,
  })
}
