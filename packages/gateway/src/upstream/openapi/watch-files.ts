import { type StatsListener, unwatchFile, watchFile } from 'node:fs'

/** How often the files' times are looked at. Events are not used, because network drives do not send them. */
const EVERY_MS = 500

/** Calls `onChange` when one of the files has changed. Returns a function that stops watching. */
export function watchFiles(files: readonly string[], onChange: () => void): () => void {
  const listener: StatsListener = (now, before) => {
    // A file that is missing for a moment is being replaced.
    if (now.mtimeMs !== 0 && (now.mtimeMs !== before.mtimeMs || now.size !== before.size)) onChange()
  }
  for (const file of files) watchFile(file, { interval: EVERY_MS, persistent: false }, listener)
  return () => {
    for (const file of files) unwatchFile(file, listener)
  }
}
