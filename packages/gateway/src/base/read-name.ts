import { foldLookAlikes } from '@hintgate/metadata'

/** Folds a name to what a person reads: `send-email`, `sendEmail`, `send_email` and look-alikes become the same. */
export function readName(name: string): string {
  return foldLookAlikes(name).replaceAll(/[^\p{L}\p{N}]/gu, '')
}
