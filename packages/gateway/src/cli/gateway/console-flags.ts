import type { PlaceFlags } from '../terminal/context.ts'

export interface ConsoleFlags extends PlaceFlags {
  readonly role: string
  readonly name?: string
  readonly url?: string
  readonly open: boolean
  readonly json?: boolean
}
