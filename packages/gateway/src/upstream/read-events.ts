import { createParser } from 'eventsource-parser'

/** How far an event stream got, and how long its server wants us to wait before we come back. */
export interface StreamPosition {
  readonly lastEventId?: string
  readonly retryMs?: number
}

/** Reads an event stream to its end and hands on the data of every event that has any. */
export async function readEvents(
  body: AsyncIterable<Uint8Array>,
  maxEventBytes: number,
  onData: (data: string, event: string | undefined) => void,
): Promise<StreamPosition> {
  let lastEventId: string | undefined
  let retryMs: number | undefined
  const parser = createParser({
    maxBufferSize: maxEventBytes,
    onEvent(event) {
      if (event.id !== undefined) lastEventId = event.id
      if (event.data !== '') onData(event.data, event.event)
    },
    onRetry(ms) {
      retryMs = ms
    },
  })
  const decoder = new TextDecoder()
  for await (const chunk of body) parser.feed(decoder.decode(chunk, { stream: true }))
  return {
    ...(lastEventId === undefined ? {} : { lastEventId }),
    ...(retryMs === undefined ? {} : { retryMs }),
  }
}
