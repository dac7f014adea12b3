import type { Json } from '../../protocol/messages.ts'

/** Looks through what a server says apart from answers. Undefined: nobody is to hear it. */
export interface Screen {
  /** Of a notification: at once, because others come after it. */
  said(said: Json): Json | undefined
  /** Of a question, which may be long. */
  asked(said: Json): Json | undefined | Promise<Json | undefined>
}
