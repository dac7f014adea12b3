import type { Role } from '../../scope/role.ts'
import type { Store } from '../../store/store.ts'
import { ConsoleTokens } from '../../tokens/console-tokens.ts'
import { readReviewer } from '../client/review-context.ts'

interface LinkDeps {
  readonly store: Store
  readonly key: Buffer
}

/** Creates a console link. The sign-in code is in the fragment, which browsers do not send to servers. */
export async function createConsoleLink(
  deps: LinkDeps,
  url: string,
  who: { readonly role: Role; readonly name?: string | undefined },
): Promise<string> {
  const named = readReviewer(who.name)
  const person = typeof named === 'string' ? named : 'operator'
  const code = await new ConsoleTokens(deps).createCode(person, who.role)
  return `${url}/#code=${code}`
}
