import { createParser } from 'eventsource-parser'
import { isHeaderValue } from '../../http/client/write-request.ts'

/** The position that an event stream reached, and how long to wait before resuming it. */
export interface StreamPosition {
  readonly lastEventId?: string
  readonly retryMs?: number
}

export interface EventReader {
  feed(chunk: Uint8Array): void
  /** Bytes since the last event. */
  readonly unfinished: number
  readonly position: StreamPosition
}

type OnData = (data: string, event: string | undefined) => void
/** Receives the number of lines without data. */
type OnNoise = (lines: number) => void

/** Incomplete lines up to this length are joined before parsing, because the parser keeps each part separately. */
const SHORT = 1024
/** The lines of an event that is no longer than this are not counted. */
const LONG = 1024 * 1024
/** Maximum number of lines in a long event. Each line takes far more memory than it has characters. */
const MOST_LINES = 250_000
/** Maximum length of an event id, which goes back to the server as a header. */
const LONGEST_ID = 1024

/** Reads an event stream chunk by chunk and passes on the data of each event. */
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
      throw new Error('an event of the stream does not end')
    parser.feed(text)
    const noise = countNoise(text)
    if (noise > 0) onNoise(noise)
  }

  return {
    feed(chunk) {
      length += chunk.length
      const all = held + decoder.decode(chunk, { stream: true })
      // A line feed may follow the carriage return in the next chunk, so it is held back.
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

/** Lines can end in three ways, and the parser is slow if a text mixes them, so all become line feeds. */
function withLineFeeds(text: string): string {
  return text.includes('\r') ? text.replaceAll(/\r\n?/g, '\n') : text
}

function countLines(text: string): number {
  let count = 0
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) count += 1
  return count
}

/** Counts lines without data: all other fields, and empty data. A line may come in parts; its beginning decides. */
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
/** This much text without data costs as much as one more line. */
const TEXT_FOR_ONE = 1024
/** The length of `data:` and a space. */
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
