import { createParser } from 'eventsource-parser'
import { isHeaderValue } from '../../http/client/write-request.ts'

/** The position up to which an event stream was read, and the wait before resuming it. */
export interface StreamPosition {
  readonly lastEventId?: string
  readonly retryMs?: number
}

export interface EventReader {
  feed(chunk: Uint8Array): void
  /** Bytes received since the last complete event. */
  readonly unfinished: number
  readonly position: StreamPosition
}

type OnData = (data: string, event: string | undefined) => void
/** Called with a number of lines that contain no data. */
type OnNoise = (lines: number) => void

/** Partial lines are joined up to this length before parsing, because the parser keeps every part separately. */
const SHORT = 1024
/** Events up to this length are parsed without counting their lines. */
const LONG = 1024 * 1024
/** Maximum number of lines in a long event. Each line takes much more memory than its characters. */
const MOST_LINES = 250_000
/** Maximum length of an event id. The gateway sends the id back to the server as a header. */
const LONGEST_ID = 1024

/** Reads an event stream chunk by chunk, and calls back with the data of each event. */
export function createEventReader(
  maxEventBytes: number,
  onData: OnData,
  onNoise: OnNoise = () => {},
): EventReader {
  const countNoise = createNoiseCounter()
  let position: StreamPosition = {}
  let held = ''
  let length = 0
  let lines = 0
  const decoder = new TextDecoder()
  const parser = createParser({
    maxBufferSize: maxEventBytes,
    onEvent({ id, data, event }) {
      length = 0
      lines = 0
      if (id !== undefined && canBeSentBack(id)) position = { ...position, lastEventId: id }
      if (data !== '') onData(data, event)
    },
    onRetry(retryMs) {
      position = { ...position, retryMs }
    },
  })

  const feed = (text: string): void => {
    if (length > LONG) lines += countLines(text)
    if (length > maxEventBytes + LONG || lines > MOST_LINES)
      throw new Error('the event stream contains an event that does not end')
    parser.feed(text)
    const noise = countNoise(text)
    if (noise > 0) onNoise(noise)
  }

  return {
    feed(chunk) {
      length += chunk.length
      const all = held + decoder.decode(chunk, { stream: true })
      // The next chunk may start with a line feed that belongs to this carriage return, so the carriage return is held
      // back.
      const open = all.endsWith('\r') ? '\r' : ''
      const text = withLineFeeds(open === '' ? all : all.slice(0, -1))
      const isPart = text.length < SHORT && !text.includes('\n')
      held = isPart ? text + open : open
      if (!isPart) feed(text)
    },
    get unfinished() {
      return length
    },
    get position() {
      return position
    },
  }
}

function canBeSentBack(id: string): boolean {
  return id.length <= LONGEST_ID && isHeaderValue(id)
}

/** Turns all line breaks into line feeds. There are three kinds, and the parser is slow when a text mixes them. */
function withLineFeeds(text: string): string {
  return text.includes('\r') ? text.replaceAll(/\r\n?/g, '\n') : text
}

function countLines(text: string): number {
  let count = 0
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) count += 1
  return count
}

/**
 * Counts lines without data: other fields, and `data` fields that are empty. If a line comes in parts, its start
 * decides.
 */
function createNoiseCounter(): (text: string) => number {
  let isInLine = false
  let isNoise = false
  return text => {
    let noise = 0
    for (let at = 0; at < text.length; ) {
      const end = text.indexOf('\n', at)
      if (!isInLine) {
        isNoise = text.charCodeAt(at) !== D || (end >= 0 && end - at <= EMPTY_DATA)
        if (isNoise) noise += 1
      }
      if (isNoise) noise += ((end < 0 ? text.length : end) - at) / TEXT_FOR_ONE
      isInLine = end < 0
      if (isInLine) break
      at = end + 1
    }
    return noise
  }
}

const D = 100
/** This many characters of text without data are charged as one line. */
const TEXT_FOR_ONE = 1024
/** Length of `data:` followed by a space. */
const EMPTY_DATA = 6

export async function readEvents(
  body: AsyncIterable<Uint8Array>,
  maxEventBytes: number,
  onData: OnData,
): Promise<StreamPosition> {
  const reader = createEventReader(maxEventBytes, onData)
  for await (const chunk of body) reader.feed(chunk)
  return reader.position
}
