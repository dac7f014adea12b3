import { createHash } from 'node:crypto'
import { readRegularFile } from '../base/read-regular-file.ts'
import { findFiles } from '../policy/rules/find-files.ts'

/**
 * Detects changes of files by digests, which are taken just before the files are read. If they were taken afterwards, a
 * write in between would never be noticed; as it is, the same change can at worst be reported twice.
 *
 * @example
 * sources.note(['/etc/hintgate.json', '/etc/policies/*.yaml'])
 * sources.findChange() // undefined until one of them is edited
 */
export class Sources {
  readonly #noted = new Map<string, string | undefined>()

  note(paths: readonly string[]): void {
    for (const path of paths) this.#noted.set(path, digestOf(path))
  }

  /**
   * Returns a text that identifies the files' new content, or undefined if no file has changed. A missing file does not
   * count as a change, because some editors remove a file while saving it; after a deletion, the last content stays in
   * force.
   */
  findChange(): string | undefined {
    const digests = [...this.#noted].map(([path, before]) => ({ before, now: digestOf(path) }))
    const isNew = digests.some(({ before, now }) => now !== undefined && now !== before)
    return isNew ? digests.map(({ now }) => now ?? 'gone').join() : undefined
  }
}

/**
 * Returns the digest of a file, or of all files that match a pattern. Undefined for an unreadable file. Files that
 * match a pattern have a digest even if some are unreadable, so that changes of the others are noticed.
 */
function digestOf(path: string): string | undefined {
  const hash = createHash('sha256')
  const isMany = path.includes('*')
  for (const file of isMany ? findFiles(path).toSorted() : [path]) {
    const content = contentOf(file)
    if (content === undefined && !isMany) return undefined
    hash.update(`${file}\0${content?.length ?? 'unreadable'}\0`).update(content ?? '')
  }
  return hash.digest('hex')
}

function contentOf(path: string): Buffer | undefined {
  try {
    return readRegularFile(path)
  } catch {
    return undefined
  }
}
