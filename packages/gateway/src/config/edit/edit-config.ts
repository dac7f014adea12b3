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

/** A place in a document and what is to stand there; undefined takes it out. */
export interface ConfigEdit {
  readonly path: (string | number)[]
  readonly value: unknown
}

/** The text with one edit in it. What is added or removed leaves the comments and the layout of its neighbours alone. */
function applyEdit(text: string, { path, value }: ConfigEdit): string {
  const { root } = readDocument(text)
  const reached = root?.type === 'object' ? walk(root, path) : undefined
  if (reached === undefined) return replace(text, { path, value })
  const { holder, rest, index } = reached
  const [key = '', ...deeper] = rest
  if (value === undefined) return index === -1 ? text : removeMember(text, holder, index)
  if (index !== -1) return replace(text, { path, value })
  const nested = deeper.toReversed().reduce<unknown>((held, step) => ({ [step]: held }), value)
  return addMember(text, holder, { key, value: nested }, layoutOf(text))
}

interface Reached {
  /** The innermost object on the way that is there. */
  readonly holder: Node
  /** The steps from there. */
  readonly rest: readonly string[]
  /** Which member of it the only step left names; -1 where it is not there. */
  readonly index: number
}

/** Undefined where the way leads through something else than objects. */
function walk(root: Node, path: ConfigEdit['path']): Reached | undefined {
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
  /** The file as it is now: with the edit where it was `written`, else as somebody left it. */
  readonly text: string
  readonly digest: string
  /** Why it was refused: what would be wrong with the file that is not wrong with it already. */
  readonly problems: readonly Problem[]
  /** `stale`: the file is not the one that `expected` names. `unwritable`: this user may not write it. */
  readonly outcome: 'written' | 'refused' | 'stale' | 'unwritable'
}

const MARK = '\uFEFF'
const EMPTY = '{}\n'
/** A config that nobody has written yet may come to hold secrets. */
const PRIVATE = 0o600

/**
 * Changes single places of a config file: comments stay, and nothing is written that would not load.
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
  const { mark, body } = takeApart(before.text)
  // What cannot be read cannot be changed in one place and kept in all others.
  if (readDocument(body).complaints.length > 0)
    return { ...before, problems: findProblems(file, before.text), outcome: 'refused' }
  return replaceConfig(file, mark + edits.reduce(applyEdit, body), before)
}

/** What the file says, and a digest of it to say later which state of it was meant. */
export function readConfigFile(path: string): Pick<EditedConfig, 'text' | 'digest'> {
  const text = readIfThere(path)
  return { text, digest: createHash('sha256').update(text).digest('hex') }
}

/** Takes an edit back, unless somebody has edited the file since. */
export function restoreConfig(path: string, text: string, edited: { readonly digest: string }): void {
  const file = realPath(path)
  if (readConfigFile(file).digest === edited.digest) writeAtomically(file, text)
}

/** A file may begin with a byte order mark, and may be empty. */
function takeApart(text: string): { readonly mark: string; readonly body: string } {
  const mark = text.startsWith(MARK) ? MARK : ''
  const body = text.slice(mark.length)
  return { mark, body: body.trim() === '' ? EMPTY : body }
}

/** The text with the edits in it; nothing is written. */
export function applyConfigEdits(text: string, edits: readonly ConfigEdit[]): string {
  return edits.reduce(applyEdit, text)
}

/** Puts another text in the place of a whole file, in one step. */
function replaceConfig(
  file: string,
  text: string,
  before: Pick<EditedConfig, 'text' | 'digest'>,
): EditedConfig {
  const known = new Set(findProblems(file, before.text).map(sayOf))
  const problems = findProblems(file, text).filter(problem => !known.has(sayOf(problem)))
  if (problems.length > 0) return { ...before, problems, outcome: 'refused' }
  try {
    writeAtomically(file, text)
    return { ...readConfigFile(file), problems: [], outcome: 'written' }
  } catch (error) {
    if (!isRefusal(error)) throw error
    return { ...before, problems: [], outcome: 'unwritable' }
  }
}

/** Nobody ever reads half of it, and whoever may read it may read it still. */
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
  const { body } = takeApart(text)
  const places = { env: process.env, cwd: process.cwd(), homeDir: homedir() }
  return checkConfigText(body, file, places).problems
}

/** Without its line: that changes with every edit above. */
function sayOf({ path, message }: Problem): string {
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

/** Where the file is a link, what it leads to is changed, and the link stays. */
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

function isRefusal(error: unknown): boolean {
  return ['EACCES', 'EPERM', 'EROFS'].includes((error as NodeJS.ErrnoException).code ?? '')
}
