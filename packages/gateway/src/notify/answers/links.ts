import type { TextSealer } from '../../base/text-sealer.ts'
import type { NotifyConfig, NotifyPerson } from '../../config/build-notify.ts'
import { hasRole } from '../../scope/role.ts'

/** The recipient of a link, and the approval that it is for. The link is valid as long as the approval is open. */
interface Ticket {
  readonly approval: string
  readonly channel: string
  /** An e-mail address, or empty if the channel has only one reader. */
  readonly recipient: string
}

export interface OpenedLink {
  readonly approval: string
  readonly person: NotifyPerson
}

interface LinkDeps {
  readonly sealer: TextSealer
  readonly channels: () => readonly NotifyConfig[]
  readonly publicUrl: () => string
}

export const ANSWER_PATH = '/notify/answer/'

/**
 * Creates and opens links with which one person can answer an approval. The gateway seals the links, so only the
 * gateway can make or change one. A person's rights are read from the config when the link is used, so removing a
 * person from the config invalidates their links.
 */
export class AnswerLinks {
  readonly #deps: LinkDeps

  constructor(deps: LinkDeps) {
    this.#deps = deps
  }

  /**
   * Creates a link. Returns undefined if the recipient is not allowed to answer, or if the gateway has no public
   * address.
   */
  write(ticket: Ticket): string | undefined {
    const { sealer, publicUrl } = this.#deps
    const person = this.#personOf(ticket)
    if (person === undefined || !hasRole(person.role, 'approver') || publicUrl() === '') return undefined
    const { approval, channel, recipient } = ticket
    return `${publicUrl()}${ANSWER_PATH}${sealer.seal(JSON.stringify([approval, channel, recipient]))}`
  }

  /**
   * Opens a sealed link. Returns undefined if this gateway did not make it, or if its person is no longer in the
   * config.
   */
  open(sealed: string): OpenedLink | undefined {
    const text = this.#deps.sealer.open(sealed)
    if (text === undefined) return undefined
    const [approval, channel, recipient] = JSON.parse(text) as [string, string, string]
    const person = this.#personOf({ approval, channel, recipient })
    return person === undefined ? undefined : { approval, person }
  }

  #personOf({ channel, recipient }: Ticket): NotifyPerson | undefined {
    const found = this.#deps.channels().find(({ name }) => name === channel)
    if (found?.type === 'email') return ownValue(found.people, recipient)
    return found !== undefined && 'person' in found && recipient === '' ? found.person : undefined
  }
}

export function ownValue<T>(record: Readonly<Record<string, T>>, key: string): T | undefined {
  return Object.hasOwn(record, key) ? record[key] : undefined
}
