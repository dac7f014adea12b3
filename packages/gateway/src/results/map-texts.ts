import { isUtf8 } from 'node:buffer'
import { isSecretName } from '../detect/secrets/find-assignments.ts'
import { isJsonObject, type Json } from '../protocol/messages.ts'
import { nameOf } from '../protocol/name-of.ts'
import { exactDigits, isText } from '../protocol/parse-json.ts'
import { bytesOfText, findStretches, textOfBytes } from './bytes-as-text.ts'
import { type Among, MOST } from './known-texts.ts'

interface Visit {
  /** What is to stand in a text's place. Of bytes it is all that changes: a byte that no text has is half a surrogate pair. */
  readonly change: (text: string, among?: Among) => string
  /** Whether nothing more will be changed; then nothing more is decoded. */
  readonly isDone: () => boolean
  /** So many characters were read to find out what others are; that takes time, too. */
  readonly spend?: (chars: number) => void
  /** Gets every object and list that is made because something in it changes. */
  readonly made?: Set<object>
  /** The only objects and lists that are looked into: those that such a visit made. What is not new is as it was. */
  readonly only?: ReadonlySet<object>
}

/** Pictures and sounds are no texts, if that is what they are. */
const MEDIA = /^(?:image|audio)$/
const TEXT_TYPE = /^(?:text\/|application\/(?:json|xml|yaml|javascript|x-ndjson)|[^;]*\+(?:json|xml)\b)/i

/**
 * Shows every text of what a server said, wherever it stands and whatever it is called, and puts in its place what comes
 * back: a model or a person may get to read any of it. Texts that travel as bytes are shown, too; pictures, sounds and
 * other bytes are not. The same object where nothing changes.
 */
export function mapTexts<T>(value: T, visit: Visit): T {
  return (isJsonObject(value) ? mapResult(value, visit) : mapDeep(value, visit)) as T
}

/** Of a result this is what models read, so it is shown first: what else a server sends along is not to use up the search. */
const READ_FIRST: ReadonlySet<string> = new Set(['content', 'structuredContent', 'contents', 'messages'])

function mapResult(result: Json, visit: Visit): Json {
  if (visit.isDone() || isOld(result, visit)) return result
  let changed: Map<string, unknown> | undefined
  for (const key of READ_FIRST) {
    const part = result[key]
    if (part === undefined) continue
    const mapped = mapDeep(part, visit)
    if (mapped === part) continue
    changed ??= new Map()
    changed.set(key, mapped)
  }
  return mapObject(result, visit, (members, key) => {
    if (!READ_FIRST.has(key)) return mapMember(members, key, visit)
    return changed?.has(key) === true ? changed.get(key) : result[key]
  })
}

function mapDeep(value: unknown, visit: Visit): unknown {
  // A list may have millions of items.
  if (visit.isDone()) return value
  if (isText(value)) return visit.change(value)
  if (typeof value === 'number' || typeof value === 'string') return mapNumber(value, visit)
  if (typeof value !== 'object' || value === null || isOld(value, visit)) return value
  if (Array.isArray(value)) return mapList(value, visit)
  return isJsonObject(value) ? mapObject(value, visit) : value
}

function isOld(value: object, { only }: Visit): boolean {
  return only !== undefined && !only.has(value)
}

/** A card or an account may be a number, too. */
function mapNumber(value: number | string, { change }: Visit): unknown {
  const digits = exactDigits(value) ?? (Math.abs(Number(value)) >= LEAST_TELLING ? String(value) : '')
  if (digits === '') return value
  const changed = change(digits)
  return changed === digits ? value : changed
}

const LEAST_TELLING = 1e8

/** Mostly nothing changes, and then nothing is made. */
function mapObject(object: Json, visit: Visit, mapPart = mapMember): Json {
  const keys = Object.keys(object)
  const members: Members = { object, keys, said: undefined }
  let entries: (readonly [string, unknown])[] | undefined
  for (let at = 0; at < keys.length; at += 1) {
    const key = keys[at] ?? ''
    const mapped = mapPart(members, key, visit)
    const name = visit.change(key)
    if (entries === undefined && (mapped !== object[key] || name !== key))
      entries = keys.slice(0, at).map(before => [before, object[before]] as const)
    entries?.push([name, mapped])
  }
  if (entries === undefined) return object
  const made = Object.fromEntries(entries)
  visit.made?.add(made)
  return made
}

