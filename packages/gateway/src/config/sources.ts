import { createHash } from 'node:crypto'
import { readRegularFile } from '../base/read-regular-file.ts'
import { findFiles } from '../policy/rules/find-files.ts'

/**
 * What files held just before somebody read them. Noted before and not after: what is written in between is then news
 * once too often instead of never.
 *
 * @example
 * sources.note(['/etc/hintgate.json', '/etc/policies/*.yaml'])
 * sources.news() // undefined until one of them is edited
 */
export class Sources {
  readonly #noted = new Map<string, string | undefined>()

  note(paths: readonly string[]): void {
    for (const path of paths) this.#noted.set(path, printOf(path))
  }

  /**
   * Stands for what the files hold now if that is something new. A file that is gone is none: gone for a moment is how some
   * editors save, and gone for good leaves in force what was read.
   */
  news(): string | undefined {
    const prints = [...this.#noted].map(([path, before]) => ({ before, now: printOf(path) }))
    const isNew = prints.some(({ before, now }) => now !== undefined && now !== before)
    return isNew ? prints.map(({ now }) => now ?? 'gone').join() : undefined
  }
}

/** Undefined while it cannot be read. One of many that cannot be read must not hide what becomes of the others. */
function printOf(path: string): string | undefined {
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
