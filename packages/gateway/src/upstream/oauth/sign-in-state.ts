import { TextSealer } from '../../base/text-sealer.ts'

/** What a browser carries to an authorization server and back: which server somebody signs in to, and which time. */
export interface SignInState {
  readonly server: string
  readonly nonce: string
}

const PURPOSE = 'sign-in state'

export function sealState(state: SignInState, key: Buffer): string {
  return new TextSealer(key, PURPOSE).seal(JSON.stringify(state))
}

/** Undefined unless we made it. */
export function openState(sealed: string, key: Buffer): SignInState | undefined {
  const text = new TextSealer(key, PURPOSE).open(sealed)
  return text === undefined ? undefined : (JSON.parse(text) as SignInState)
}
