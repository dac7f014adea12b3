import { isUtf8 } from 'node:buffer'
import { isSecretName } from '../detect/secrets/find-assignments.ts'
import { isJsonObject, type Json } from '../protocol/messages.ts'
import { nameOf } from '../protocol/name-of.ts'
import { exactDigits, isText } from '../protocol/parse-json.ts'
import { bytesOfText, findStretches, textOfBytes } from './bytes-as-text.ts'
import { type Among, MOST } from './known-texts.ts'

interface Visit {
  /**
   * Returns the replacement for a text. In a text that was decoded from bytes, each invalid byte appears as a lone
   * surrogate.
   */
  readonly change: (text: string, among?: Among) => string
  /** Returns true if no further text will be changed, so that nothing more needs to be decoded. */
  readonly isDone: () => boolean
  /** Called with the number of characters that were read to classify values, because that also takes time. */
  readonly spend?: (chars: number) => void
  /** Collects every object and list that is created because of a change. */
  readonly made?: Set<object>
  /** If set, only these objects and lists are visited, which an earlier visit created. All others stay unchanged. */
  readonly only?: ReadonlySet<object>
}

/** The types of content blocks that are declared as an image or a sound and therefore contain no text. */
const MEDIA = /^(?:image|audio)$/
const TEXT_TYPE = /^(?:text\/|application\/(?:json|xml|yaml|javascript|x-ndjson)|[^;]*\+(?:json|xml)\b)/i

/**
 * Calls `change` for every text in a value from a server, wherever it is and whatever its name, because a model or a
 * person could read any of it. Text in Base64 is included; images, sounds and other binary data are not. Returns the
 * same object if nothing changes.
 */
export function mapTexts<T>(value: T, visit: Visit): T {
  return (isJsonObject(value) ? mapResult(value, visit) : mapDeep(value, visit)) as T
}

/**
 * The members that models usually read. They are searched first, so that other members cannot use up the search limit.
 */
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
  // Stops immediately, because a list can have millions of items.
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

/** Changes a number as if it were text, because a card or account number can be a JSON number. */
function mapNumber(value: number | string, { change }: Visit): unknown {
  const digits = exactDigits(value) ?? (Math.abs(Number(value)) >= LEAST_TELLING ? String(value) : '')
  if (digits === '') return value
  const changed = change(digits)
  return changed === digits ? value : changed
}

const LEAST_TELLING = 1e8

/** Changes the members of an object. Usually nothing changes, and then nothing is allocated. */
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
  /** The declared type. It is read once for all members, and only if a member could contain bytes. */
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

/** Searches a value together with its name, because some secrets can be recognised only by their names. */
function mapNamed(key: string, value: string, { change }: Visit): string {
  const before = `"${key}": "`
  const changed = change(`${before}${value}"`)
  const isWhole = changed.startsWith(before) && changed.endsWith('"')
  return isWhole ? changed.slice(before.length, -1) : change(value)
}

/**
 * Returns the declared type if a member could contain bytes. Hidden characters in its name are ignored, because they
 * can be removed later.
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

/** The cost of reading a member's name, in characters. */
const A_NAME = 4

/**
 * Changes a value that should be Base64. Declared types are not trusted: the value could be plain text, or could encode
 * readable text.
 */
function mapBytes(written: string, isSaidText: boolean, visit: Visit): string {
  const { change, isDone } = visit
  if (isDone()) return written
  const shown = isBase64(written) && written.length > SHORT ? written : change(written)
  if (isDone()) return shown
  // Decoding is as tolerant as in most programs, because a server could add characters that make a stricter decoder
  // fail.
  const read = isSaidText || startsAsText(shown) ? decode(shown, isSaidText) : undefined
  if (read === undefined) return MEDIA_HEAD.test(shown) ? shown : mapStretches(shown, visit)
  const changed = change(read.text, read.among)
  return changed === read.text ? shown : Buffer.concat([bytesOfText(changed), read.rest]).toString('base64')
}

/**
 * Maximum number of bytes to decode. Three bytes give at least one character, so more bytes would exceed the search
 * limit.
 */
const MOST_BYTES = 3 * MOST

/**
 * Matches the beginning, in Base64, of PNG, JPEG, GIF, TIFF, RIFF, Ogg, FLAC, MP3, MP4, PDF, gzip and ZIP data. Such
 * data is not read as text.
 */
const MEDIA_HEAD =
  /^(?:iVBORw0KGgo|\/9j\/|R0lGOD|SUkqA|TU0AK|UklGR|T2dnUw|ZkxhQ|SUQz|\/\/[M-Ps-v]|AAAA.GZ0eX|JVBERi0|H4sI|UEsDB)/

/** Classifying this many bytes costs as much as searching one character. */
const BYTES_FOR_A_CHARACTER = 64

/** Changes the readable stretches in binary data. The bytes around them stay unchanged. */
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

/**
 * A value up to this length is also read as plain text, because many keys consist of Base64 characters. Images are
 * longer.
 */
const SHORT = 64
const BASE64 = /^[A-Za-z0-9+/]*={0,2}$/

function isBase64(written: string): boolean {
  return written.length % 4 === 0 && BASE64.test(written)
}

interface Decoded {
  readonly text: string
  readonly among: Among
  /** The bytes after the part that was decoded. */
  readonly rest: Buffer
}

/** Decodes Base64 to text. Returns undefined if the bytes are not declared as text and turn out to be binary. */
function decode(written: string, isSaidText: boolean): Decoded | undefined {
  const bytes = Buffer.from(written, 'base64')
  const head = bytes.subarray(0, MOST_BYTES)
  const isWhole = isUtf8(bytes)
  if (!isSaidText && !isWhole && !isMostlyText(head)) return undefined
  // Bytes that contain zeros are a data record or an archive, which would break if the zeros were removed.
  const isText = isSaidText || (isWhole && !bytes.includes(0))
  return { text: textOfBytes(head), among: isText ? undefined : 'bytes', rest: bytes.subarray(MOST_BYTES) }
}

/** Maximum share of invalid bytes in a text. In an image, about every third byte is invalid. */
const MOST_BROKEN = 1 / 10

function isMostlyText(bytes: Buffer): boolean {
  const text = bytes.toString('utf8')
  let left = text.length * MOST_BROKEN
  for (let at = text.indexOf(BROKEN); at >= 0 && left >= 0; at = text.indexOf(BROKEN, at + 1)) left -= 1
  return left >= 0
}

const BROKEN = '\uFFFD'

/** The number of Base64 characters that are checked first; a multiple of four. */
const HEAD = 88
/** The number of Base64 characters that are checked if the text could begin later. */
const LONG_HEAD = 64 * 1024
/** The number of bytes that are examined to recognise text. */
const LOOKED_AT = 66
/** Maximum number of bytes that belong to a character cut off at the end. */
const LONGEST_REST = 3

/** Whether a value starts with text. Images, sounds and archives start with bytes that are not valid UTF-8. */
function startsAsText(written: string): boolean {
  const head = headOf(written)
  const controls = head.filter(isControl).length
  if (head.length === 0 || controls * 3 > head.length) return false
  for (let rest = 0; rest <= LONGEST_REST; rest += 1)
    if (isUtf8(head.subarray(0, head.length - rest))) return true
  return false
}

/**
 * Returns the first bytes of a value. Leading control characters and invalid Base64 are left out, because readers skip
 * them.
 */
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