interface Members {
  readonly object: Json
  readonly keys: readonly string[]
  /** Read once for all of them, and only where one may be bytes: any number of them may have the same name. */
  said: Said | undefined
}

interface Said {
  readonly isMedia: boolean
  readonly isText: boolean
}

function mapMember(members: Members, key: string, visit: Visit): unknown {
  const part = members.object[key]
  if (visit.isDone()) return part
  if (!isText(part)) return mapDeep(part, visit)
  const said = saidOfBytes(members, key, visit)
  if (said !== undefined) return mapBytes(part, said.isText, visit)
  return isSecretName(key) ? mapNamed(key, part, visit) : visit.change(part)
}

/** Some secrets are known by their names only, so both are shown, as they would be written in a text. */
function mapNamed(key: string, value: string, { change }: Visit): string {
  const before = `"${key}": "`
  const changed = change(`${before}${value}"`)
  const isWhole = changed.startsWith(before) && changed.endsWith('"')
  return isWhole ? changed.slice(before.length, -1) : change(value)
}

/**
 * Undefined where the member is no bytes. By names as they may be read: what is hidden in them may be stripped, and then they
 * are what they were not.
 */
function saidOfBytes(members: Members, key: string, visit: Visit): Said | undefined {
  const name = nameOf(key)
  if (name !== 'blob' && name !== 'data') return undefined
  members.said ??= readServerJson(members, visit)
  return name === 'blob' || members.said.isMedia ? members.said : undefined
}

function readServerJson({ object, keys }: Members, { isDone, spend }: Visit): Said {
  const said = { isMedia: false, isText: false }
  for (const key of keys) {
    if (isDone()) break
    spend?.(A_NAME + key.length)
    const name = nameOf(key)
    const part = object[key]
    if ((name !== 'type' && name !== 'mimetype') || !isText(part)) continue
    spend?.(part.length)
    const value = nameOf(part)
    if (name === 'type') said.isMedia ||= MEDIA.test(value)
    else said.isText ||= TEXT_TYPE.test(value.trim())
  }
  return said
}

/** A name takes as long as so many characters, however short it is. */
const A_NAME = 4

/**
 * What is written as bytes is not taken at its word: what is no base64 is a text, and so are bytes that read as one,
 * whatever type they are said to have.
 */
function mapBytes(written: string, isSaidText: boolean, visit: Visit): string {
  const { change, isDone } = visit
  if (isDone()) return written
  const shown = isBase64(written) && written.length > SHORT ? written : change(written)
  if (isDone()) return shown
  // Most programs read base64 as we do, whatever stands between its letters and at its end. What was taken out may have
  // stood there so that it could not be read.
  const read = isSaidText || startsAsText(shown) ? decode(shown, isSaidText) : undefined
  if (read === undefined) return MEDIA_HEAD.test(shown) ? shown : mapStretches(shown, visit)
  const changed = change(read.text, read.among)
  return changed === read.text ? shown : Buffer.concat([bytesOfText(changed), read.rest]).toString('base64')
}

/** Of so many bytes nothing is left to be searched behind their text: three are one character at least. */
const MOST_BYTES = 3 * MOST

/** What PNG, JPEG, GIF, TIFF, RIFF, Ogg, FLAC, MP3, MP4, PDF, gzip and ZIP begin with, in base64: nobody reads those as they are. */
const MEDIA_HEAD =
  /^(?:iVBORw0KGgo|\/9j\/|R0lGOD|SUkqA|TU0AK|UklGR|T2dnUw|ZkxhQ|SUQz|\/\/[M-Ps-v]|AAAA.GZ0eX|JVBERi0|H4sI|UEsDB)/

/** Whether so many bytes are a text is seen in the time that the search of one character takes. */
const BYTES_FOR_A_CHARACTER = 64

