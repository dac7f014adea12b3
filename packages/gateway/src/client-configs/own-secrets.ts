import { lstatSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { createFolder } from '../base/create-folder.ts'
import { HintgateError } from '../base/errors.ts'
import { readRegularFile } from '../base/read-regular-file.ts'
import { resolvePath } from '../config/resolve-path.ts'
import { type Place, showFile } from './place.ts'
import type { Secret, TranslateContext } from './translate-server.ts'

/**
 * Where a secret is kept, and how the config says so. Every one gets a file of its own: what is there already may be
 * somebody else's, whatever it is called.
 */
export function secretPlace(home: string, { homeDir }: Place): TranslateContext['secretFile'] {
  const given = new Set<string>()
  return name => {
    const file = findFree(join(home, 'secrets', name), given)
    given.add(file)
    const shown = showFile(file, { homeDir })
    return { file, reference: `\${file:${shown.replaceAll('\\', '/')}}` }
  }
}

function findFree(wanted: string, given: ReadonlySet<string>): string {
  const isTaken = (file: string) =>
    given.has(file) || lstatSync(file, { throwIfNoEntry: false }) !== undefined
  let file = wanted
  for (let count = 2; isTaken(file); count += 1) file = `${wanted}-${count}`
  return file
}

/** What a `${file:…}` of the config stands for. */
export function secretAt(
  { path }: { readonly path: string },
  { homeDir }: Place,
): (reference: string) => string | undefined {
  return reference => {
    try {
      const name = reference.replaceAll(/^\$\{file:|\}$/g, '')
      return readRegularFile(resolvePath(name, { folder: dirname(path), homeDir }))
        .toString()
        .replace(/\r?\n$/, '')
    } catch {
      return undefined
    }
  }
}

interface OwnFiles {
  /** Of the config. */
  readonly path: string
  /** Hintgate's own folder. */
  readonly home: string
}

/** Files of secrets that an entry of the config refers to and that are ours. */
export function secretFilesOf(entry: unknown, own: OwnFiles, { homeDir }: Place): readonly string[] {
  const folder = join(own.home, 'secrets')
  return [...JSON.stringify(entry ?? null).matchAll(/\$\{file:([^}"\\]*)\}/g)]
    .map(([, name = '']) => resolvePath(name, { folder: dirname(own.path), homeDir }))
    .filter(file => /^[^./\\][^/\\]*$/.test(relative(folder, file)))
}

/** Gives what undoes it. */
export function keepSecret({ file, value }: Secret): () => void {
  try {
    createFolder(dirname(file), 0o700)
    // Never over what is there.
    writeFileSync(file, value, { mode: 0o600, flag: 'wx' })
    return () => rmSync(file, { force: true })
  } catch (error) {
    const why = (error as NodeJS.ErrnoException).code ?? String(error)
    throw new HintgateError('home_unwritable', { file: dirname(file), why }, { cause: error })
  }
}
