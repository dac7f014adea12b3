import { createHash, randomUUID } from 'node:crypto'
import { chmodSync, realpathSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { applyEdits, modify, type Node } from 'jsonc-parser'
import type { Problem } from '../../base/errors/problem.ts'
import { readRegularFile } from '../../base/read-regular-file.ts'
import { checkConfigText } from '../load-config.ts'
import { partsOf, readDocument } from '../read-document.ts'
import { addMember, layoutOf, removeMember } from './json-members.ts'

/** A path in a document and its new value; undefined removes the member. */
export interface ConfigEdit {
  readonly path: (string | number)[]
  readonly value: unknown
}

/** Applies one edit. Comments and layout of neighbouring members stay unchanged. */
function applyEdit(text: string, { path, value }: ConfigEdit): string {
  const { root } = readDocument(text)
  const reached = root?.type === 'object' ? findHolder(root, path) : undefined
  if (reached === undefined) return replace(text, { path, value })
  const { holder, rest, index } = reached
  const [key = '', ...deeper] = rest
  if (value === undefined) return index === -1 ? text : removeMember(text, holder, index)
  if (index !== -1) return replace(text, { path, value })
  const nested = deeper.toReversed().reduce<unknown>((held, step) => ({ [step]: held }), value)
  return addMember(text, holder, { key, value: nested }, layoutOf(text))
}

interface HolderPath {
  /** The innermost object on the path that exists. */
  readonly holder: Node
  /** The steps of the path from that object on. */
  readonly rest: readonly string[]
  /** The index of the member to change, or -1 if it does not exist. */
  readonly index: number
}

/** Finds the object that an edit changes; undefined if the path leads through anything other than objects. */
function findHolder(root: Node, path: ConfigEdit['path']): HolderPath | undefined {
  const steps = path.filter(step => typeof step === 'string')
  if (steps.length !== path.length || steps.length === 0) return undefined
  let holder = root
  for (const [at, step] of steps.entries()) {
    const members = holder.children ?? []
    const index = members.findIndex(member => partsOf(member)?.name === step)
    const member = members[index]
    const isLast = at === steps.length - 1
    if (member === undefined || isLast) return { holder, rest: steps.slice(at), index: isLast ? index : -1 }
    const next = partsOf(member)?.value
    if (next?.type !== 'object') return undefined
    holder = next
  }
  return undefined
}

function replace(text: string, { path, value }: ConfigEdit): string {
  const { unit, eol } = layoutOf(text)
  const formattingOptions = {
    insertSpaces: !unit.startsWith('\t'),
    tabSize: unit.startsWith('\t') ? 4 : unit.length,
    eol,
  }
  return applyEdits(text, modify(text, [...path], value, { formattingOptions }))
}

interface EditedConfig {
  /** The file's current text, which contains the edit if the outcome is `written`. */
  readonly text: string
  readonly digest: string
  /** The problems that the edit would add to the file. */
  readonly problems: readonly Problem[]
  /** `stale`: the file no longer has the `expected` digest. `unwritable`: this user may not write the file. */
  readonly outcome: 'written' | 'refused' | 'stale' | 'unwritable'
}

const MARK = '\uFEFF'
const EMPTY = '{}\n'
/** The file mode of a new config. It is private, because secrets might be added to the config later. */
const PRIVATE = 0o600

/**
 * Changes single members of a config file. Comments are kept, and a config that could not be loaded is not written.
 *
 * @example
 * editConfig('hintgate.json', [{ path: ['mcpServers', 'crm', 'trust'], value: 'trusted' }])
 */
export function editConfig(
  path: string,
  edits: readonly ConfigEdit[],
  expected?: { readonly digest: string },
): EditedConfig {
  const file = realPath(path)
  const before = readConfigFile(file)
  if (expected !== undefined && expected.digest !== before.digest)
    return { ...before, problems: [], outcome: 'stale' }
  const { mark, body } = splitMark(before.text)
  // A file that cannot be parsed is not edited, because changing one member could affect others.
  if (readDocument(body).complaints.length > 0)
    return { ...before, problems: findProblems(file, before.text), outcome: 'refused' }
  return replaceConfig(file, mark + edits.reduce(applyEdit, body), before)
}

/** Returns the file's text and its digest, by which a later edit can detect changes. */
export function readConfigFile(path: string): Pick<EditedConfig, 'text' | 'digest'> {
  const text = readIfThere(path)
  return { text, digest: createHash('sha256').update(text).digest('hex') }
}

/** Reverts an edit, unless the file has changed since. */
export function restoreConfig(path: string, text: string, edited: { readonly digest: string }): void {
  const file = realPath(path)
  if (readConfigFile(file).digest === edited.digest) writeAtomically(file, text)
}

/** Splits off a byte order mark. An empty file counts as `{}`. */
function splitMark(text: string): { readonly mark: string; readonly body: string } {
  const mark = text.startsWith(MARK) ? MARK : ''
  const body = text.slice(mark.length)
  return { mark, body: body.trim() === '' ? EMPTY : body }
}

/** Applies edits to a text without writing a file. */
export function applyConfigEdits(text: string, edits: readonly ConfigEdit[]): string {
  return edits.reduce(applyEdit, text)
}

/** Replaces a whole file atomically, unless the new text has new problems. */
function replaceConfig(
  file: string,
  text: string,
  before: Pick<EditedConfig, 'text' | 'digest'>,
): EditedConfig {
  const known = new Set(findProblems(file, before.text).map(keyOf))
  const problems = findProblems(file, text).filter(problem => !known.has(keyOf(problem)))
  if (problems.length > 0) return { ...before, problems, outcome: 'refused' }
  try {
    writeAtomically(file, text)
    return { ...readConfigFile(file), problems: [], outcome: 'written' }
  } catch (error) {
    if (!isPermissionError(error)) throw error
    return { ...before, problems: [], outcome: 'unwritable' }
  }
}

/** Writes a file so that readers never see only part of it. The file keeps its mode. */
export function writeAtomically(file: string, text: string): void {
  const draft = join(dirname(file), `.${basename(file)}.${randomUUID()}.tmp`)
  try {
    writeFileSync(draft, text, { mode: PRIVATE, flag: 'wx' })
    chmodSync(draft, modeOf(file))
    renameSync(draft, file)
  } finally {
    rmSync(draft, { force: true })
  }
}

function findProblems(file: string, text: string): readonly Problem[] {
  const { body } = splitMark(text)
  const options = { env: process.env, cwd: process.cwd(), homeDir: homedir() }
  return checkConfigText(body, file, options).problems
}

/** Returns a key that identifies a problem. It does not contain the line, which changes with every edit further up. */
function keyOf({ path, message }: Problem): string {
  return JSON.stringify([path, message])
}

function readIfThere(file: string): string {
  try {
    return readRegularFile(file).toString()
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return EMPTY
    throw error
  }
}

/** Resolves a symbolic link, so that its target is changed and the link stays. */
function realPath(path: string): string {
  try {
    return realpathSync(path)
  } catch {
    return path
  }
}

function modeOf(file: string): number {
  const mode = statSync(file, { throwIfNoEntry: false })?.mode
  return mode === undefined ? PRIVATE : mode & 0o777
}

function isPermissionError(error: unknown): boolean {
  return ['EACCES', 'EPERM', 'EROFS'].includes((error as NodeJS.ErrnoException).code ?? '')
}