/** Bytes that are no text as a whole may have texts in them. What stands around those stays as it is. */
function mapStretches(written: string, { change, isDone, spend }: Visit): string {
  const bytes = Buffer.from(written, 'base64')
  spend?.(Math.ceil(bytes.length / BYTES_FOR_A_CHARACTER))
  if (isDone()) return written
  const parts: Buffer[] = []
  let done = 0
  for (const { start, end } of findStretches(bytes)) {
    if (isDone()) break
    const stop = Math.min(end, start + MOST_BYTES)
    const text = textOfBytes(bytes.subarray(start, stop))
    const changed = change(text, 'bytes')
    if (changed === text) continue
    parts.push(bytes.subarray(done, start), bytesOfText(changed))
    done = stop
  }
  return done === 0 ? written : Buffer.concat([...parts, bytes.subarray(done)]).toString('base64')
}

/** Hardly a picture is shorter, but many a key has only letters and digits, as base64 has. */
const SHORT = 64
const BASE64 = /^[A-Za-z0-9+/]*={0,2}$/

function isBase64(written: string): boolean {
  return written.length % 4 === 0 && BASE64.test(written)
}

interface Decoded {
  readonly text: string
  readonly among: Among
  /** What stands behind as much as is read. */
  readonly rest: Buffer
}

/** Undefined where bytes that nobody called a text turn out to be none. */
function decode(written: string, isSaidText: boolean): Decoded | undefined {
  const bytes = Buffer.from(written, 'base64')
  const head = bytes.subarray(0, MOST_BYTES)
  const isWhole = isUtf8(bytes)
  if (!isSaidText && !isWhole && !isMostlyText(head)) return undefined
  // What has a zero in it is a record or an archive, which is broken when the zeros are gone.
  const isText = isSaidText || (isWhole && !bytes.includes(0))
  return { text: textOfBytes(head), among: isText ? undefined : 'bytes', rest: bytes.subarray(MOST_BYTES) }
}

/** In a picture every third byte is one that no text has; a text with such a byte in it is read all the same. */
const MOST_BROKEN = 1 / 10

function isMostlyText(bytes: Buffer): boolean {
  const text = bytes.toString('utf8')
  let left = text.length * MOST_BROKEN
  for (let at = text.indexOf(BROKEN); at >= 0 && left >= 0; at = text.indexOf(BROKEN, at + 1)) left -= 1
  return left >= 0
}

const BROKEN = '\uFFFD'

/** So many characters of base64 are looked at: a multiple of four. */
const HEAD = 88
/** And so many where the text may begin later. */
const LONG_HEAD = 64 * 1024
/** In bytes. */
const LOOKED_AT = 66
/** A character may be cut off at the end of the head. */
const LONGEST_REST = 3

/** Pictures, sounds and archives have bytes in their heads that no text has. */
function startsAsText(written: string): boolean {
  const head = headOf(written)
  const controls = head.filter(isControl).length
  if (head.length === 0 || controls * 3 > head.length) return false
  for (let rest = 0; rest <= LONGEST_REST; rest += 1)
    if (isUtf8(head.subarray(0, head.length - rest))) return true
  return false
}

/** Control characters in front of a text, and what is no base64, are skipped by whoever wants to read it. */
function headOf(written: string): Buffer {
  const head = Buffer.from(written.slice(0, HEAD), 'base64')
  const [first] = head
  if (first !== undefined && !isControl(first)) return head
  const bytes = Buffer.from(written.slice(0, LONG_HEAD), 'base64')
  const start = bytes.findIndex(byte => !isControl(byte))
  return start === -1 ? bytes.subarray(0, 0) : bytes.subarray(start, start + LOOKED_AT)
}

function isControl(byte: number): boolean {
  return (byte < 0x20 && byte !== 0x09 && byte !== 0x0a && byte !== 0x0d) || byte === 0x7f
}

function mapList(list: readonly unknown[], visit: Visit): readonly unknown[] {
  let mapped: unknown[] | undefined
  for (let at = 0; at < list.length; at += 1) {
    const part = mapDeep(list[at], visit)
    if (part !== list[at]) mapped ??= list.slice(0, at)
    mapped?.push(part)
  }
  if (mapped === undefined) return list
  visit.made?.add(mapped)
  return mapped
}
