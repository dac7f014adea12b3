import { foldLookAlikes } from '@hintgate/metadata'

/** A name as one reads it: `send-email`, `sendEmail` and `send_email` are the same, and so is a look-alike. */
export function readName(name: string): string {
  return foldLookAlikes(name).replaceAll(/[^\p{L}\p{N}]/gu, '')
}
