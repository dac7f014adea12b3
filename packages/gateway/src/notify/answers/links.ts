import type { TextSealer } from '../../base/text-sealer.ts'
import type { NotifyConfig, NotifyPerson } from '../../config/build-notify.ts'
import { hasRole } from '../../scope/role.ts'

/** Who was sent a link, and for which question. The question says how long it is valid. */
interface Ticket {
  readonly approval: string
  readonly channel: string
  /** A mail address; empty for the only reader of a channel. */
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
 * Links that answer as one person. The gateway seals them, so they cannot be made or changed; what the person may do is
 * read from the config when the link is used, so that removing a person ends their links.
 */
export class AnswerLinks {
  readonly #deps: LinkDeps

  constructor(deps: LinkDeps) {
    this.#deps = deps
  }

  /** Undefined if the recipient may not answer, or the gateway has no address. */
  write(ticket: Ticket): string | undefined {
    const { sealer, publicUrl } = this.#deps
    const person = this.#personOf(ticket)
    if (person === undefined || !hasRole(person.role, 'approver') || publicUrl() === '') return undefined
    const { approval, channel, recipient } = ticket
    return `${publicUrl()}${ANSWER_PATH}${sealer.seal(JSON.stringify([approval, channel, recipient]))}`
  }

  /** Undefined if it is not ours, or its person is no longer in the config. */
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
