import type { Approvals } from '../../approvals/approvals.ts'
import { readShown } from '../../approvals/shown-request.ts'
import { HintgateError } from '../../base/errors.ts'
import type { NotifyPerson } from '../../config/build-notify.ts'
import { hasRole } from '../../scope/role.ts'
import type { StoredApproval } from '../../store/approval-store.ts'

export interface GivenAnswer {
  readonly id: string
  readonly person: NotifyPerson
  readonly verdict: 'approved' | 'denied'
  /** How the person answered: `slack` or `link`. */
  readonly via: string
}

export type AnswerResult =
  | { readonly kind: 'counted'; readonly text: string }
  | { readonly kind: 'refused'; readonly text: string }

/** Receives answers to approvals from people whom a channel identifies. The same rules apply as in the console. */
export class Answers {
  readonly #approvals: Approvals

  constructor(approvals: Approvals) {
    this.#approvals = approvals
  }

  find(id: string): Promise<StoredApproval | undefined> {
    return this.#approvals.find(id)
  }

  async give({ id, person, verdict, via }: GivenAnswer): Promise<AnswerResult> {
    if (!hasRole(person.role, 'approver'))
      return {
        kind: 'refused',
        text: `${person.name} has the role ${person.role} and cannot approve or deny.`,
      }
    try {
      const decided = await this.#approvals.decide(id, { verdict, by: `person:${person.name}`, via })
      return { kind: 'counted', text: await this.#describe(decided) }
    } catch (error) {
      if (!(error instanceof HintgateError)) throw error
      return { kind: 'refused', text: `${error.message}. ${error.remedy}` }
    }
  }

  async #describe({ id, state, shown }: StoredApproval): Promise<string> {
    if (state === 'denied') return 'Denied. The call will not be made.'
    if (state !== 'pending') return 'Approved. The agent can make this call once.'
    const { approvers = 1 } = readShown(shown)
    const votes = await this.#approvals.votes(id)
    return `Your approval was counted: ${votes.length} of ${approvers}. The call still waits for other people's approval.`
  }
}
