import { existsSync, lstatSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'
import { parse } from 'jsonc-parser'
import { attempt } from '../base/attempt.ts'
import { createFolder } from '../base/create-folder.ts'
import { HintgateError } from '../base/errors.ts'
import { readRegularFile } from '../base/read-regular-file.ts'
import { applyConfigEdits, type ConfigEdit, editConfig, readConfigFile } from '../config/edit/edit-config.ts'
import { NEW_CONFIG } from '../config/edit/new-config.ts'
import { findConfig, resolvePath } from '../config/resolve-path.ts'
import { isJsonObject, type Json } from '../protocol/messages.ts'
import { currentPlace, type Place, showFile, underHome } from './place.ts'
import type { Secret, TranslateContext } from './translate-server.ts'

/** Hintgate's config file as written, with unresolved references. */
export interface OwnConfig {
  readonly path: string
  /** Hintgate's home folder. */
  readonly home: string
  readonly isNew: boolean
  readonly text: string
  readonly digest: string
  readonly value: Json
}

/** Paths from command-line flags; undefined means the default path. */
interface OwnPlace {
  readonly config?: string | undefined
  readonly home?: string | undefined
}

export function findHome(flags: Pick<OwnPlace, 'home'>, place: Place): string {
  return flags.home === undefined ? underHome(place, '.hintgate') : resolve(place.cwd, flags.home)
}

/** Opens the config in use. If there is none, returns an empty one, with the path where it will be created. */
export function openOwnConfig(flags: OwnPlace, place = currentPlace()): OwnConfig {
  const home = findHome(flags, place)
  const path =
    findConfig({ path: flags.config, env: place.env, cwd: place.cwd, home }) ?? join(home, 'hintgate.json')
  const isNew = !existsSync(path)
  const { text, digest } = readOwn(path)
  const shown = isNew ? NEW_CONFIG : text
  const value: unknown = parse(shown)
  return { path, home, isNew, text: shown, digest, value: isJsonObject(value) ? value : {} }
}

export function serversOf({ value }: Pick<OwnConfig, 'value'>): Json {
  return isJsonObject(value.mcpServers) ? value.mcpServers : {}
}

export function previewOwnConfig({ text }: OwnConfig, edits: readonly ConfigEdit[]): string {
  return applyConfigEdits(text, edits)
}

/** Writes edits and the secrets that the edits refer to. If the edited config is refused, writes neither. */
export function writeOwnConfig(
  own: OwnConfig,
  edits: readonly ConfigEdit[],
  secrets: readonly Secret[] = [],
): void {
  const undo: (() => void)[] = []
  try {
    for (const secret of secrets) undo.push(keepSecret(secret))
    if (own.isNew) undo.push(createConfig(own))
    else checkMode(own.path)
    const done = editConfig(own.path, edits, own.isNew ? undefined : own)
    if (done.outcome === 'refused')
      throw new HintgateError('config_invalid', { file: own.path, problems: done.problems })
    if (done.outcome === 'stale') throw new HintgateError('config_changed', { file: own.path })
    if (done.outcome === 'unwritable') throw new HintgateError('config_unwritable', { file: own.path })
  } catch (error) {
    for (const job of undo.toReversed()) job()
    throw error
  }
}

/** Creates a config, but never overwrites one. Returns a function that removes the new file again. */
export function createConfig({ path }: Pick<OwnConfig, 'path'>): () => void {
  try {
    createFolder(dirname(path), 0o700)
    writeFileSync(path, NEW_CONFIG, { flag: 'wx', mode: 0o600 })
    return () => rmSync(path, { force: true })
  } catch (error) {
    const { code = String(error) } = error as NodeJS.ErrnoException
    if (code === 'EEXIST') throw new HintgateError('config_exists', { file: path }, { cause: error })
    throw new HintgateError('home_unwritable', { file: dirname(path), why: code }, { cause: error })
  }
}

function readOwn(path: string): { readonly text: string; readonly digest: string } {
  try {
    return readConfigFile(path)
  } catch (error) {
    const why = (error as NodeJS.ErrnoException).code ?? String(error)
    throw new HintgateError('client_file_unreadable', { file: path, why }, { cause: error })
  }
}

function checkMode(path: string): void {
  if ((statSync(path).mode & 0o222) === 0) throw new HintgateError('config_unwritable', { file: path })
}

/**
 * Returns a function that chooses a new file for a secret, and the reference for the config. An existing file is never
 * chosen, because it might contain another secret.
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

/** Returns a function that reads the value of a `${file:…}` reference in the config. */
export function secretAt(
  { path }: { readonly path: string },
  { homeDir }: Place,
): (reference: string) => string | undefined {
  return reference => {
    const name = reference.replaceAll(/^\$\{file:|\}$/g, '')
    const read = attempt(() => readRegularFile(resolvePath(name, { folder: dirname(path), homeDir })))
    return read?.toString().replace(/\r?\n$/, '')
  }
}

interface OwnFiles {
  /** The path of the config. */
  readonly path: string
  readonly home: string
}

/** Finds the files in Hintgate's secrets folder that an entry of the config refers to. */
export function secretFilesOf(entry: unknown, own: OwnFiles, { homeDir }: Place): readonly string[] {
  const folder = join(own.home, 'secrets')
  return [...JSON.stringify(entry ?? null).matchAll(/\$\{file:([^}"\\]*)\}/g)]
    .map(([, name = '']) => resolvePath(name, { folder: dirname(own.path), homeDir }))
    .filter(file => /^[^./\\][^/\\]*$/.test(relative(folder, file)))
}

/** Writes a secret to its file. Returns a function that removes the file again. */
function keepSecret({ file, value }: Secret): () => void {
  try {
    createFolder(dirname(file), 0o700)
    // With the flag `wx`, an existing file is never overwritten.
    writeFileSync(file, value, { mode: 0o600, flag: 'wx' })
    return () => rmSync(file, { force: true })
  } catch (error) {
    const why = (error as NodeJS.ErrnoException).code ?? String(error)
    throw new HintgateError('home_unwritable', { file: dirname(file), why }, { cause: error })
  }
}
