/** Something that the doctor may mend by itself: it takes nothing from anybody, and can be done again. */
export type Repair =
  | { readonly does: 'chmod'; readonly path: string; readonly mode: number }
  | { readonly does: 'mkdir'; readonly path: string }
  | { readonly does: 'remove'; readonly path: string }
  | { readonly does: 'forget results'; readonly store: string }
  | { readonly does: 'end processes'; readonly home: string }

/**
 * The command that does the same.
 *
 * @example
 * commandOf({ does: 'chmod', path: '/home/ada/.hintgate', mode: 0o700 }) // => 'chmod 700 /home/ada/.hintgate'
 */
export function commandOf(repair: Repair): string {
  switch (repair.does) {
    case 'chmod':
      return `chmod ${repair.mode.toString(8)} ${quote(repair.path)}`
    case 'mkdir':
      return `mkdir -p -m 700 ${quote(repair.path)}`
    case 'remove':
      return `rm ${quote(repair.path)}`
    case 'forget results':
    case 'end processes':
      // There is no other command for it: a gateway does so when it starts.
      return 'hintgate doctor --fix'
  }
}

/** As a shell reads it back. */
export function quote(text: string): string {
  return /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`
}
