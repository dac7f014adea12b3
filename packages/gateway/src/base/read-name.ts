import { foldLookAlikes } from '@hintgate/metadata'

/**
 * Reduces a name to what a person reads: `send-email`, `sendEmail`, `send_email` and look-alikes give the same text.
 */
export function readName(name: string): string {
  return foldLookAlikes(name).replaceAll(/[^\p{L}\p{N}]/gu, '')
}
