import { createParser } from 'eventsource-parser'

/** How far an event stream got, and how long its server wants us to wait before we come back. */
export interface StreamPosition {
  readonly lastEventId?: string
  readonly retryMs?: number
}

export interface EventReader {
  feed(chunk: Uint8Array): void
  readonly position: StreamPosition
}

type OnData = (data: string, event: string | undefined) => void

/** Reads an event stream piece by piece and hands on the data of every event that has any. */
export function createEventReader(maxEventBytes: number, onData: OnData): EventReader {
  let position: StreamPosition = {}
  const decoder = new TextDecoder()
  const parser = createParser({
    maxBufferSize: maxEventBytes,
    onEvent({ id, data, event }) {
      if (id !== undefined) position = { ...position, lastEventId: id }
      if (data !== '') onData(data, event)
    },
    onRetry(retryMs) {
      position = { ...position, retryMs }
    },
  })
  return {
    feed: chunk => parser.feed(decoder.decode(chunk, { stream: true })),
    get position() {
      return position
    },
  }
}

/** Reads an event stream to its end. */
export async function readEvents(
  body: AsyncIterable<Uint8Array>,
  maxEventBytes: number,
  onData: OnData,
): Promise<StreamPosition> {
  const reader = createEventReader(maxEventBytes, onData)
  for await (const chunk of body) reader.feed(chunk)
  return reader.position
}
